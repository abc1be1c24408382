/** `latchkey secret`: makes a secret, and prints it or writes it into a file. */
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import {
  hasAcceptedSecret,
  hasPlainSecrets,
  withAcceptedSecret,
  withoutOldSecrets,
  withRotatedSecret,
  withUsedSecret,
  withVariable,
} from "../env-text.js"
import { warnOfOpen } from "../open-file.js"
import type { World } from "../world.js"

/** Says in words what happened, or as data without the secret. */
function sayer(
  { terminal }: Pick<World, "terminal">,
  isJson: boolean,
): (isWritten: boolean, file: string, text: string) => number {
  return (isWritten, file, text) => {
    if (isJson) terminal.out(`${JSON.stringify({ file, isWritten, message: text })}\n`)
    else terminal.err(`${text}\n`)
    return isWritten ? exitCodes.fine : exitCodes.failed
  }
}

/** What is done to a file with secrets, and what is said of it. */
interface Step {
  readonly change: (content: string) => string | undefined
  /** Why nothing was changed. */
  readonly refusal: string
  readonly done: string
}

const made = (): string => randomBytes(32).toString("hex")
const noRoom =
  "has no AUTH_SECRET, or three newer ones, which have to be dropped first, or a line of the next name inside of another value"
const notPlain =
  "gives a secret in a form that is not changed here, such as over several lines, or behind a byte order mark: write each secret in a line of its own"
const whatFollows = "after the longest session, and after reseal where records are kept, drop the old ones with --drop."

const steps: Readonly<Record<"add" | "accept" | "use" | "drop", (name: string) => Step>> = {
  add: (name) => ({
    change: (content) => withRotatedSecret(content, made()),
    refusal: noRoom,
    done: `Added a new secret to ${name}. Deploy it; ${whatFollows}`,
  }),
  accept: (name) => ({
    change: (content) => withAcceptedSecret(content, made()),
    refusal: noRoom,
    done: `Added a new secret to ${name}, which is accepted and not used yet. Deploy it; once every process has it, put it into use with --use.`,
  }),
  use: (name) => ({
    change: withUsedSecret,
    refusal: "has no secret that was added with --accept and is not used yet",
    done: `The accepted secret in ${name} is in use. Deploy it; ${whatFollows}`,
  }),
  drop: (name) => ({
    change: withoutOldSecrets,
    refusal: "has one secret or none",
    done: `Kept the newest secret in ${name} as AUTH_SECRET. Sessions of the others end.`,
  }),
}

function rotateIn(name: string, { step, isJson }: { step: keyof typeof steps; isJson: boolean }, world: World): number {
  const { cwd, files, terminal } = world
  const say = sayer({ terminal }, isJson)
  const file = resolve(cwd, name)
  const content = files.read(file)
  if (content === undefined) throw new UsageError(`There is no file "${name}".`)
  if (!hasPlainSecrets(content)) return say(false, name, `${name} ${notPlain}; nothing was written.`)
  const { change, refusal, done } = steps[step](name)
  const isPending = step !== "use" && hasAcceptedSecret(content)
  const changed = isPending ? undefined : change(content)
  if (changed === undefined) {
    const why = isPending ? "has a secret that is accepted and not used yet: put it into use with --use first" : refusal
    return say(false, name, `${name} ${why}; nothing was written.`)
  }
  files.write(file, changed)
  if (step === "add" || step === "accept") warnOfOpen(name, world)
  return say(true, name, done)
}

/** The step that the options name; of those beside --rotate one alone. */
function stepOf(named: Readonly<Record<"accept" | "use" | "drop", boolean>>, rotate: string | undefined) {
  const [first, second] = (["accept", "use", "drop"] as const).filter((name) => named[name])
  if (first !== undefined && rotate === undefined) throw new UsageError(`--${first} needs --rotate FILE.`)
  if (second !== undefined) throw new UsageError(`Name --${first} or --${second}, not both.`)
  return first ?? "add"
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
    accept: {
      text: "with --rotate: add the new secret so that it is accepted, and the newest so far stays in use; for a deployment that replaces processes one after another",
    },
    use: { text: "with --rotate: put the secret into use that was added with --accept, once every process accepts it" },
    drop: {
      text: "with --rotate: take away all secrets but the newest, once no session of theirs is left; where the application keeps records, run reseal before",
    },
    json: { text: "print the secret, or what was written, as JSON" },
  },
  notes: `The secret with the highest number (up to 3) makes new sessions; all of them are accepted:
  AUTH_SECRET=<old>
  AUTH_SECRET_1=<new>`,
  exits: { fine: "done", failed: "FILE has a secret already or cannot be written" },
  async run({ options: { accept, drop, json, rotate, use, write } }, world) {
    const { cwd, files, terminal } = world
    if (rotate !== undefined && write !== undefined) throw new UsageError("Name --write or --rotate, not both.")
    const step = stepOf({ accept, use, drop }, rotate)
    if (rotate !== undefined) return rotateIn(rotate, { step, isJson: json }, world)
    const value = made()
    if (write === undefined) {
      terminal.out(json ? `${JSON.stringify({ AUTH_SECRET: value })}\n` : `AUTH_SECRET=${value}\n`)
      return exitCodes.fine
    }
    const file = resolve(cwd, write)
    const content = withVariable(files.read(file) ?? "", "AUTH_SECRET", value)
    const say = sayer(world, json)
    if (content === undefined)
      return say(
        false,
        write,
        `${write} has an AUTH_SECRET already, or a line of that name inside of another value; nothing was written.`,
      )
    // A new file is for the owner's eyes only; an existing one keeps its mode.
    files.write(file, content, 0o600)
    warnOfOpen(write, world)
    return say(true, write, `Wrote AUTH_SECRET to ${write}. Keep that file out of version control.`)
  },
})
