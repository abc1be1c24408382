/** The guide's application runs: its blocks, put together in their order, are driven over HTTP. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Front, type Listener, serveDirectly } from "./support/proxy.js"
import { Visitor } from "./support/visitor.js"

const guide = readFileSync(new URL("../../../docs/guides/express.md", import.meta.url), "utf8")
const folder = fileURLToPath(new URL(".tmp", import.meta.url))
let front: Front
let file = ""

/** Imports may stand anywhere in the guide; in a module they stand first. */
function assemble(): string {
  const blocks = [...guide.matchAll(/^```js\n\/\/ app\.js\n(.*?)^```$/gms)].map(([, code = ""]) => code)
  const lines = blocks.join("\n").split("\n")
  const isImport = (line: string): boolean => line.startsWith("import ")
  return [...lines.filter(isImport), ...lines.filter((line) => !isImport(line))].join("\n")
}

/** What the guide leaves to the environment and to the reader: the secret, and who has which password. */
function complete(code: string): string {
  const credentials = `{ id: "credentials", type: "credentials", credentials: {}, authorize: ({ password }) => (password === "right" ? { id: "1", name: "Ada" } : null) }`
  const github = `GitHub({ clientId: "c", clientSecret: "s" })`
  const settings = `secret: "0123456789abcdef0123456789abcdef", trustHost: true, logger: { error() {}, warn() {}, debug() {} }`
  return code.replace("{ providers: [GitHub],", `{ providers: [${github}, ${credentials}], ${settings},`)
}

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  file = join(mkdtempSync(join(folder, "guide-")), "app.mjs")
  writeFileSync(file, complete(assemble()))
  const { app } = (await import(file)) as { app: Listener }
  front = await serveDirectly(app)
}, 60_000)

afterAll(() => {
  front?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe("the guide's application", () => {
  it("guards its pages, signs in and out from its routes, and offers the providers", async () => {
    const visitor = new Visitor({ front, host: "app.test", headers: { "sec-fetch-site": "same-origin" } })
    expect((await visitor.ask("/")).text).toBe("Hello, stranger")
    expect((await visitor.ask("/inside")).headers.location).toContain("/auth/signin?error=SessionRequired")
    expect((await visitor.ask("/api/me")).status).toBe(401)
    expect((await visitor.ask("/login", { json: { password: "wrong" } })).text).toBe('{"code":"credentials"}')
    const entered = await visitor.ask("/login", { json: { password: "right" } })
    expect(entered.headers.location).toBe("http://app.test/inside")
    expect((await visitor.ask("/")).text).toBe("Hello, Ada")
    expect((await visitor.ask("/name", { json: { name: "Grace" } })).status).toBe(200)
    expect((await visitor.ask("/logout", { method: "POST" })).headers.location).toBe("http://app.test/")
    expect((await visitor.ask("/api/me")).status).toBe(401)
    expect(await visitor.json("/auth/providers")).toHaveProperty(["github", "callbackUrl"])
  })
})
