/** A new endpoint is one row and one file: both are added to a copy of the sources, and the copy is asked. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const sources = join(root, "packages/core/src")

const row = (action: string, columns: string): string =>
  `  { action: "${action}", ${columns}, spends: "nothing", limit: "nothing", act: "${action}" },\n`

/** What a developer writes for one endpoint. */
const added = {
  whoami: {
    row: row("whoami", 'method: "GET", kinds: ["none", "credentials"], csrf: false, audience: "script"'),
    file: `import type { Context } from "../context/context.js"
import { json, type Result } from "../http/result.js"

export async function whoami({ incoming, provider }: Context): Promise<Result> {
  if ("fail" in incoming.query) throw new Error("a fault")
  return json({ at: incoming.origin, provider: provider?.id })
}
`,
  },
  forget: {
    row: row("forget", 'method: "POST", kinds: ["none"], csrf: true, audience: "browser"'),
    file: `import type { Context } from "../context/context.js"
import { type Result, redirect } from "../http/result.js"

export async function forget({ incoming }: Context): Promise<Result> {
  return redirect(incoming.origin + "/forgotten")
}
`,
  },
}

let copy: string
let core: typeof import("../../src/index.js")
let auth: import("../../src/engine/public.js").AuthService

beforeAll(async () => {
  // Beside the sources, so that the libraries of the package are found.
  const folder = join(root, "packages/core/.tmp")
  mkdirSync(folder, { recursive: true })
  copy = mkdtempSync(join(folder, "new-endpoint-"))
  cpSync(sources, copy, { recursive: true, filter: (path) => !/\.test(-d)?\.ts$/.test(path) })
  for (const [action, { row, file }] of Object.entries(added)) {
    const endpoints = join(copy, "http/endpoints.ts")
    writeFileSync(
      endpoints,
      readFileSync(endpoints, "utf8").replace("const rows = [\n", (start) => start + row),
    )
    writeFileSync(join(copy, `actions/${action}.ts`), file)
  }
  execFileSync(process.execPath, [join(root, "tools/endpoints.mjs"), "--source", copy])
  core = await import(pathToFileURL(join(copy, "index.ts")).href)
  const authorize = () => null
  auth = core.createAuth({
    providers: [{ id: "password", name: "Password", type: "credentials", credentials: {}, authorize }],
    secret: "a secret for tests with 32 chars or more",
    logger: { error: () => undefined, warn: () => undefined },
    trustHost: true,
  })
}, 60_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const send = (path: string, init: RequestInit = {}): Promise<Response> =>
  auth.handle(new Request(`https://app.test${path}`, { redirect: "manual", ...init }))

describe("an endpoint that is added", () => {
  it("is served, also for the provider its row allows", async () => {
    expect(await (await send("/auth/whoami")).json()).toEqual({ at: "https://app.test" })
    expect(await (await send("/auth/whoami/password")).json()).toEqual({ at: "https://app.test", provider: "password" })
    expect((await send("/auth/whoami", { method: "HEAD" })).status).toBe(200)
  })

  it("names its methods, and refuses others", async () => {
    const refused = await send("/auth/whoami", { method: "POST" })
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    const posted = await send("/auth/forget")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "POST"])
    expect((await send("/auth/forget", { method: "PUT" })).headers.get("allow")).toBe("POST")
  })

  it("is refused for a provider that its row does not name", async () => {
    expect((await send("/auth/forget/password", { method: "POST" })).status).toBe(404)
  })

  it("is an action, and its paths are the service's own", () => {
    expect(["whoami", "forget", "unknown"].map(core.isAuthAction)).toEqual([true, true, false])
    expect(["/auth/whoami", "/auth/forget/x", "/auth/unknown"].map(auth.isOwn)).toEqual([true, true, false])
  })

  it("answers a failure in the format of its audience", async () => {
    const failed = await send("/auth/whoami?fail", { headers: { accept: "application/json" } })
    expect([failed.status, failed.headers.get("content-type")]).toEqual([500, "application/json"])
  })

  it("asks for the CSRF token where its row says so", async () => {
    const { location } = headersOf(await send("/auth/forget", { method: "POST" }))
    expect(location).toBe("https://app.test/auth/signin?error=Signin")
    const handedOut = await send("/auth/csrf")
    const { csrfToken } = (await handedOut.json()) as { csrfToken: string }
    const cookie = handedOut.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const answer = await send("/auth/forget", {
      method: "POST",
      headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken }).toString(),
    })
    expect(headersOf(answer).location).toBe("https://app.test/forgotten")
  })
})

const headersOf = ({ headers }: Response): { readonly location: string | null } => ({
  location: headers.get("location"),
})
