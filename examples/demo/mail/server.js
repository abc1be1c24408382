/** A mail server for this machine only: it takes every mail and keeps it for the mailbox page. */
import PostalMime from "postal-mime"
import { SMTPServer } from "smtp-server"

/** @typedef {{ id: string, to: string, from: string, subject: string, at: Date, html: string | undefined, text: string | undefined, isRead: boolean }} Mail */
/** @typedef {{ port: number, newest(): readonly Mail[], find(id: string): Mail | undefined, close(): Promise<void> }} Mailbox */

const keptAtMost = 100
const bytesAtMost = 1024 * 1024

/** @returns {Promise<Mailbox>} */
export async function openMailbox() {
  /** @type {Mail[]} newest first */
  const mails = []
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: bytesAtMost,
    onData(stream, session, done) {
      read(stream)
        .then(async (raw) => {
          const { from, html, subject, text, to } = await PostalMime.parse(raw)
          mails.unshift({
            id: String(++count),
            to: to?.[0]?.address ?? session.envelope.rcptTo[0]?.address ?? "",
            from: from?.address ?? "",
            subject: subject ?? "(no subject)",
            at: new Date(),
            html,
            text,
            isRead: false,
          })
          mails.length = Math.min(mails.length, keptAtMost)
          done()
        })
        .catch(done)
    },
  })
  // A client that disconnects in the middle needs no handling.
  server.on("error", () => {})
  const port = await listen(server)
  return {
    port,
    newest: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** @param {SMTPServer} server @returns {Promise<number>} */
function listen(server) {
  return new Promise((resolve, reject) => {
    server.server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.server.address()
      resolve(typeof address === "object" && address ? address.port : 0)
    })
  })
}

/** @param {import("smtp-server").SMTPServerDataStream} stream @returns {Promise<Buffer>} */
async function read(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  if (stream.sizeExceeded) throw Object.assign(new Error("The mail is too large"), { responseCode: 552 })
  return Buffer.concat(chunks)
}
