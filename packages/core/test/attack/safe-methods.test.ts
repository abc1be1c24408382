/** Methods that browsers send on their own account change nothing, and no script of another site can read an answer. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const paths = [
  ...["session", "csrf", "providers", "signin", "signout", "error", "verify-request", "signin/op", "signin/mail"],
  ...["signin/credentials", "callback/credentials", "webauthn-options/op", "signout/op", "session/op"],
].map((path) => `/auth/${path}`)

/** A store, and the names of the operations that write to it. */
function watchedStore() {
  const writes: string[] = []
  const adapter = Object.fromEntries(
    Object.entries(memoryAdapter()).map(([name, work]) => [
      name,
      typeof work === "function" && /^(?:create|update|delete|link|unlink|use|put|take|transaction)/.test(name)
        ? (...given: never[]) => {
            writes.push(name)
            return (work as (...all: never[]) => unknown)(...given)
          }
        : work,
    ]),
  )
  return { adapter, writes }
}

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it.each(["GET", "HEAD", "OPTIONS"])(
    "%s begins nothing, ends nothing and mails nothing",
    {
      tags: ["threat:V3-17", "threat:V3-09"],
    },
    async (method) => {
      const { adapter, writes } = watchedStore()
      const world = await makeWorld({ adapter, strategy, more: [credentialsProvider()] })
      const browser = world.browser()
      await world.signInByMail(browser, "ada@op.test")
      expect(writes).toContain("useVerificationToken")
      writes.length = 0
      const before = browser.cookie(sessionCookie)
      world.events.length = 0
      for (const path of paths) {
        const visit = await browser.send(`${path}?email=victim@op.test&name=ada&password=right`, {
          method,
          headers: { origin: "https://evil.test", "access-control-request-method": "POST" },
        })
        expect([...visit.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([])
        expect(visit.setCookies.filter((name) => !/csrf-token|callback-url/.test(name))).toEqual([])
        expect(visit.location?.startsWith(world.op.issuer) ?? false).toBe(false)
      }
      expect(writes).toEqual([])
      expect(world.mails).toHaveLength(1)
      expect(world.op.calls).toEqual([])
      expect(world.events.filter(([name]) => name !== "session")).toEqual([])
      expect(browser.cookie(sessionCookie)).toBe(before)
      expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
    },
  )
})

it.each(["session", "csrf", "providers"])(
  "%s is JSON, whatever wrapper is asked for, and no other site may read it",
  {
    tags: ["threat:V3-19", "threat:TL-12", "threat:HD-07"],
  },
  async (action) => {
    const world = await makeWorld()
    const browser = world.browser()
    await world.signInByMail(browser, "ada@op.test")
    const visit = await browser.get(`/auth/${action}?callback=steal&jsonp=steal`, {
      origin: "https://evil.test",
      "if-none-match": "*",
      "if-modified-since": new Date().toUTCString(),
    })
    expect(visit.status).toBe(200)
    expect(visit.headers.get("content-type")).toMatch(/^application\/json/)
    expect(() => JSON.parse(visit.text)).not.toThrow()
    expect(visit.text).not.toContain("steal")
    for (const name of ["etag", "last-modified", "access-control-allow-origin"])
      expect(visit.headers.get(name)).toBeNull()
  },
)

it.each([
  ["GET", "/auth/callback/credentials", 405],
  ["POST", "/auth/callback/nowhere", 404],
  ["POST", "/auth/webauthn-options/op", 404],
  ["GET", "/auth/webauthn-options/op", 404],
  ["GET", "/auth/webauthn-options/mail", 404],
])(
  "%s %s, which that kind of provider does not have, is refused and asks nobody",
  {
    tags: ["threat:PA-16"],
  },
  async (method, path, status) => {
    const world = await makeWorld({ more: [credentialsProvider()] })
    const browser = world.browser()
    const visit = method === "POST" ? await browser.post(path, rightCredentials) : await browser.get(path)
    expect({ status: visit.status, calls: world.op.calls, session: await browser.session() }).toEqual({
      status,
      calls: [],
      session: null,
    })
  },
)

it("what was posted is not posted on: every redirect after a form is a 302 or a 303", {
  tags: ["threat:B9-31"],
}, async () => {
  const world = await makeWorld({ strategy: "jwt", more: [credentialsProvider()] })
  for (const [path, fields] of [
    ["/auth/callback/credentials", rightCredentials],
    ["/auth/callback/credentials", { name: "ada", password: "wrong" }],
    ["/auth/signin/mail", { email: "ada@op.test" }],
    ["/auth/signin/op", {}],
    ["/auth/signout", {}],
  ] as const) {
    const visit = await world.browser().post(path, { ...fields })
    expect(visit.location).toBeDefined()
    expect([302, 303]).toContain(visit.status)
  }
})
