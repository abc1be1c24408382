/** Sign-in links by SMTP, through the package `nodemailer`. Runs where there are sockets: Node, Bun, Deno. */
import { EmailSignInError, InvalidConfiguration } from "../errors.js"
import { isUrl } from "../std/url.js"
import type { EmailConfig, EmailUserConfig, SendVerificationRequestParams, UsualId } from "../types/provider.js"
import { email } from "./define.js"
import { fromAddress, signInMessage } from "./mail/message.js"

/** A provider that sends by SMTP. */
export interface NodemailerConfig extends EmailConfig<UsualId<"nodemailer">> {
  /** Address of the server (`smtps://user:password@host:port`), options of a transport, or a transport: stands in `options`. */
  server?: unknown
}

/** What is given to {@link Nodemailer}: `server`, or a `sendVerificationRequest` of your own. */
export type NodemailerUserConfig = EmailUserConfig

/**
 * Sends the link by SMTP.
 * @throws InvalidConfiguration without `server`.
 */
export function Nodemailer(config: NodemailerUserConfig): NodemailerConfig {
  if (!config.server && !config.sendVerificationRequest) {
    throw new InvalidConfiguration("Nodemailer needs `server`: an smtp(s) URL, options of a transport or a transport.")
  }
  return email(
    {
      id: "nodemailer",
      name: "Nodemailer",
      docs: "https://nodemailer.com/",
      checked: "2026-11-21",
      sendVerificationRequest: sendBySmtp,
    },
    config,
  )
}

export default Nodemailer

// Every step of a silent server ends in time; a server of the application's own may set its own numbers.
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }

/** What is used of a transport. */
interface Transporter {
  sendMail(
    mail: Readonly<Record<string, unknown>>,
  ): Promise<{ rejected?: readonly unknown[]; pending?: readonly unknown[] }>
  close?(): void
}

async function sendBySmtp(params: SendVerificationRequestParams): Promise<void> {
  const { identifier, url, provider } = params
  const isOwn = isTransporter(provider.server)
  const transporter = isOwn ? (provider.server as Transporter) : await connect(provider.server)
  try {
    const { subject, text, html } = signInMessage(params)
    const sent = await transporter.sendMail({
      // An object is not parsed: whatever the address holds, it stays one recipient.
      to: { name: "", address: identifier },
      from: fromAddress(provider.from, url),
      subject,
      text,
      html,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const failed = [...(sent.rejected ?? []), ...(sent.pending ?? [])]
    if (failed.length > 0) throw new EmailSignInError("The mail server refused the recipient.")
  } finally {
    if (!isOwn) transporter.close?.()
  }
}

function isTransporter(server: unknown): boolean {
  return typeof server === "object" && server !== null && "sendMail" in server && typeof server.sendMail === "function"
}

async function connect(server: unknown): Promise<Transporter> {
  const { createTransport } = await loadNodemailer()
  return createTransport(withTimeouts(server))
}

async function loadNodemailer(): Promise<{ createTransport(server: unknown): Transporter }> {
  try {
    return (await import("nodemailer")) as unknown as { createTransport(server: unknown): Transporter }
  } catch (err) {
    throw new InvalidConfiguration("Sending by SMTP needs the package `nodemailer`: npm install nodemailer", {
      cause: { err },
    })
  }
}

/** Numbers that are not given are set: on an address as its query, on options as members. Transports are left alone. */
function withTimeouts(server: unknown): unknown {
  if (typeof server === "string") {
    if (!isUrl(server)) return server
    const url = new URL(server)
    for (const [name, value] of Object.entries(timeouts)) {
      if (!url.searchParams.has(name)) url.searchParams.set(name, String(value))
    }
    return url.href
  }
  const isOptions = typeof server === "object" && server !== null && !("send" in server)
  return isOptions ? { ...timeouts, ...server } : server
}
