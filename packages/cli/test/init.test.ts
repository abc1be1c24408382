/** `latchkey init` in fresh applications, and in those that have something already. */
import { execFile, execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parse } from "dotenv"
import { afterEach, describe, expect, it } from "vitest"
import { isIgnored } from "../src/init/secrets.js"
import { type Outcome, runIn, type Surroundings } from "./support/project.js"
import { express, expressCommonJs, hono, next, type Starter, sveltekit } from "./support/starters.js"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Application {
  readonly folder: string
  init(args?: readonly string[], surroundings?: Surroundings): Promise<Outcome>
  read(path: string): string
  has(path: string): boolean
}

function applicationOf(starter: Starter): Application {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-init-"))
  folders.push(folder)
  for (const [path, content] of Object.entries(starter)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return {
    folder,
    init: (args = ["--yes"], surroundings = {}) => runIn(folder, ["init", ...args], surroundings),
    read: (path) => readFileSync(join(folder, path), "utf8"),
    has: (path) => existsSync(join(folder, path)),
  }
}

describe("latchkey init", () => {
  it("reads a package.json with a byte order mark, as npm does", async () => {
    const application = applicationOf({
      "package.json": `\uFEFF${JSON.stringify({ dependencies: { express: "^5" } })}`,
    })
    const { out, err } = await application.init([])
    expect(`${out}${err}`).toContain("Express, JavaScript, npm.")
  })

  it.each(["package.json", "tsconfig.json"])("refuses a pipe in the place of %s by name", async (name) => {
    const { folder } = applicationOf(name === "package.json" ? {} : { "package.json": "{}" })
    execFileSync("mkfifo", [join(folder, name)])
    // In a thread of its own nothing could end the wait, so a writer ends it.
    const writer = execFile("sh", ["-c", 'sleep 2; : > "$0"', join(folder, name)])
    const { code, err } = await runIn(folder, ["init", "--yes"])
    writer.kill()
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(
        `Cannot read ${join(folder, name)}: it is a pipe or a device, and a file is expected.`,
      ),
    })
  })

  it.each<[string, Starter, string, string[], string]>([
    [
      "Express",
      express,
      "Express, TypeScript, npm.",
      ["auth.ts", "app.ts", ".env", ".gitignore"],
      "npm install @latchkey/express",
    ],
    [
      "Express in CommonJS",
      expressCommonJs,
      "Express, JavaScript, npm.",
      ["auth.js", "server.js", ".env"],
      "npm run start",
    ],
    [
      "SvelteKit",
      sveltekit,
      "SvelteKit, TypeScript, npm.",
      ["src/auth.ts", "src/hooks.server.ts", "src/routes/+layout.server.ts", ".env"],
      "http://localhost:5173/auth/signin",
    ],
    [
      "Next.js",
      next,
      "Next.js, TypeScript, pnpm.",
      ["auth.ts", "app/api/auth/[...auth]/route.ts", "proxy.ts", ".env.local"],
      "pnpm add -D @latchkey/cli @latchkey/testing          (@latchkey/cli checks the configuration in development)",
    ],
    ["Hono", hono, "Hono, TypeScript, npm.", ["src/auth.ts", "src/index.ts", ".env"], "npx @latchkey/cli dev"],
  ])("recognises %s, and writes what it has shown", async (_name, starter, recognised, paths, step) => {
    const application = applicationOf(starter)
    const { code, out } = await application.init()
    expect(code).toBe(0)
    expect(out).toContain(recognised)
    expect(out).toContain(step)
    const announced = [...out.matchAll(/^(?:New file|Change in) (.*)$/gm)].map(([, path]) => path)
    expect(announced).toEqual(paths)
    for (const path of paths) expect(application.has(path)).toBe(true)
  })

  it.each<[string, Starter, string]>([
    ["Express", express, "@latchkey/express"],
    ["Express in CommonJS", expressCommonJs, "@latchkey/express"],
    ["SvelteKit", sveltekit, "@latchkey/sveltekit"],
    ["Next.js", next, "@latchkey/next"],
    ["Hono", hono, "@latchkey/hono"],
  ])("writes for %s what the doctor finds nothing wrong with", async (_name, starter, name) => {
    const application = applicationOf(starter)
    await application.init()
    const manifest = JSON.parse(application.read("package.json"))
    manifest.dependencies = { ...manifest.dependencies, [name]: "0.0.0" }
    writeFileSync(join(application.folder, "package.json"), JSON.stringify(manifest))
    const { code, out } = await runIn(application.folder, ["doctor", "--json"])
    const { findings, callbacks } = JSON.parse(out)
    expect({ code, findings }).toEqual({ code: 0, findings: [] })
    expect(callbacks).toMatchObject([{ provider: "dev", url: expect.stringMatching(/\/auth\/callback\/dev$/) }])
  })

  it("mounts the service behind the line that makes the application, and imports it behind the others", async () => {
    const application = applicationOf(expressCommonJs)
    await application.init()
    expect(application.read("server.js")).toBe(`const express = require("express")
const path = require("node:path")
const { auth } = require("./auth.js")

const app = express()
app.use("/auth", auth)
app.get("/", (req, res) => res.sendFile(path.resolve("index.html")))
module.exports = { app }
`)
    expect(application.read("auth.js")).toContain('const { ExpressAuth } = require("@latchkey/express")')
    const inHono = applicationOf(hono)
    await inHono.init()
    expect(inHono.read("src/index.ts")).toContain(`const app = new Hono()\napp.use("/auth/*", auth)\n`)
    expect(inHono.read("src/index.ts")).toContain(`import { Hono } from 'hono'\nimport { auth } from "./auth.js"\n`)
  })

  it.each([
    { main: "../app.js" },
    { main: "./src/../../app.js" },
    { scripts: { start: "node ../app.js" } },
    { scripts: { dev: "cd x; node ./../app.js" } },
  ])("changes no file of another project that a manifest names: %j", async (named) => {
    const foreign = 'import express from "express"\nconst app = express()\n'
    const around = applicationOf({ "app.js": foreign })
    const folder = join(around.folder, "inner")
    mkdirSync(folder)
    const manifest = { name: "inner", type: "module", dependencies: { express: "^5.3.0" }, ...named }
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
    expect(await runIn(folder, ["init", "--yes"], {})).toMatchObject({ code: 0 })
    expect(around.read("app.js")).toBe(foreign)
    expect(around.has("inner/auth.js")).toBe(true)
  })

  it("writes CommonJS for a Hono application in CommonJS", async () => {
    const { "package.json": manifest } = hono
    const application = applicationOf({
      "package.json": JSON.stringify({ ...JSON.parse(manifest ?? ""), type: "commonjs" }),
      "index.js": 'const { Hono } = require("hono")\n\nconst app = new Hono()\n',
    })
    await application.init()
    expect(application.read("index.js")).toBe(
      'const { Hono } = require("hono")\nconst { auth } = require("./auth.js")\n\nconst app = new Hono()\napp.use("/auth/*", auth)\n',
    )
    expect(application.read("auth.js")).toContain('const { HonoAuth } = require("@latchkey/hono")')
    expect(application.read("auth.js")).toContain("module.exports = { auth, config }")
  })

  it("writes a secret of its own into .env, readable for its owner alone, and shows none", async () => {
    const application = applicationOf(express)
    const { out } = await application.init()
    const values = parse(application.read(".env"))
    expect(values).toEqual({
      AUTH_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
      AUTH_DEV_ID: "latchkey-dev",
      AUTH_DEV_SECRET: expect.stringMatching(/^[\w-]{43}$/),
      AUTH_DEV_ISSUER: "http://127.0.0.1:4400",
    })
    expect(statSync(join(application.folder, ".env")).mode & 0o777).toBe(0o600)
    expect(out).not.toContain(values["AUTH_SECRET"])
    expect(out).not.toContain(values["AUTH_DEV_SECRET"])
    expect(application.read(".gitignore")).toBe("node_modules\n.env\n")
  })

  it("says of a file that others may read how to keep them out, and leaves its mode", async () => {
    const application = applicationOf({ ...express, ".env": "OTHER=1\n" })
    chmodSync(join(application.folder, ".env"), 0o644)
    const { out } = await application.init()
    expect(out).toContain("chmod 600 .env          (others on this machine may read it, and it has secrets)")
    expect(statSync(join(application.folder, ".env")).mode & 0o777).toBe(0o644)
    expect((await applicationOf(express).init()).out).not.toContain("chmod")
  })

  it.each([
    "DATABASE_URL=mysql://u:hunter2@h/d",
    "export SMTP = smtp://u:hunter2@h",
    "# SMTP=hunter2",
    'KEY="one\nhunter2="',
  ])("shows no value of a line that was there: %j", { tags: ["threat:A-012"] }, async (line) => {
    const application = applicationOf({ ...express, ".env": `AUTH_DEV_ID=\n${line}` })
    const { out } = await application.init(["--dry-run"])
    expect(out).toContain("AUTH_DEV_ID=latchkey-dev")
    expect(out).not.toContain("hunter2")
    expect(out).toMatch(/^ {4}(?:DATABASE_URL=|export SMTP =)?…\n {2}\+ AUTH_SECRET=…$/m)
  })

  it.each([
    "AUTH_SECRET=\r\nA=1\r\n",
    "A=1\r\nAUTH_SECRET=\r\n",
    "A=1\rAUTH_SECRET=\rB=1\r",
    "AUTH_SECRET=\r",
    "export AUTH_SECRET=\n",
    "AUTH_SECRET: \n",
  ])("does not show the secret it writes into %j", { tags: ["threat:A-012"] }, async (lines) => {
    const application = applicationOf({ ...express, ".env": lines })
    const { out } = await application.init(["--yes"])
    const secret = parse(application.read(".env") ?? "").AUTH_SECRET ?? ""
    expect(secret).toMatch(/^.{40,}$/)
    expect(out).toMatch(/^ {2}\+ (?:export )?AUTH_SECRET(?:=|: )…$/m)
    expect(out).not.toContain(secret)
  })

  it.each([
    ".env",
    ".env  ",
    ".env\r",
    ".env \r",
    "\ufeff.env",
    "\\.env",
    "*.env",
    ".en?",
    ".env\n !.env",
    ".env\t",
    ".env\u00a0",
    " .env",
    "\t.env",
    ".env\\ ",
    ".env\\  ",
    ".env\\t",
    "e.env\\",
    "# .env",
    ".env\n!.env ",
    ".env\n!\\.env",
    ".env*\n!**/.env",
    ".env*\n!.en[v]",
    "*\n!.[a-z]*",
    "-env",
  ])("reads a line of .gitignore as git does: %j", (lines) => {
    const { folder } = applicationOf({ ".gitignore": `${lines}\n` })
    execFileSync("git", ["init", "-q"], { cwd: folder })
    const { status } = spawnSync("git", ["check-ignore", "-q", "--no-index", ".env"], { cwd: folder })
    expect(isIgnored(`${lines}\n`, ".env")).toBe(status === 0)
  })

  it("reads a line of .gitignore in time that grows with it", { tags: ["threat:AL-01"] }, () => {
    const start = performance.now()
    expect(isIgnored(`.env${" ".repeat(200_000)}x`, ".env")).toBe(false)
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it("names the variables of a provider, and where it is registered with which address", async () => {
    const application = applicationOf(sveltekit)
    const { out } = await application.init(["--yes", "--provider", "github"])
    expect(application.read("src/auth.ts")).toContain(
      "// Register at https://github.com/settings/developers with the callback address http://localhost:5173/auth/callback/github\n    GitHub,",
    )
    expect(application.read(".env")).toMatch(/^AUTH_GITHUB_ID=$/m)
    expect(out).toContain("Fill in AUTH_GITHUB_ID in .env, AUTH_GITHUB_SECRET in .env")
    const keycloak = applicationOf(sveltekit)
    await keycloak.init(["--yes", "--provider", "keycloak"])
    expect(keycloak.read(".env")).toMatch(/^AUTH_KEYCLOAK_ISSUER=$/m)
  })

  it("changes no file and no variable that is there, and says what is left", async () => {
    const own = "// mine\n"
    const application = applicationOf({
      ...sveltekit,
      "src/hooks.server.ts": own,
      ".env": "AUTH_SECRET=precious\nAUTH_DEV_ID=\nOTHER=1",
    })
    const { code, out } = await application.init()
    expect(code).toBe(0)
    expect(application.read("src/hooks.server.ts")).toBe(own)
    expect(application.read(".env")).toMatch(
      /^AUTH_SECRET=precious\nAUTH_DEV_ID=latchkey-dev\nOTHER=1\nAUTH_DEV_SECRET=/,
    )
    expect(out).toContain("src/hooks.server.ts is there already and was not changed.")
    expect(out).not.toContain("precious")
  })

  it("has nothing to write the second time", async () => {
    const application = applicationOf(next)
    await application.init()
    const before = readdirSync(application.folder).map((name) => [
      name,
      statSync(join(application.folder, name)).mtimeMs,
    ])
    const { code, out } = await application.init()
    expect(code).toBe(0)
    expect(out).not.toMatch(/^(?:New file|Change in)/m)
    expect(
      readdirSync(application.folder).map((name) => [name, statSync(join(application.folder, name)).mtimeMs]),
    ).toEqual(before)
  })

  it.each<[string, string[], Surroundings, number, string]>([
    ["--dry-run", ["--dry-run"], {}, 0, "Nothing was written."],
    ["a person who says no", ["--provider", "dev"], { answers: ["no"] }, 1, "Nothing was written."],
    ["nobody to ask", [], {}, 1, "Nothing was written: nobody can be asked here."],
    ["--json", ["--json"], {}, 0, '"framework": "express"'],
  ])("writes nothing for %s", async (_name, args, surroundings, code, message) => {
    const application = applicationOf(express)
    const outcome = await application.init(args, surroundings)
    expect(outcome.code).toBe(code)
    expect(outcome.out + outcome.err).toContain(message)
    expect(readdirSync(application.folder).toSorted()).toEqual(["package.json", "tsconfig.json"])
  })

  it("asks for what it does not know", async () => {
    const manifest = JSON.stringify({ dependencies: { express: "^5", hono: "^4" } })
    const application = applicationOf({ "package.json": manifest })
    const { code, err } = await application.init([], { answers: ["express", "google", "y"] })
    expect(code).toBe(0)
    expect(err).toContain("Which framework? (hono, express)")
    expect(err).toContain("First provider")
    expect(application.read("auth.js")).toContain('require("@latchkey/express/providers/google")')
  })

  it.each<[string, Starter, string[], string, number]>([
    ["a folder without package.json", {}, [], "There is no package.json", 1],
    ["a package.json that is not JSON", { "package.json": "{" }, [], "is not JSON", 1],
    ["no framework", { "package.json": "{}" }, [], "Name one with --framework", 2],
    ["a misspelt provider", express, ["--provider", "gihub"], 'Did you mean "github"?', 2],
    ["a provider that needs code", express, ["--provider", "credentials"], "docs/providers/credentials.md", 2],
    ["a provider that has ended", express, ["--provider", "azure-devops"], "cannot be used any more", 2],
    ["the Pages Router", { ...next, "app/page.tsx": "" }, ["--framework", "remix"], "Allowed choices are express", 2],
  ])("refuses %s", async (_name, starter, args, message, code) => {
    const outcome = await applicationOf(starter).init(["--yes", ...args])
    expect(outcome.code).toBe(code)
    expect(outcome.err).toContain(message)
  })
})
