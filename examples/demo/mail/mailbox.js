/** The mailbox of the demo: every mail that it sends arrives at a mail server of its own, and can be read on a page. */
import { createMailbox } from "@latchkey/testing"

/** @typedef {{ id: string, to: string, from: string, subject: string, at: Date, html: string | undefined, text: string, isRead: boolean }} Mail */
/** @typedef {{ server: string, newest(): readonly Mail[], find(id: string): Mail | undefined, close(): Promise<void> }} Mailbox */

const keptAtMost = 100
const bytesAtMost = 1024 * 1024

/** @returns {Promise<Mailbox>} */
export async function openMailbox() {
  /** @type {Mail[]} newest first */
  const mails = []
  let count = 0
  const { close, server } = await createMailbox({
    keptAtMost,
    bytesAtMost,
    onMail({ from, html, subject, text, to }) {
      mails.unshift({
        id: String(++count),
        to,
        from,
        subject: subject || "(no subject)",
        at: new Date(),
        html: html || undefined,
        text,
        isRead: false,
      })
      mails.length = Math.min(mails.length, keptAtMost)
    },
  })
  return { server, newest: () => mails, find: (id) => mails.find((mail) => mail.id === id), close }
}
