/** `latchkey secret`: makes a secret, and writes it where it is wanted. */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { readArguments } from "../arguments.js"
import { type Command, exitCodes } from "../command.js"

/** A line that gives AUTH_SECRET, with what it gives. Lines that are commented out do not count. */
const assignment = /^([ \t]*(?:export[ \t]+)?AUTH_SECRET[ \t]*=)[ \t]*(.*)$/m

/** The content with the secret in it, or nothing when there is one already. */
export function withSecret(content: string, secret: string): string | undefined {
  const [line, beginning, value = ""] = assignment.exec(content) ?? []
  if (line === undefined) {
    const gap = content === "" || content.endsWith("\n") ? "" : "\n"
    return `${content}${gap}AUTH_SECRET=${secret}\n`
  }
  const isEmpty = /^(''|""|)\s*(#.*)?$/.test(value.trim())
  return isEmpty ? content.replace(line, () => `${beginning}${secret}`) : undefined
}

export const secret: Command = {
  name: "secret",
  summary: "make a secret",
  help: `secret [--write FILE]

Makes a secret of 32 random bytes and prints the line AUTH_SECRET=<64 hexadecimal digits>.

Options:
  --write FILE   put the line into FILE (made if it is not there) instead of printing it;
                 a secret that is in FILE already is never touched
  -h, --help     show this

To exchange a secret without signing anybody out, add the new one under the next number; the highest
number (up to 3) makes new sessions, all of them are accepted:
  AUTH_SECRET=<old>
  AUTH_SECRET_1=<new>

Exit codes: 0 done, 1 FILE has a secret already or cannot be written, 2 wrong call`,
  async run(args, { cwd, out, err }) {
    const { values } = readArguments(args, { write: { type: "string" } })
    const made = randomBytes(32).toString("hex")
    if (values.write === undefined) {
      out(`AUTH_SECRET=${made}\n`)
      return exitCodes.well
    }
    const file = resolve(cwd, values.write)
    const content = withSecret(existsSync(file) ? readFileSync(file, "utf8") : "", made)
    if (content === undefined) {
      err(`${values.write} has an AUTH_SECRET already; nothing was written.\n`)
      return exitCodes.wrong
    }
    // A new file is for the owner's eyes only; an existing one keeps its mode.
    writeFileSync(file, content, { mode: 0o600 })
    err(`Wrote AUTH_SECRET to ${values.write}. Keep that file out of version control.\n`)
    return exitCodes.well
  },
}
