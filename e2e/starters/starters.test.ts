/** From a fresh application to the first sign-in, by what the command line writes and starts. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import { express, next, type Starter, sveltekit } from "../../packages/cli/test/support/starters.js"
import { freePort } from "./shell.js"
import { signInAt } from "./visit.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const program = join(root, "packages/cli/dist/latchkey.js")
const bin = (name: string): string => join(root, "node_modules", name)

const folders: string[] = []
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function freshApplication(starter: Starter): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-starter-"))
  folders.push(folder)
  for (const [path, content] of Object.entries(starter)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  return folder
}

/** Variables of this process must not stand in for those that `.env` has to give. */
const clean: Record<string, string> = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" }

function run(folder: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...clean, ...env },
  })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

/** Starts a server and waits until it has said something that fits. */
function start(
  folder: string,
  { args, env, ready }: { args: string[]; env?: Record<string, string>; ready: RegExp },
): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...clean, ...env } })
  running.push(child)
  const said: string[] = []
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said.push(chunk.toString())
      if (ready.test(said.join(""))) resolve()
    }
    child.stdout.on("data", listen)
    child.stderr.on("data", listen)
    child.on("exit", () => reject(new Error(`It ended: ${said.join("")}`)))
  })
}

/** Sets the application up for a provider at a free port, and starts that provider. */
async function setUp(starter: Starter): Promise<string> {
  const folder = freshApplication(starter)
  const issuer = `http://127.0.0.1:${await freePort({ inARow: 2 })}`
  run(folder, [program, "init", "--yes", "--provider", "dev"], { AUTH_DEV_ISSUER: issuer })
  await start(folder, { args: [program, "dev"], ready: /Ctrl-C stops both/ })
  return folder
}

describe("a fresh application", () => {
  it.each<[string, Starter, string]>([
    ["Express", express, "github"],
    ["Next.js", next, "microsoft-entra-id"],
    ["Next.js", next, "dev"],
  ])("of %s gets code that its own TypeScript options accept", (_name, starter, provider) => {
    const folder = freshApplication(starter)
    run(folder, [program, "init", "--yes", "--provider", provider])
    expect(() => run(folder, [bin("typescript/bin/tsc"), "--noEmit", "-p", "."])).not.toThrow()
  })

  it("of Express signs a person in, and lets nobody else see the page", async () => {
    const folder = await setUp(express)
    run(folder, [bin("typescript/bin/tsc"), "-p", ".", "--outDir", "dist"])
    const port = await freePort()
    await start(folder, { args: ["dist/app.js"], env: { PORT: String(port) }, ready: /http:\/\/localhost/ })
    const origin = `http://localhost:${port}`
    expect((await fetch(origin)).url).toContain("/auth/signin")
    const { session, visit } = await signInAt(origin)
    expect(session).toMatchObject({ user: { name: "Ada Lovelace", email: "ada@op.example", id: expect.any(String) } })
    expect(JSON.parse((await visit(origin)).text)).toMatchObject({ user: { name: "Ada Lovelace" } })
    // What `npm install @latchkey/express` writes.
    const manifest = JSON.parse(express["package.json"] ?? "")
    manifest.dependencies["@latchkey/express"] = "0.0.0"
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
    expect(run(folder, [program, "doctor", "--online"])).toContain("No problems found.")
  })

  it("of SvelteKit gets code that svelte-check accepts", () => {
    const folder = freshApplication(sveltekit)
    run(folder, [program, "init", "--yes"])
    run(folder, [bin("@sveltejs/kit/svelte-kit.js"), "sync"])
    expect(run(folder, [bin("svelte-check/bin/svelte-check"), "--tsconfig", "./tsconfig.json"])).toContain(
      "0 errors and 0 warnings",
    )
  })
})
