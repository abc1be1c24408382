/**
 * What a new user does, in an empty folder, with packages from a registry, by nothing but what the tools print: the first
 * sign-in, a role in the session, a page for administrators, and a test of it. Then a mistake, which the application reports.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { hono } from "../../packages/cli/test/support/starters.js"
import { startApplication } from "./application.js"
import { openRegistry, type Registry } from "./registry.js"
import { freePort, run, start } from "./shell.js"
import { signInAt } from "./visit.js"

let registry: Registry
beforeAll(async () => {
  registry = await openRegistry()
})
afterAll(() => registry?.close())

const stops: (() => void)[] = []
const folders: string[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const words = (line: string): string[] => line.split(" ")

/**
 * Fresh applications, made by the tools of their frameworks, and what checks their types; the tool of Hono downloads its
 * template, so that one of ours takes its place.
 */
const starters: readonly (readonly [name: string, check: string, make: (folder: string) => void])[] = [
  [
    "Express in TypeScript",
    "npx tsc --noEmit",
    (folder) => {
      run(words("npm init -y --init-type=module"), { folder })
      run(words("npm install express"), { folder })
      run(words("npm install --save-dev typescript@6 tsx @types/express @types/node@20"), { folder })
      run(words("npx tsc --init"), { folder })
    },
  ],
  [
    "SvelteKit",
    "npm run check",
    (folder) => {
      run(
        words("npx --yes sv@0.17.1 create . --template minimal --types ts --no-add-ons --no-dir-check --install npm"),
        { folder },
      )
    },
  ],
  [
    "Next.js",
    "npx tsc --noEmit",
    (folder) => {
      run(
        words(
          "npx --yes create-next-app@16.4.3 . --empty --ts --app --no-tailwind --no-src-dir --no-linter --use-npm --yes --disable-git",
        ),
        {
          folder,
        },
      )
    },
  ],
  [
    "Hono",
    "npx tsc --noEmit",
    (folder) => {
      for (const [path, content] of Object.entries(hono)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), content)
      }
      run(words("npm install"), { folder })
    },
  ],
]

/** The numbered steps that a command prints last, without remarks. */
function stepsIn(out: string): string[] {
  const list = out.slice(out.lastIndexOf("\nNext:\n"))
  return [...list.matchAll(/^ {2}\d+\. (.*?)(?: {10}\(.*\))?$/gm)].map(([, step = ""]) => step)
}

/** Somebody who does what is printed, step after step. */
class NewUser {
  readonly folder: string
  /** What was not a command: the test looks at it. */
  readonly notes: string[] = []
  origin = ""
  /** What the application has printed since it was started. */
  printed = (): string => ""
  private stopApplication = (): void => undefined
  private startStep = ""
  private readonly ports: { readonly application: number; readonly provider: number }

  constructor(ports: { application: number; provider: number }) {
    this.ports = ports
    const parent = mkdtempSync(join(tmpdir(), "latchkey-new-"))
    folders.push(parent)
    this.folder = join(parent, "my-app")
    mkdirSync(this.folder)
  }

  /** Types a command of ours; a question of npx is answered with yes. */
  latchkey(args: string): string {
    const env = {
      ...registry.env,
      npm_config_cache: registry.cache,
      AUTH_DEV_ISSUER: `http://127.0.0.1:${this.ports.provider}`,
    }
    return run(["npx", "--yes", "@latchkey/cli", ...words(args)], { folder: this.folder, env })
  }

  async follow(steps: readonly string[]): Promise<void> {
    for (const step of steps) await this.take(step)
  }

  private async take(step: string): Promise<void> {
    const { folder } = this
    if (step === "npx @latchkey/cli dev") {
      const env = { ...registry.env, npm_config_cache: registry.cache }
      const isReady = (said: string): boolean => said.includes("Ctrl-C stops both")
      stops.push(await start(["npx", "--yes", ...words(step).slice(1)], { folder, env, isReady }))
    } else if (step.startsWith("npx @latchkey/cli ")) {
      await this.follow(stepsIn(`\n${this.latchkey(`${step.slice("npx @latchkey/cli ".length)} --yes`)}`))
    } else if (/^npm install /.test(step)) run(words(step), { folder, env: registry.env })
    else if (step === "npx vitest run") run(words(step), { folder, env: { APP_URL: this.origin } })
    else if (/^(?:npm run|npx tsx|node) /.test(step)) await this.startApplication(step)
    else if (step.startsWith("Start the application again")) await this.startApplication(this.startStep)
    else this.notes.push(step)
  }

  /** A variable that nothing reads is added, and the application started in development, which only some of them say. */
  async makeMistake(): Promise<void> {
    const file = [".env.local", ".env"].map((name) => join(this.folder, name)).find((path) => existsSync(path)) ?? ""
    appendFileSync(file, "NEXTAUTH_URL=http://localhost:3000\n")
    await this.startApplication(this.startStep, { NODE_ENV: "development" })
  }

  private async startApplication(step: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.stopApplication()
    const { folder, ports } = this
    const application = await startApplication(words(step), { folder, port: ports.application, env })
    this.origin = application.origin
    this.printed = application.said
    this.stopApplication = application.stop
    this.startStep = step
    stops.push(this.stopApplication)
  }
}

it.each(starters)("%s: from an empty folder to a tested page for administrators", async (_name, check, make) => {
  const user = new NewUser({ application: await freePort(), provider: await freePort({ inARow: 2 }) })
  make(user.folder)
  await user.follow(stepsIn(user.latchkey("init --yes")))
  const address = user.notes.find((note) => note.startsWith("Open "))?.slice("Open ".length) ?? ""
  const { session, visit } = await signInAt(user.origin, new URL(address).pathname.replace(/\/signin$/, ""))
  expect(session).toMatchObject({ user: { name: "Ada Lovelace", email: "ada@op.example", role: "admin" } })
  expect((await visit(`${user.origin}/admin`)).text).toMatch(/For administrators: hello, Ada Lovelace/)
  // The test that was written has passed: `npx vitest run` is the last of the printed steps.
  run(words(check), { folder: user.folder })
  expect(user.latchkey("doctor")).toContain("No problems found.")
  expect(user.printed()).not.toContain("doctor-finding")

  await user.makeMistake()
  await visit(`${user.origin}/admin`)
  await expect.poll(user.printed, { timeout: 30_000 }).toContain("Did you mean AUTH_URL?")
  expect(user.printed().split("[doctor-finding]")).toHaveLength(2)
})
