/** Somebody who follows a page word by word, in an empty folder. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { hono } from "../../packages/cli/test/support/starters.js"
import { type Application, startApplication } from "./application.js"
import type { Step } from "./page.js"
import type { Registry } from "./registry.js"
import { freePort, run, start } from "./shell.js"

/** Tools of frameworks in the version that the test was written with: a new one of theirs must not break a build of ours. */
const pinned: Readonly<Record<string, string>> = {
  "npx sv ": "npx --yes sv@0.17.1 ",
  "npx create-next-app@latest ": "npx --yes create-next-app@16.4.3 ",
  "npx @latchkey/cli ": "npx --yes @latchkey/cli ",
}

const words = (line: string): string[] => line.split(" ")

/** Lines that go on running: the provider of this machine, and the application. */
const isProvider = (line: string): boolean => line.startsWith("npx @latchkey/cli dev")
const isApplication = (line: string): boolean => /^(?:npm run dev|node .*\.js)$/.test(line)

export class Reader {
  private readonly parent = mkdtempSync(join(tmpdir(), "latchkey-reader-"))
  private readonly stops: (() => void)[] = []
  private readonly registry: Registry
  private readonly ports: { readonly application: number; readonly provider: number }
  private application: Application | undefined
  private startLine = ""
  /** Where the reader's terminal is. */
  folder: string = this.parent

  private constructor(registry: Registry, ports: { application: number; provider: number }) {
    this.registry = registry
    this.ports = ports
  }

  static async arrive(registry: Registry): Promise<Reader> {
    return new Reader(registry, { application: await freePort(), provider: await freePort({ inARow: 2 }) })
  }

  /** Where the application answers. */
  get origin(): string {
    return this.application?.origin ?? ""
  }

  private get env(): Record<string, string> {
    const issuer = `http://127.0.0.1:${this.ports.provider}`
    return { ...this.registry.env, npm_config_cache: this.registry.cache, AUTH_DEV_ISSUER: issuer }
  }

  async follow(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === "file") this.write(step.path, step.code)
      else await this.type(step.line)
    }
  }

  /** Types a line; answers what it printed. */
  async type(line: string): Promise<string> {
    if (isProvider(line)) await this.startProvider(line)
    else if (isApplication(line)) await this.startApplication(line)
    else if (line.startsWith("npm create hono@latest my-app ")) this.makeHono()
    else return this.execute(line)
    return ""
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), content)
  }

  /** Takes the variables of the provider of this machine out of a file, and puts others in their place. */
  exchangeVariables(path: string, lines: readonly string[]): void {
    const kept = readFileSync(join(this.folder, path), "utf8").replaceAll(/^AUTH_DEV_.*\n/gm, "")
    this.write(path, `${kept}${lines.join("\n")}\n`)
  }

  async startAgain(): Promise<void> {
    await this.startApplication(this.startLine)
  }

  leave(): void {
    this.application?.stop()
    for (const stop of this.stops) stop()
    rmSync(this.parent, { recursive: true, force: true })
  }

  /**
   * In a shell, whose folder is kept for the next line. Bash reads its start-up file also when it is given a socket for
   * input, as Node does: what that file starts on a machine has no part in the page.
   */
  private execute(line: string): string {
    const typed = Object.entries(pinned).reduce((text, [from, to]) => text.replaceAll(from, to), line)
    const place = join(this.parent, ".folder")
    const out = run(["bash", "--norc", "-c", `set -e\n${typed}\npwd > ${place}`], {
      folder: this.folder,
      env: this.env,
    })
    this.folder = readFileSync(place, "utf8").trim()
    return out
  }

  private async startProvider(line: string): Promise<void> {
    const isReady = (said: string): boolean => said.includes("Ctrl-C stops both")
    this.stops.push(
      await start(["npx", "--yes", ...words(line).slice(1)], { folder: this.folder, env: this.env, isReady }),
    )
  }

  private async startApplication(line: string): Promise<void> {
    this.application?.stop()
    this.startLine = line
    const { AUTH_DEV_ISSUER = "" } = this.env
    this.application = await startApplication(words(line), {
      folder: this.folder,
      port: this.ports.application,
      env: { AUTH_DEV_ISSUER },
    })
  }

  /** The tool of Hono downloads its template from elsewhere: one of ours takes its place. */
  private makeHono(): void {
    const folder = join(this.folder, "my-app")
    mkdirSync(folder)
    for (const [path, content] of Object.entries(hono)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    run(["npm", "install"], { folder })
  }
}
