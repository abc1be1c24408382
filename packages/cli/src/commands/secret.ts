/** `latchkey secret`: makes a secret, and writes it where it is wanted. */
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { type Command, defineCommand, exitCodes } from "../command.js"
import { withVariable } from "../env-text.js"

export const secret: Command = defineCommand({
  name: "secret",
  summary: "make a secret",
  details: "Makes a secret of 32 random bytes and prints the line AUTH_SECRET=<64 hexadecimal digits>.",
  options: {
    write: {
      value: "FILE",
      text: "put the line into FILE (made if it is not there) instead of printing it; a secret that is in FILE already is never changed",
    },
  },
  notes: `To exchange a secret without signing anybody out, add the new one under the next number; the highest
number (up to 3) makes new sessions, all of them are accepted:
  AUTH_SECRET=<old>
  AUTH_SECRET_1=<new>`,
  exits: { fine: "done", failed: "FILE has a secret already or cannot be written" },
  async run({ options: { write } }, { cwd, files, terminal }) {
    const made = randomBytes(32).toString("hex")
    if (write === undefined) {
      terminal.out(`AUTH_SECRET=${made}\n`)
      return exitCodes.fine
    }
    const file = resolve(cwd, write)
    const content = withVariable(files.read(file) ?? "", "AUTH_SECRET", made)
    if (content === undefined) {
      terminal.err(`${write} has an AUTH_SECRET already; nothing was written.\n`)
      return exitCodes.failed
    }
    // A new file is for the owner's eyes only; an existing one keeps its mode.
    files.write(file, content, 0o600)
    terminal.err(`Wrote AUTH_SECRET to ${write}. Keep that file out of version control.\n`)
    return exitCodes.fine
  },
})
