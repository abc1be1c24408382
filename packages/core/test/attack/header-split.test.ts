/** Line breaks and separators in everything that may reach a header: one header stays one header. */
import { describe, expect, it } from "vitest"
import { isRefusal, sessionCookie as session } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const breaks = ["\r\n", "\n", "\r", "\u0000", "\u0085", "\u2028", "%0d%0a", "%250d%250a", "\u560d\u560a"]
const injected = "Set-Cookie: planted=1"
const payloads = breaks.map((line) => `/x${line}${injected}${line}${line}<script>alert(1)</script>`)

function expectWhole({ headers, location }: { headers: Headers; location: string | undefined }): void {
  for (const line of headers.getSetCookie()) expect(line).toMatch(/^__(?:Secure|Host)-authjs\./)
  expect(headers.get("planted")).toBeNull()
  for (const [, value] of headers) expect(value).not.toMatch(/\p{Cc}/u)
  if (location !== undefined) expect(new URL(location).origin).toBe("https://app.test")
}

describe.each(payloads)("%j", (payload) => {
  it("as return address, in a form, in the address and in a cookie", {
    tags: ["threat:CK-24", "threat:HT-39", "threat:VX-02"],
  }, async () => {
    const world = await makeWorld()
    const browser = world.browser()
    const query = new URLSearchParams({
      callbackUrl: payload,
      error: payload,
      code: payload,
      incident: payload,
      email: payload,
    })
    for (const action of ["signin", "signout", "error", "verify-request", "session", "csrf"]) {
      expectWhole(await browser.get(`/auth/${action}?${query}`))
    }
    const began = await browser.post("/auth/signin/op", { callbackUrl: payload })
    expect(began.location).toContain("https://op.test/authorize")
    for (const line of began.headers.getSetCookie()) expect(line).toMatch(/^__(?:Secure|Host)-authjs\./)
    expectWhole(await browser.get(world.op.authorize(began.location ?? "").href))
    expectWhole(await browser.post("/auth/signin/mail", { email: `a@app.test${payload}`, callbackUrl: payload }))
    browser.setCookie("__Secure-authjs.callback-url", encodeURIComponent(payload))
    expectWhole(await browser.post("/auth/signout"))
    expect(world.mails).toEqual([])
  })

  it("from the provider, in its error and its answer", async () => {
    const world = await makeWorld()
    for (const name of ["error", "error_description", "code", "iss", "state"]) {
      const browser = world.browser()
      const begun = await browser.post("/auth/signin/op")
      const back = world.op.authorize(begun.location ?? "")
      back.searchParams.set(name, payload)
      const visit = await browser.get(back.href)
      expectWhole(visit)
      expect(visit.location ?? visit.text).not.toContain("script")
    }
  })

  it("from the application itself: the answer of the signIn callback, a name of a session, pages", async () => {
    const generateSessionToken = (): string => payload
    const worlds = [
      await makeWorld({ config: { callbacks: { signIn: () => payload } } }),
      await makeWorld({ config: { callbacks: { redirect: () => payload } } }),
      await makeWorld({ config: { session: { strategy: "database", generateSessionToken } } }),
      await makeWorld({ config: { pages: { signIn: payload, error: payload, newUser: payload } } }),
    ]
    for (const world of worlds) {
      const browser = world.browser()
      expectWhole(await world.signInAtOp(browser))
      for (const action of ["signin", "error", "session"]) expectWhole(await browser.get(`/auth/${action}`))
    }
  })
})

describe("a session token of the application", () => {
  it.each(["a\r\nSet-Cookie: b=c", "a; Domain=evil.test", "a;b", "a,b", "a b", "a=b", 'a"b', "ä", "%41", "a\tb"])(
    "%j is read back as it was written, or refused",
    { tags: ["threat:CK-24"] },
    async (token) => {
      const world = await makeWorld({
        config: { session: { strategy: "database", generateSessionToken: () => token } },
      })
      const browser = world.browser()
      const visit = await world.signInAtOp(browser)
      if (isRefusal(visit)) expect(browser.cookie(session)).toBeUndefined()
      else expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    },
  )
})
