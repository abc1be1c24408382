/** The outside as it is: this process, its terminal and the file system. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { createInterface } from "node:readline/promises"
import { Failure } from "./command.js"
import { importTool } from "./installed.js"
import { replaceFile } from "./replace-file.js"
import { messageOf } from "./thrown.js"
import type { Files, Found, Terminal, World } from "./world.js"

/** What the codes of the operating system mean. */
const meanings: Readonly<Record<string, string>> = {
  ENOENT: "the folder or file does not exist",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  EISDIR: "it is a folder, and a file is expected",
  ENOTDIR: "a part of the path is a file, and a folder is expected",
  EEXIST: "a part of the path is a file, and a folder is expected",
  ENOSPC: "the disk is full",
  ELOOP: "symbolic links lead in a circle",
  EMFILE: "too many files are open",
  ECONNREFUSED: "nothing answers there",
  ENOTFOUND: "the host is not known",
  ETIMEDOUT: "it did not answer in time",
  EADDRINUSE: "the port is taken",
}

/** The code of an error of the operating system. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}

/** A sentence in place of an error of the operating system; the message of any other, without passwords. */
export function meaningOf(error: unknown): string {
  const meaning = meanings[codeOf(error) ?? ""]
  return meaning ?? messageOf(error)
}

function attempt<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Failure(`Cannot ${what}: ${meaningOf(error)}.`, { cause: error })
  }
}

function lookAt(path: string): Found {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return { kind: "nothing" }
    const kind = stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other"
    if (kind === "other") return { kind }
    const isOpen = process.platform !== "win32" && (stats.mode & 0o044) !== 0
    return { kind, isLink: lstatSync(path).isSymbolicLink(), real: realpathSync(path), isOpen }
  } catch (error) {
    return { kind: "unknown", why: meaningOf(error) }
  }
}

/** The file system. `warn` learns of a file that could not be written as a whole. */
export const systemFilesWith = (warn: (text: string) => void): Files => ({
  read: (path) => (existsSync(path) ? attempt(`read ${path}`, () => readFileSync(path, "utf8")) : undefined),
  exists: (path) => existsSync(path),
  lookAt,
  list: (folder) => (existsSync(folder) ? attempt(`read ${folder}`, () => readdirSync(folder)) : []),
  write: (path, content, mode) =>
    attempt(`write ${path}`, () => {
      mkdirSync(dirname(path), { recursive: true })
      if (replaceFile(path, content, mode).isWhole) return
      warn(
        `${path} was written in its place, because its folder, its owner or another name of it allows no new file there. Had that been broken off, its content would have been lost: keep a copy.\n`,
      )
    }),
})

/** The file system, for what reads alone. */
export const systemFiles: Files = systemFilesWith(() => {})

/** NO_COLOR and FORCE_COLOR take precedence over the kind of the stream. */
function showsColours(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0"
  return stream.isTTY === true && env.TERM !== "dumb"
}

async function askAt(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

/** Texts that are being written, so that the process ends after the last of them. */
export interface Written {
  readonly terminal: Terminal
  finished(): Promise<unknown>
}

/** What a terminal obeys, and what turns the direction of a line around. */
const commands = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** The colours of `style.ts`, behind the character that begins them. */
const colour = /^\[(?:1|22|3[1-39]|90)m/

function isMeant(text: string, at: number): boolean {
  const character = text[at]
  if (character === "\t" || character === "\n") return true
  return character === "\r" ? text[at + 1] === "\n" : character === "\u001b" && colour.test(text.slice(at + 1, at + 6))
}

/**
 * The text as a terminal may have it: other commands are written out, as JSON does. It holds what others wrote, such as
 * mails, answers of providers and files of a project.
 */
export function harmless(text: string): string {
  return text.replace(commands, (character, at: number) =>
    isMeant(text, at) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** The terminal of this process. */
export function systemTerminal(): Written {
  const pending: Promise<void>[] = []
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    pending.push(new Promise((resolve) => stream.write(harmless(text), () => resolve())))
  }
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env.CI
  return {
    terminal: {
      out: (text) => write(process.stdout, text),
      err: (text) => write(process.stderr, text),
      colours: {
        out: showsColours(process.stdout, process.env),
        err: showsColours(process.stderr, process.env),
      },
      ...(isInteractive ? { ask: askAt } : {}),
    },
    finished: () => Promise.all(pending),
  }
}

/** This process. */
export function systemWorld(terminal: Terminal, version: string): World {
  return {
    version,
    cwd: process.cwd(),
    env: process.env,
    terminal,
    files: systemFilesWith((text) => terminal.err(text)),
    fillEnvironment(values) {
      for (const [name, value] of Object.entries(values)) process.env[name] ??= value
    },
    importTool: (name) => importTool(process.cwd(), name),
    now: () => new Date(),
    fetch: globalThis.fetch,
    stopped: () =>
      new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve())
      }),
  }
}
