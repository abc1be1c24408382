/** A mail server on loopback that keeps what it gets, by address. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import PostalMime from "postal-mime"
import { SMTPServer } from "smtp-server"

/** A running mail server. */
export interface Mailbox {
  readonly port: number
  /** The link in the next mail to an address, also when it came already. Each mail is handed out once. */
  linkTo(address: string): Promise<string>
  close(): Promise<void>
}

/** Opens one on a free port. */
export async function openMailbox(): Promise<Mailbox> {
  const kept = new Map<string, string[]>()
  const waiting = new Map<string, (link: string) => void>()
  const deliver = (address: string, link: string): void => {
    const waits = waiting.get(address)
    waiting.delete(address)
    if (waits) waits(link)
    else kept.set(address, [...(kept.get(address) ?? []), link])
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onData(stream, session, done) {
      read(stream)
        .then(async (raw) => {
          const { text = "" } = await PostalMime.parse(raw)
          deliver(session.envelope.rcptTo[0]?.address ?? "", /http\S+/.exec(text)?.[0] ?? "")
          done()
        })
        .catch(done)
    },
  })
  server.on("error", () => {})
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  return {
    port: (server.server.address() as AddressInfo).port,
    linkTo(address) {
      const [link, ...others] = kept.get(address) ?? []
      kept.set(address, others)
      return link === undefined ? new Promise((resolve) => waiting.set(address, resolve)) : Promise.resolve(link)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function read(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
