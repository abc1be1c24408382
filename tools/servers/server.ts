/** Runs one server: on a free loopback port, in a temporary folder, as a user with few rights. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Guard, openGuard } from "./guard.js"
import { family } from "./processes.js"

/** A running server. */
export interface Server {
  /** Address with user and password, as a driver takes it. */
  readonly url: string
  /** On 127.0.0.1. */
  readonly port: number
  /** Ends it and removes its data. */
  stop(): Promise<void>
  /** Freezes it: it accepts connections and answers nothing. */
  pause(): void
  /** Goes on after {@link Server.pause}. */
  resume(): void
  /** Ends it as a failing machine would, with no time to tidy up. Its data stay for {@link Server.restart}. */
  kill(): Promise<void>
  /** Ends it if it runs, and starts it on the same port with the same data. */
  restart(): Promise<void>
}

/** How to run a server. */
export interface Plan {
  readonly title: string
  /** Its temporary folder, from {@link temporaryFolder}. */
  readonly folder: string
  readonly owner: Owner
  readonly program: string
  args(port: number): readonly string[]
  /** What its log says once it takes connections. */
  readonly ready: RegExp
  /** Milliseconds it may take to say so. @default 60_000 */
  readonly patience?: number
  /** How it is asked to end at once. */
  readonly quit: "SIGQUIT" | "SIGTERM" | "SIGKILL"
  url(port: number): string
}

/** The user that a server runs as; empty where the tests do not run as root, because only root can choose. */
export interface Owner {
  readonly uid?: number
  readonly gid?: number
}

const patience = 60_000
const glance = 20

/** The server's own user, or the one with the fewest rights. */
export function ownerNamed(name: string): Owner {
  if (process.getuid?.() !== 0) return {}
  const lines = readFileSync("/etc/passwd", "utf8").split("\n")
  const line = [name, "nobody"].map((user) => lines.find((it) => it.startsWith(`${user}:`))).find(Boolean)
  const [, , uid = "65534", gid = "65534"] = line?.split(":") ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** A new folder that belongs to `owner` alone. */
export function temporaryFolder(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-server-"))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
  return folder
}

/** Settings of the person who runs the tests are not those of the server. */
export const environment: NodeJS.ProcessEnv = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" }

/** Runs a program to its end. Throws with what it said when it fails. */
export async function runProgram(program: string, args: readonly string[], owner: Owner, cwd: string): Promise<string> {
  const child = spawn(program, [...args], { ...owner, cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk))
  const [code] = (await once(child, "close")) as [number | null]
  const text = Buffer.concat(said).toString()
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${tail(text)}`)
  return text
}

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === "string") throw new Error("The system gave no port.")
  return address.port
}

const tail = (text: string): string => text.trim().split("\n").slice(-15).join("\n")
const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Why a server did not start. */
class NotStarted extends Error {
  readonly log: string
  constructor(title: string, log: string) {
    super(`${title} did not start. Its log ends with:\n${tail(log)}`)
    this.log = log
  }
}

async function launch(plan: Plan, port: number, guard: Guard): Promise<ChildProcess> {
  const path = join(plan.folder, "log")
  const log = openSync(path, "w")
  const child = spawn(plan.program, [...plan.args(port)], {
    ...plan.owner,
    cwd: plan.folder,
    env: environment,
    detached: true,
    stdio: ["ignore", log, log],
  })
  closeSync(log)
  const failure: { error?: Error } = {}
  child.on("error", (error) => {
    failure.error = error
  })
  guard.watch(child.pid)
  child.once("exit", () => guard.watch(undefined))
  child.unref()
  for (const end = Date.now() + (plan.patience ?? patience); ; ) {
    if (plan.ready.test(readFileSync(path, "utf8"))) return child
    if (failure.error) throw failure.error
    if (hasEnded(child) || Date.now() > end) {
      child.kill("SIGKILL")
      throw new NotStarted(plan.title, readFileSync(path, "utf8"))
    }
    await new Promise((resolve) => setTimeout(resolve, glance))
  }
}

/** The port was free when asked and may be taken a moment later; another one is tried then. */
async function launchSomewhere(plan: Plan, guard: Guard): Promise<{ child: ChildProcess; port: number }> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    try {
      return { child: await launch(plan, port, guard), port }
    } catch (error) {
      if (!(error instanceof NotStarted && /in use/i.test(error.log)) || tries === 3) throw error
    }
  }
}

/** What a killed server held may be held a moment longer. */
async function launchAgain(plan: Plan, port: number, guard: Guard): Promise<ChildProcess> {
  for (const end = Date.now() + patience / 4; ; ) {
    try {
      return await launch(plan, port, guard)
    } catch (error) {
      if (!(error instanceof NotStarted && /in use|lock/i.test(error.log)) || Date.now() > end) throw error
    }
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return
  child.ref()
  const ended = once(child, "exit")
  child.kill("SIGCONT")
  child.kill(signal)
  const late = setTimeout(() => child.kill("SIGKILL"), patience / 4)
  await ended
  clearTimeout(late)
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself meanwhile.
    }
}

/** Starts a server. Its folder is removed when it is stopped, or when this process ends. */
export async function runServer(plan: Plan, guard: Guard): Promise<Server> {
  const first = await launchSomewhere(plan, guard).catch(async (error: unknown) => {
    await guard.close()
    throw error
  })
  const { port } = first
  let { child } = first
  return {
    url: plan.url(port),
    port,
    pause: () => signalAll(family(child.pid), "SIGSTOP"),
    resume: () => signalAll(family(child.pid).reverse(), "SIGCONT"),
    async kill() {
      const members = family(child.pid)
      const ended = hasEnded(child) ? undefined : once(child, "exit")
      child.ref()
      signalAll(members, "SIGKILL")
      await ended
    },
    async restart() {
      await endProcess(child, plan.quit)
      child = await launchAgain(plan, port, guard)
    },
    async stop() {
      await endProcess(child, plan.quit)
      await guard.close()
    },
  }
}

/** A guard for a folder, opened before anything is put into it. */
export const guardOf = (folder: string, quit: Plan["quit"]): Guard => openGuard(folder, quit.slice("SIG".length))
