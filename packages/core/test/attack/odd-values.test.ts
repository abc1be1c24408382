/** Values that no JSON holds, from callbacks, and headers that no browser sends: they come to nothing, and cost nothing. */
import { describe, expect, it } from "vitest"
import type { AuthConfig } from "../../src/types/config.js"
import { makeWorld } from "../support/world.js"

const odd = { call: () => "called", symbol: Symbol("secret"), none: undefined, [Symbol("key")]: 1 }

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it("functions and symbols that callbacks return are left out of the session and of the token", {
    tags: ["threat:PP-18"],
  }, async () => {
    const callbacks = {
      jwt: ({ token }: { token: object }) => ({ ...token, ...odd }),
      session: ({ session }: { session: { user?: object } }) => ({
        ...session,
        user: { ...session.user, ...odd },
        ...odd,
      }),
    } as unknown as NonNullable<AuthConfig["callbacks"]>
    const world = await makeWorld({ strategy, config: { callbacks } })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    for (const _ of ["first", "second"]) {
      const { status, text } = await browser.get("/auth/session")
      const session = JSON.parse(text) as { user: object }
      expect(status).toBe(200)
      expect(session.user).toMatchObject({ email: "ada@app.test" })
      for (const name of ["call", "symbol", "none"]) {
        expect(session).not.toHaveProperty(name)
        expect(session.user).not.toHaveProperty(name)
      }
      expect(text).not.toMatch(/called|secret|Symbol/)
    }
  })
})

/** What came of it, and how many seconds of the processor that took. */
async function costOf<T>(work: () => Promise<T>): Promise<{ readonly cost: number; readonly visit: T }> {
  const before = process.cpuUsage()
  const visit = await work()
  const { user, system } = process.cpuUsage(before)
  return { cost: (user + system) / 1_000_000, visit }
}

const long = (piece: string): string => piece.repeat(60_000 / piece.length)

it.each(["*/*;q=0.1, ", ";q=", "text/", "a-", ",", " , ;", "en;q=0.", "\t"])(
  "60 KB of %j in headers that are negotiated take no time",
  { tags: ["threat:CT-24"] },
  async (piece) => {
    const world = await makeWorld({ config: { language: ["en", "de", "fr"] } })
    const headers = { accept: `${long(piece)}x,text/html`, "accept-language": `${long(piece)}x` }
    const browser = world.browser()
    // The second is refused, with a page for those who accept one.
    for (const path of ["/auth/signin", "/auth/signin/nobody"]) {
      const usual = await browser.get(path, { accept: "text/html" })
      const { cost, visit } = await costOf(() => browser.get(path, headers))
      expect([visit.status, visit.headers.get("content-type")]).toEqual([usual.status, "text/html; charset=utf-8"])
      expect(cost, path).toBeLessThan(1)
    }
  },
)

const unread = [415, "The content type of the body is not supported: send a form or JSON, in UTF-8."] as const
const misread = [400, "The multipart form cannot be parsed."] as const

it.each([
  ["no type at all", ";;;", unread],
  ["a type beyond ASCII", "\u00ff/x", unread],
  ["a long type", `${"a".repeat(60_000)}/b`, unread],
  ["half a type, long", "a".repeat(60_000), unread],
  ["two types", "application/json, application/x-www-form-urlencoded;x", unread],
  ["a type that every object has", "__proto__/__proto__", unread],
  ["JSON with many parameters", "application/json;".repeat(600), [400, "The JSON cannot be parsed."]],
  ["parts without a boundary", "multipart/form-data", misread],
  ["parts with an empty boundary", "multipart/form-data; boundary=", misread],
  ["parts with a long boundary", `multipart/form-data; boundary=${"x".repeat(60_000)}`, misread],
] as const)("a body of %s is refused for what it is, at no cost", { tags: ["threat:A-163"] }, async (_, type, why) => {
  const [status, message] = why
  const world = await makeWorld()
  const browser = world.browser()
  await browser.csrfToken()
  const sent = { method: "POST", body: "--x\r\na=b", headers: { "content-type": type, accept: "application/json" } }
  await browser.send("/auth/signout", sent)
  const { cost, visit } = await costOf(() => browser.send("/auth/signout", sent))
  expect(visit.status).toBe(status)
  expect(cost).toBeLessThan(1)
  expect(world.errors.map((error) => [error.name, error.message])).toEqual(
    Array(2).fill(["UnreadableRequest", message]),
  )
})
