/** `latchkey secret`: makes a secret, and prints it or writes it into a file. */
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import { withoutOldSecrets, withRotatedSecret, withVariable } from "../env-text.js"
import type { World } from "../world.js"

/** Says in words what happened, or as data without the secret. */
function sayer({ terminal }: World, isJson: boolean): (isWritten: boolean, file: string, text: string) => number {
  return (isWritten, file, text) => {
    if (isJson) terminal.out(`${JSON.stringify({ file, isWritten, message: text })}\n`)
    else terminal.err(`${text}\n`)
    return isWritten ? exitCodes.fine : exitCodes.failed
  }
}

function rotateIn(
  name: string,
  { isDropping, isJson }: { isDropping: boolean; isJson: boolean },
  world: World,
): number {
  const { cwd, files } = world
  const say = sayer(world, isJson)
  const file = resolve(cwd, name)
  const content = files.read(file)
  if (content === undefined) throw new UsageError(`There is no file "${name}".`)
  const rotated = isDropping ? withoutOldSecrets(content) : withRotatedSecret(content, randomBytes(32).toString("hex"))
  if (rotated === undefined) {
    const why = isDropping
      ? "has one secret or none"
      : "has no AUTH_SECRET, or three newer ones: drop the old ones first"
    return say(false, name, `${name} ${why}; nothing was written.`)
  }
  files.write(file, rotated)
  return say(
    true,
    name,
    isDropping
      ? `Kept the newest secret in ${name} as AUTH_SECRET. Sessions of the others end.`
      : `Added a new secret to ${name}. Deploy it; after the longest session, and after reseal where records are kept, drop the old ones with --drop.`,
  )
}

export const secret: Command = defineCommand({
  name: "secret",
  summary: "make a secret",
  details: "Makes a secret of 32 random bytes and prints the line AUTH_SECRET=<64 hexadecimal digits>.",
  options: {
    write: {
      value: "FILE",
      text: "put the line into FILE (made if it is not there) instead of printing it; a secret that is in FILE already is never changed",
    },
    rotate: {
      value: "FILE",
      text: "add a new secret to FILE under the next number; those that are there are still accepted, so that nobody is signed out",
    },
    drop: {
      text: "with --rotate: take away all secrets but the newest, once no session of theirs is left; where the application keeps records, run reseal before",
    },
    json: { text: "print the secret, or what was written, as JSON" },
  },
  notes: `The secret with the highest number (up to 3) makes new sessions; all of them are accepted:
  AUTH_SECRET=<old>
  AUTH_SECRET_1=<new>`,
  exits: { fine: "done", failed: "FILE has a secret already or cannot be written" },
  async run({ options: { drop, json, rotate, write } }, world) {
    const { cwd, files, terminal } = world
    if (rotate !== undefined && write !== undefined) throw new UsageError("Name --write or --rotate, not both.")
    if (drop && rotate === undefined) throw new UsageError("--drop needs --rotate FILE.")
    if (rotate !== undefined) return rotateIn(rotate, { isDropping: drop, isJson: json }, world)
    const made = randomBytes(32).toString("hex")
    if (write === undefined) {
      terminal.out(json ? `${JSON.stringify({ AUTH_SECRET: made })}\n` : `AUTH_SECRET=${made}\n`)
      return exitCodes.fine
    }
    const file = resolve(cwd, write)
    const content = withVariable(files.read(file) ?? "", "AUTH_SECRET", made)
    const say = sayer(world, json)
    if (content === undefined) return say(false, write, `${write} has an AUTH_SECRET already; nothing was written.`)
    // A new file is for the owner's eyes only; an existing one keeps its mode.
    files.write(file, content, 0o600)
    return say(true, write, `Wrote AUTH_SECRET to ${write}. Keep that file out of version control.`)
  },
})
