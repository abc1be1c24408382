/** One name said twice, in the address and in the form or twice in the form: what is checked is what is used. */
import { describe, expect, it, vi } from "vitest"
import { makeWorld } from "../support/world.js"

const form = { "content-type": "application/x-www-form-urlencoded" }

describe("a name that stands in the address and in the form", () => {
  it("counts as the form says it: the CSRF token", { tags: ["threat:A-053"] }, async () => {
    const world = await makeWorld()
    const browser = world.browser()
    const token = await browser.csrfToken()
    const post = (inAddress: string, inForm: string) =>
      browser.send(`/auth/signin/op?csrfToken=${inAddress}`, {
        method: "POST",
        headers: form,
        body: new URLSearchParams({ csrfToken: inForm }).toString(),
      })
    expect((await post(token, "wrong")).location).not.toContain(world.op.issuer)
    expect((await post("wrong", token)).location).toContain(world.op.issuer)
  })

  it("counts as the form says it: the address that is mailed", { tags: ["threat:A-053"] }, async () => {
    const world = await makeWorld()
    await world.browser().post("/auth/signin/mail?email=victim@op.test", { email: "mallory@evil.test" })
    expect(world.mails.map(({ identifier }) => identifier)).toEqual(["mallory@evil.test"])
    expect(new URL(world.mails[0]?.url ?? "").searchParams.getAll("email")).toEqual(["mallory@evil.test"])
  })

  it("counts as the address says it: the token of a mailed link, and whose it is", {
    tags: ["threat:A-053"],
  }, async () => {
    const world = await makeWorld()
    const [victim, thief] = [world.browser(), world.browser()]
    await victim.post("/auth/signin/mail", { email: "victim@op.test" })
    await thief.post("/auth/signin/mail", { email: "mallory@evil.test" })
    const [theirs, own] = world.mails.map(({ url }) => new URL(url))
    for (const [inAddress, inForm] of [
      ["0".repeat(64), own?.searchParams.get("token") ?? ""],
      [theirs?.searchParams.get("token") ?? "", own?.searchParams.get("token") ?? ""],
    ] as const) {
      const query = new URLSearchParams({ token: inAddress, email: "mallory@evil.test" })
      await thief.post(`/auth/callback/mail?${query}`, { token: inForm, email: "victim@op.test" })
      expect((await thief.session()) as { user?: { email?: string } } | null).toBeNull()
    }
  })

  it("counts as the path says it: the provider", { tags: ["threat:A-053"] }, async () => {
    const world = await makeWorld({ second: { id: "second", name: "Second" } })
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/op?provider=second&providerId=second", {
      provider: "second",
      providerId: "second",
    })
    const back = new URL(new URL(begun.location ?? "").searchParams.get("redirect_uri") ?? "")
    expect(back.pathname).toBe("/auth/callback/op")
  })

  it("leads to this application, whichever is taken: the return address", { tags: ["threat:A-053"] }, async () => {
    const world = await makeWorld()
    for (const [first, second] of [
      ["https://evil.test/", "/in"],
      ["/in", "https://evil.test/"],
    ] as const) {
      const browser = world.browser()
      const { location } = await browser.post(`/auth/signout?callbackUrl=${encodeURIComponent(first)}`, {
        callbackUrl: second,
      })
      expect(new URL(location ?? "").origin).toBe("https://app.test")
    }
  })
})

it.each([
  ["EM-101", "email[]=x%40evil.test"],
  ["EM-101", "email[0]=x%40evil.test"],
  ["EM-101", "email[$ne]="],
  ["EM-101", "email%5B%24ne%5D=x%40evil.test"],
  ["EM-097", { email: ["x@evil.test", "v@victim.test"] }],
  ["EM-098", { email: { $gt: "" } }],
  ["EM-099", { email: 123 }],
  ["EM-099", { email: true }],
  ["EM-099", { email: null }],
])("[%s] an address that is no string gets no mail: %j", async (_, given) => {
  const world = await makeWorld()
  const browser = world.browser()
  const csrfToken = await browser.csrfToken()
  const visit = await browser.send("/auth/signin/mail", {
    method: "POST",
    headers: typeof given === "string" ? form : { "content-type": "application/json" },
    body: typeof given === "string" ? `csrfToken=${csrfToken}&${given}` : JSON.stringify({ csrfToken, ...given }),
  })
  expect([visit.status, visit.location]).toEqual([302, "https://app.test/auth/signin?error=EmailSignin"])
  expect(world.mails).toEqual([])
})

it.each([
  ["a list", () => ["x@evil.test"]],
  ["nothing", () => undefined],
  ["two addresses", () => "x@evil.test,v@victim.test"],
])(
  "no mail goes to what a normaliser of the application makes of an address: %s",
  {
    tags: ["threat:EM-103"],
  },
  async (_, normalizeIdentifier) => {
    const sendVerificationRequest = vi.fn()
    const mail = { id: "mail", name: "Mail", type: "email", normalizeIdentifier, sendVerificationRequest }
    const world = await makeWorld({ config: { providers: [mail as never] } })
    const visit = await world.browser().post("/auth/signin/mail", { email: "a@app.test" })
    expect([visit.status, visit.location]).toEqual([302, "https://app.test/auth/signin?error=EmailSignin"])
    expect(sendVerificationRequest).not.toHaveBeenCalled()
  },
)

it("two addresses in one form reach one mailbox, whose owner the link signs in, or none", {
  tags: ["threat:EM-100"],
}, async () => {
  const world = await makeWorld()
  const browser = world.browser()
  const csrfToken = await browser.csrfToken()
  await browser.send("/auth/signin/mail", {
    method: "POST",
    headers: form,
    body: `csrfToken=${encodeURIComponent(csrfToken)}&email=mallory%40evil.test&email=victim%40op.test`,
  })
  expect(world.mails.length).toBeLessThan(2)
  for (const { identifier, url } of world.mails) {
    expect(new URL(url).searchParams.getAll("email")).toEqual([identifier])
    const { pathname, search } = new URL(url)
    await browser.get(pathname + search)
    expect(await browser.session()).toMatchObject({ user: { email: identifier } })
  }
})
