/** A mailbox for tests: a mail server on loopback that keeps what it is sent, and a sender that needs no server. */
import type { SendVerificationRequestParams } from "@latchkey/core/types"
import type { SMTPServer, SMTPServerDataStream } from "smtp-server"

/** A mail that arrived. */
export interface Mail {
  /** Address it was sent to. */
  readonly to: string
  /** Address of the sender; empty where no server was involved. */
  readonly from: string
  /** Subject line. */
  readonly subject: string
  /** The text part; empty where there is none. */
  readonly text: string
  /** The HTML part; empty where there is none. */
  readonly html: string
  /** The first link in it: that of the sign-in. Throws where there is none. */
  readonly link: string
}

/** How long to wait. */
export interface MailWait {
  /** Milliseconds. @default 5000 */
  readonly timeout?: number
}

/** How a mailbox is opened. */
export interface MailboxOptions {
  /** Port on 127.0.0.1. @default a free one */
  readonly port?: number
  /** Called with every mail that arrives. */
  readonly onMail?: (mail: Mail) => void
  /** How many mails are kept: the oldest go first. @default all */
  readonly keptAtMost?: number
  /** How large a mail may be, in bytes; a larger one is refused. @default any size */
  readonly bytesAtMost?: number
}

/** A running mailbox. */
export interface Mailbox {
  /** For `server` of Nodemailer: `smtp://127.0.0.1:<port>`. */
  readonly server: string
  /** Every mail, in order. */
  readonly mails: readonly Mail[]
  /** The oldest mail to an address that was not taken yet; waits for it. Rejects when none arrives in time. */
  next(to: string, wait?: MailWait): Promise<Mail>
  /** For an e-mail provider, in place of sending: keeps the link. */
  readonly sendVerificationRequest: (params: Pick<SendVerificationRequestParams, "identifier" | "url">) => void
  /** Stops the mail server. */
  close(): Promise<void>
}

/** Opens a mailbox on loopback. Close it when done. */
export async function createMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  const { onMail, keptAtMost = Number.POSITIVE_INFINITY } = options
  const mails: Mail[] = []
  const untaken: Mail[] = []
  const waiting = new Set<() => void>()
  const keep = (mail: Mail): void => {
    mails.push(mail)
    untaken.push(mail)
    for (const look of waiting) look()
    for (const list of [mails, untaken]) list.splice(0, list.length - keptAtMost)
    onMail?.(mail)
  }
  const server = await openServer(keep, options)
  return {
    server: `smtp://127.0.0.1:${server.port}`,
    mails,
    sendVerificationRequest: ({ identifier, url }) =>
      keep(mailOf({ to: identifier, from: "", subject: "Sign in", text: url, html: "" })),
    next: (to, { timeout = 5000 } = {}) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const index = untaken.findIndex((mail) => mail.to.toLowerCase() === to.toLowerCase())
          const [mail] = index < 0 ? [] : untaken.splice(index, 1)
          if (mail) end(() => resolve(mail))
        }
        const end = (settle: () => void): void => {
          clearTimeout(timer)
          waiting.delete(look)
          settle()
        }
        const timer = setTimeout(() => end(() => reject(new Error(missing(to, timeout, mails)))), timeout)
        waiting.add(look)
        look()
      }),
    close: server.close,
  }
}

function missing(to: string, timeout: number, mails: readonly Mail[]): string {
  const others = [...new Set(mails.map((mail) => mail.to))].join(", ") || "nobody"
  return `No mail to ${to} arrived within ${timeout} ms that was not taken before. Mails arrived for: ${others}.`
}

function mailOf(parts: Omit<Mail, "link">): Mail {
  return {
    ...parts,
    get link() {
      // Plain text has the address as it is; in HTML it is escaped.
      const [link] = /https?:\/\/[^\s"'<>]+/.exec(parts.text || parts.html.replaceAll("&amp;", "&")) ?? []
      if (link === undefined) throw new Error(`The mail "${parts.subject}" holds no link.`)
      return link
    },
  }
}

interface RunningServer {
  readonly port: number
  close(): Promise<void>
}

/** The libraries are loaded when a mailbox is opened. */
async function openServer(
  keep: (mail: Mail) => void,
  { port: wanted = 0, bytesAtMost }: MailboxOptions,
): Promise<RunningServer> {
  const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([import("smtp-server"), import("postal-mime")])
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    ...(bytesAtMost !== undefined && { size: bytesAtMost }),
    onData(stream, { envelope }, done) {
      read(stream)
        .then((raw) => PostalMime.parse(raw))
        .then(({ from, html = "", subject = "", text = "" }) => {
          for (const { address: to } of envelope.rcptTo)
            keep(mailOf({ to, from: from?.address ?? "", subject, text, html }))
          done()
        })
        .catch(done)
    },
  })
  // A client that hangs up in the middle is its own affair.
  server.on("error", () => undefined)
  const port = await listen(server, wanted)
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

function listen(server: SMTPServer, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.server.once("error", reject)
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.server.address()
      resolve(typeof address === "object" && address ? address.port : 0)
    })
  })
}

async function read(stream: SMTPServerDataStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk as Uint8Array)
  if (stream.sizeExceeded) throw Object.assign(new Error("The mail is too large"), { responseCode: 552 })
  return Buffer.concat(chunks)
}
