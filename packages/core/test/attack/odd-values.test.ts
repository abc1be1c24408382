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

/** Seconds of the processor. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

const long = (piece: string): string => piece.repeat(60_000 / piece.length)

it.each(["*/*;q=0.1, ", ";q=", "text/", "a-", ",", " , ;", "en;q=0.", "\t"])(
  "60 KB of %j in headers that are negotiated take no time",
  { tags: ["threat:CT-24"] },
  async (piece) => {
    const world = await makeWorld({ config: { language: ["en", "de", "fr"] } })
    const headers = { accept: `${long(piece)}x`, "accept-language": `${long(piece)}x` }
    const browser = world.browser()
    await browser.get("/auth/signin")
    let status = 0
    expect(await costOf(async () => ({ status } = await browser.get("/auth/signin", headers)))).toBeLessThan(1)
    expect(status).toBe(200)
  },
)

it.each([
  ";;;",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  `${"a".repeat(10_000)}/b`,
  "application/json;".repeat(600),
])(
  "a body of the type %j is refused or read as nothing, and never a fault",
  { tags: ["threat:A-163"] },
  async (type) => {
    const world = await makeWorld()
    const browser = world.browser()
    await browser.csrfToken()
    const visit = await browser.send("/auth/signout", {
      method: "POST",
      body: "--x\r\na=b",
      headers: { "content-type": type },
    })
    expect(visit.status).toBeLessThan(500)
    expect(
      world.errors.map(({ name }) => name).filter((name) => name === "TypeError" || name === "RangeError"),
    ).toEqual([])
  },
)
