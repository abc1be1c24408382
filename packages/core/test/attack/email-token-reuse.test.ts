/** A mailed link is used again, by somebody else, by a scanner or too late: it creates one session, once. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { Passkey } from "../../src/providers/passkey.js"
import { faultyAdapter, type Kind, kinds } from "../support/faulty.js"
import { sessionCookie as session } from "../support/journeys.js"
import { leaks } from "../support/logged.js"
import { makeWorld, type World } from "../support/world.js"

const ada = "ada@op.test"
const refused = "https://app.test/auth/error?error=Verification"

async function link(world: World, email = ada): Promise<URL> {
  await world.browser().post("/auth/signin/mail", { email })
  return new URL(world.mails.at(-1)?.url ?? "")
}

const strategies = ["database", "jwt"] as const
afterEach(() => void vi.useRealTimers())

describe.each(strategies)("a link, %s", (strategy) => {
  it("creates one session, and none at the second use in any browser [spec authentication 6]", {
    tags: ["threat:A-026", "threat:FM-10", "threat:RC-01"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const url = await link(world)
    const [first, second] = [world.browser(), world.browser()]
    await first.get(url.href)
    for (const browser of [second, first]) expect((await browser.get(url.href)).location).toBe(refused)
    expect(second.cookie(session)).toBeUndefined()
    // Whoever is in stays in.
    expect(await first.session()).toMatchObject({ user: { email: ada } })
    expect(leaks(world, [first, second])).toEqual([])
  })

  it.each([
    ["another address", { email: "mallory@evil.test" }],
    ["no address", { email: "" }],
    ["the address in capitals", { email: "ADA@OP.TEST" }],
    ["two addresses", { email: "ada@op.test,mallory@evil.test" }],
    ["another token", { token: "0".repeat(64) }],
    ["a token that is too long", { token: "0".repeat(5000) }],
    ["the hash instead of the token", { token: "hash" }],
  ])(
    "with %s is refused, and remains valid",
    { tags: ["threat:A-009", "threat:A-010"] },
    async (_, change: Record<string, string>) => {
      const world = await makeWorld({ strategy })
      const rows: string[] = []
      const create = world.adapter.createVerificationToken
      world.adapter.createVerificationToken = (row) => {
        rows.push(row.token)
        return create?.(row) ?? row
      }
      const url = await link(world)
      const changed = new URL(url)
      for (const [name, value] of Object.entries(change))
        changed.searchParams.set(name, value === "hash" ? (rows[0] ?? "") : value)
      const browser = world.browser()
      expect((await browser.get(changed.href)).location).toBe(refused)
      expect(browser.cookie(session)).toBeUndefined()
      await browser.get(url.href)
      expect(await browser.session()).toMatchObject({ user: { email: ada } })
    },
  )

  it.each([
    ["HEAD", { method: "HEAD" }],
    ["Sec-Purpose", { headers: { "sec-purpose": "prefetch;prerender" } }],
    ["Purpose", { headers: { purpose: "prefetch" } }],
    ["X-Moz", { headers: { "x-moz": "prefetch" } }],
  ])(
    "that a scanner fetches (%s) remains valid",
    { tags: ["threat:CS-24", "threat:CS-25", "threat:FM-08"] },
    async (_, init) => {
      const world = await makeWorld({ strategy })
      const url = await link(world)
      const browser = world.browser()
      const looked = await browser.send(url.href, init)
      expect(looked.setCookies).toEqual([])
      await browser.get(url.href)
      expect(await browser.session()).toMatchObject({ user: { email: ada } })
    },
  )

  it("that has expired is refused and removed", { tags: ["threat:RC-03"] }, async () => {
    const world = await makeWorld({ strategy })
    const url = await link(world)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60 * 1000 })
    const browser = world.browser()
    expect((await browser.get(url.href)).location).toBe(refused)
    vi.useRealTimers()
    expect((await browser.get(url.href)).location).toBe(refused)
    expect(browser.cookie(session)).toBeUndefined()
  })

  it("does not end an earlier link, nor the other way round", { tags: ["threat:RC-04", "threat:FM-05"] }, async () => {
    const world = await makeWorld({ strategy })
    const [one, two] = [await link(world), await link(world)]
    for (const url of [two, one]) {
      const browser = world.browser()
      await browser.get(url.href)
      expect(await browser.session()).toMatchObject({ user: { email: ada } })
    }
  })

  it.each([
    [50, "valid"],
    [70, "refused, the later one not"],
  ])(
    "that was made half an hour before another is, after %i minutes, %s",
    { tags: ["threat:RC-04"] },
    async (minutes) => {
      const world = await makeWorld({ strategy })
      const start = Date.now()
      const earlier = await link(world)
      vi.useFakeTimers({ toFake: ["Date"], now: start + 30 * 60 * 1000 })
      const later = await link(world)
      vi.setSystemTime(start + minutes * 60 * 1000)
      expect((await world.browser().get(earlier.href)).location).toBe(minutes < 60 ? "https://app.test/" : refused)
      expect((await world.browser().get(later.href)).location).toBe("https://app.test/")
    },
  )

  it("is not accepted with values that were made for another purpose", {
    tags: ["threat:A-007", "threat:A-020", "threat:A-021"],
  }, async () => {
    const world = await makeWorld({
      strategy,
      provider: { checks: ["state", "pkce", "nonce"] },
      more: [Passkey()],
      config: { experimental: { enableWebAuthn: true } },
    })
    const url = await link(world)
    const browser = world.browser()
    const begun = new URL((await browser.post("/auth/signin/op")).location ?? "").searchParams
    await browser.get("/auth/webauthn-options/passkey?action=authenticate")
    const other = world.browser()
    await world.signInByMail(other, "grace@op.test")
    const values = [browser, other].flatMap(({ jar }) => [...jar].map(([, { value }]) => value))
    const sent = ["state", "nonce", "code_challenge"].map((name) => begun.get(name) ?? "")
    const csrfTokens = [await browser.csrfToken(), await other.csrfToken()]
    expect([values.length > 6, sent.every(Boolean)]).toEqual([true, true])
    for (const value of [...values, ...sent, ...csrfTokens]) {
      const changed = new URL(url)
      changed.searchParams.set("token", value.slice(0, 1024))
      expect((await browser.get(changed.href)).location).toBe(refused)
    }
    expect(browser.cookie(session)).toBeUndefined()
    // Nothing was used up: the link is still good, and its token is no session.
    const thief = world.browser()
    thief.setCookie(session, url.searchParams.get("token") ?? "")
    expect(await thief.session()).toBeNull()
    await browser.get(url.href)
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
  })

  it("that could not be stored is not mailed", { tags: ["threat:FD-02"] }, async () => {
    const world = await makeWorld({ strategy })
    world.adapter.createVerificationToken = () => Promise.reject(new Error("down"))
    const visit = await world.browser().post("/auth/signin/mail", { email: ada })
    expect(visit.location).toContain("error=Signin")
    expect(world.mails).toEqual([])
  })
})

describe.each(Object.keys(kinds) as Kind[])("a link whose session cannot be stored, store %s", (kind) => {
  it("is consumed, leaves nothing by halves, and the next link signs in", { tags: ["threat:RC-02"] }, async () => {
    const store = faultyAdapter(kind)
    const world = await makeWorld({ strategy: "database", adapter: store.adapter })
    const [url, browser] = [await link(world), world.browser()]
    store.arm({ operation: "createSession", nth: 1, how: "rejects", isLasting: true })
    expect((await browser.get(url.href)).location).toContain("/auth/signin?error=Callback&incident=")
    store.heal()
    expect(await store.broken()).toEqual([])
    expect((await browser.get(url.href)).location).toBe(refused)
    expect(browser.cookie(session)).toBeUndefined()
    expect((await browser.get((await link(world)).href)).location).toBe("https://app.test/")
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(await store.users()).toHaveLength(1)
  })
})
