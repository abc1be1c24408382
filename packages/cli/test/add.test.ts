/** `latchkey add` in applications that `init` has set up. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { type Outcome, runIn, type Surroundings } from "./support/project.js"
import { express, expressCommonJs, hono, next, type Starter, sveltekit } from "./support/starters.js"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Application {
  add(args: string, surroundings?: Surroundings): Promise<Outcome>
  read(path: string): string
  has(path: string): boolean
  write(path: string, content: string): void
}

/** A fresh application after `init`. */
async function applicationOf(starter: Starter): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-add-"))
  folders.push(folder)
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const [path, content] of Object.entries(starter)) write(path, content)
  await runIn(folder, ["init", "--yes"])
  return {
    add: (args, surroundings = {}) => runIn(folder, ["add", ...args.split(" ")], surroundings),
    read: (path) => readFileSync(join(folder, path), "utf8"),
    has: (path) => existsSync(join(folder, path)),
    write,
  }
}

describe("latchkey add", () => {
  it.each<[string, Starter, string]>([
    ["Express", express, "auth.ts"],
    ["Express in CommonJS", expressCommonJs, "auth.js"],
    ["SvelteKit", sveltekit, "src/auth.ts"],
    ["Next.js", next, "auth.ts"],
    ["Hono", hono, "src/auth.ts"],
  ])("role: puts the callback behind the providers, in %s", async (_name, starter, path) => {
    const application = await applicationOf(starter)
    const { code, out } = await application.add("role --yes")
    expect(code).toBe(0)
    expect(out).toContain("npx @latchkey/cli add page")
    expect(application.read(path)).toMatch(
      /^ {2}providers: [\s\S]*?\],\n {2}callbacks: \{\n[\s\S]*role \} \}\n {4}\},\n {2}\},\n/m,
    )
    // Whoever can claim an address would be an administrator by it.
    expect(application.read(path)).not.toMatch(/@op\.example|email/)
    const before = application.read(path)
    const again = await application.add("role --yes")
    expect(again.code).toBe(0)
    expect(again.out).toContain(`Left to you: Put this into the configuration in ${path}:`)
    expect(application.read(path)).toBe(before)
  })

  it("role: asks who administrates each time, so that whoever is taken out of the list loses the role", async () => {
    const application = await applicationOf(express)
    await application.add("role --yes")
    const callbacks = /^ {2}callbacks: (\{\n[\s\S]*?^ {2}\}),$/m.exec(application.read("auth.ts"))?.[1] ?? ""
    const written = (code: string): Record<"jwt" | "session", (given: object) => unknown> =>
      new Function(`return ${code}`)()
    const token = written(callbacks).jwt({ token: {}, account: { provider: "dev", providerAccountId: "ada" } })
    const roleIn = (code: string): unknown => written(code).session({ session: { user: { name: "Ada" } }, token })
    expect(roleIn(callbacks)).toEqual({ user: { name: "Ada", role: "admin" } })
    expect(callbacks).toContain('["dev ada"]')
    expect(roleIn(callbacks.replace('["dev ada"]', "[]"))).toEqual({ user: { name: "Ada", role: "member" } })
  })

  it("role: writes nothing where sessions show a role of the users", async () => {
    const application = await applicationOf(next)
    const shown = application.read("auth.ts").replace('expose: ["id"]', 'expose: ["id", "role"]')
    application.write("auth.ts", shown)
    const { code, out } = await application.add("role --yes")
    expect({ code, out }).toEqual({ code: 0, out: "Nothing to do: it is there already.\n" })
    expect(application.read("auth.ts")).toBe(shown)
  })

  it.each<[string, Starter, string[], string]>([
    ["Express", express, ["app.ts"], 'app.get("/admin", auth.require('],
    ["Hono", hono, ["src/index.ts"], 'app.get("/admin", auth.require('],
    [
      "SvelteKit",
      sveltekit,
      ["src/routes/admin/+page.server.ts", "src/routes/admin/+page.svelte"],
      'auth.require(event, { redirectTo: "/auth/signin" })',
    ],
    ["Next.js", next, ["app/admin/page.tsx"], 'redirect("/api/auth/signin'],
  ])("page: writes one for administrators, in %s, and only once", async (_name, starter, paths, text) => {
    const application = await applicationOf(starter)
    expect((await application.add("page --yes")).code).toBe(0)
    const [first = ""] = paths
    expect(application.read(first)).toContain(text)
    for (const path of paths) expect(application.has(path)).toBe(true)
    const before = application.read(first)
    expect(await application.add("page --yes")).toEqual({
      code: 0,
      out: "Nothing to do: it is there already.\n",
      err: "",
    })
    expect(application.read(first)).toBe(before)
  })

  it("page: leaves it to the person where the service is mounted in another way", async () => {
    const application = await applicationOf(express)
    application.write("app.ts", 'import { auth } from "./auth.js"\nrouter.use(auth)\n')
    const { code, out } = await application.add("page --yes")
    expect(code).toBe(0)
    expect(out).toContain('Left to you: Put this behind the line that mounts the service:\n\napp.get("/admin"')
  })

  it.each<[string, Starter, string, string, string]>([
    [
      "Express",
      express,
      "admin.test.ts",
      'from "./auth.js"',
      "npm install --save-dev @latchkey/testing vitest @types/node",
    ],
    [
      "SvelteKit",
      sveltekit,
      "src/admin.test.ts",
      '/// <reference types="node" />',
      "npm install --save-dev @latchkey/testing vitest @types/node",
    ],
    ["Next.js", next, "admin.test.ts", 'loadEnvFile(".env.local")', "pnpm add -D @latchkey/testing vitest"],
  ])("test: writes one that signs people in, in %s", async (_name, starter, path, text, step) => {
    const application = await applicationOf(starter)
    const { code, out } = await application.add("test --yes")
    expect(code).toBe(0)
    expect(out).toContain(step)
    expect(application.read(path)).toContain(text)
    expect(application.read(path)).toMatch(/signInAs\(config, .*provider: "dev", account/)
  })

  it("shows what it would write, and writes nothing without a yes", async () => {
    const application = await applicationOf(next)
    expect((await application.add("page --dry-run")).out).toMatch(
      /^New file app\/admin\/page.tsx\n[\s\S]*Nothing was written\.\n$/,
    )
    const refused = await application.add("page", { answers: ["n"] })
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was written.") })
    const unasked = await application.add("page")
    expect(unasked).toMatchObject({ code: 1, err: expect.stringContaining("Add --yes to write") })
    expect(JSON.parse((await application.add("page --json")).out)).toMatchObject({
      changes: [{ path: "app/admin/page.tsx" }],
    })
    expect(application.has("app/admin/page.tsx")).toBe(false)
    expect((await application.add("page", { answers: [""] })).code).toBe(0)
    expect(application.has("app/admin/page.tsx")).toBe(true)
  })

  it("says what can be added, and what comes before", async () => {
    const application = await applicationOf(hono)
    expect(await application.add("user")).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected role, page or test, received "user".'),
    })
    const folder = mkdtempSync(join(tmpdir(), "latchkey-add-"))
    folders.push(folder)
    writeFileSync(join(folder, "package.json"), '{ "dependencies": { "express": "5" } }')
    expect(await runIn(folder, ["add", "role"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Run: npx @latchkey/cli init"),
    })
  })
})
