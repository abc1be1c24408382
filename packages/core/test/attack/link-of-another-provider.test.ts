/** Two providers of mail links: what one of them mails signs nobody in at the other, by whatever path. */
import { describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { Provider } from "../../src/types/provider.js"
import { makeWorld, type World, worldSecret } from "../support/world.js"

const strategies = ["jwt", "database"] as const
const verification = "https://app.test/auth/error?error=Verification"

interface Staff {
  readonly mails: string[]
  readonly provider: Provider
}

/** Mails to addresses of one company alone. */
function staffMail(over: object = {}): Staff {
  const mails: string[] = []
  const provider = {
    id: "staff",
    name: "Staff",
    type: "email",
    normalizeIdentifier(typed: string) {
      const address = typed.trim().toLowerCase()
      if (!address.endsWith("@corp.test")) throw new Error("staff only")
      return address
    },
    sendVerificationRequest: ({ url }: { url: string }) => void mails.push(url),
    ...over,
  }
  return { mails, provider: provider as unknown as Provider }
}

/** Asks for a link at `mail`, and follows it at another path. */
async function carried(world: World, { email, to }: { email: string; to: string }) {
  const browser = world.browser()
  await browser.post("/auth/signin/mail", { email })
  const { search } = new URL(world.mails.at(-1)?.url ?? "")
  const visit = await browser.get(`/auth/callback/${to}${search}`)
  return { browser, visit, search }
}

describe.each(strategies)("a link of one provider, carried to another, %s", (strategy) => {
  it.each([
    ["eve@evil.test", "where the address is refused"],
    ["eve@corp.test", "where the address could be typed"],
  ])("of %s signs nobody in, %s, and stays good where it was mailed", { tags: ["threat:A-020"] }, async (email) => {
    const world = await makeWorld({ strategy, more: [staffMail().provider] })
    const { browser, visit, search } = await carried(world, { email, to: "staff" })
    expect(visit.location).toBe(verification)
    expect(await browser.session()).toBeNull()
    await browser.get(`/auth/callback/mail${search}`)
    expect(await browser.session()).toMatchObject({ user: { email } })
    expect(world.events.find(([name]) => name === "signIn")?.[1]).toMatchObject({ account: { provider: "mail" } })
  })

  it("is not taken for another by cutting off what says where it is from", { tags: ["threat:A-020"] }, async () => {
    const world = await makeWorld({ strategy, more: [staffMail().provider] })
    const email = "eve@corp.test"
    const { browser, search } = await carried(world, { email, to: "nowhere" })
    const query = new URLSearchParams(search)
    const token = query.get("token") ?? ""
    for (const forged of [token.slice(0, 64), `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`]) {
      query.set("token", forged)
      expect((await browser.get(`/auth/callback/staff?${query}`)).location).toBe(verification)
    }
  })

  it("whose token the application makes is refused by the address", { tags: ["threat:A-020"] }, async () => {
    const own = { generateVerificationToken: () => "a-token-of-its-own-that-nobody-guesses" }
    const { mails, provider } = staffMail({ ...own, id: "guests", normalizeIdentifier: undefined })
    const world = await makeWorld({ strategy, more: [provider, staffMail().provider] })
    const browser = world.browser()
    await browser.post("/auth/signin/guests", { email: "eve@evil.test" })
    const { search } = new URL(mails[0] ?? "")
    expect((await browser.get(`/auth/callback/staff${search}`)).location).toBe(verification)
    await browser.get(`/auth/callback/guests${search}`)
    expect(await browser.session()).toMatchObject({ user: { email: "eve@evil.test" } })
  })
})

const ownSecret = "a-secret-of-its-own-of-at-least-32-characters"

it.each([
  ["the secret of the application", worldSecret, {}],
  ["the newest of them", worldSecret, { secret: [worldSecret, "an-earlier-secret-of-at-least-32-characters"] }],
  ["all of them as Auth.js joins them", `${worldSecret},${ownSecret}`, { secret: [worldSecret, ownSecret] }],
])(
  "a provider whose own secret is %s opens no link of another",
  { tags: ["threat:A-020"] },
  async (_, secret, config) => {
    const world = await makeWorld({ more: [staffMail({ secret }).provider], config })
    const { browser, visit, search } = await carried(world, { email: "eve@corp.test", to: "staff" })
    expect(visit.location).toBe(verification)
    expect(await browser.session()).toBeNull()
    await browser.get(`/auth/callback/mail${search}`)
    expect(await browser.session()).toMatchObject({ user: { email: "eve@corp.test" } })
  },
)

it("two providers with one secret open no link of each other", { tags: ["threat:A-020"] }, async () => {
  const guests = staffMail({ id: "guests", secret: ownSecret, normalizeIdentifier: undefined })
  const world = await makeWorld({ mail: false, more: [guests.provider, staffMail({ secret: ownSecret }).provider] })
  const browser = world.browser()
  await browser.post("/auth/signin/guests", { email: "eve@corp.test" })
  const { search } = new URL(guests.mails[0] ?? "")
  expect((await browser.get(`/auth/callback/staff${search}`)).location).toBe(verification)
  await browser.get(`/auth/callback/guests${search}`)
  expect(await browser.session()).toMatchObject({ user: { email: "eve@corp.test" } })
})

it("a link made under a secret that was replaced still signs in", async () => {
  const adapter = memoryAdapter()
  const before = await makeWorld({ adapter, more: [staffMail().provider] })
  await before.browser().post("/auth/signin/mail", { email: "ada@op.test" })
  const { pathname, search } = new URL(before.mails[0]?.url ?? "")
  const config = { secret: ["the-new-secret-of-at-least-32-characters", worldSecret] }
  const world = await makeWorld({ adapter, more: [staffMail().provider], config })
  const browser = world.browser()
  await browser.get(pathname + search)
  expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
})

/** Takes from its form what it does not mail to. */
const byInvitation = (typed: string): string => {
  if (!typed.endsWith(".invited")) throw new Error("by invitation only")
  return typed.slice(0, -".invited".length)
}

it.each([
  ["as it is made here", {}],
  ["that looks like one with a mark", { generateVerificationToken: () => `${"0f".repeat(32)}.${"m".repeat(22)}` }],
])("a link of a provider with a secret of its own outlives that of everything else, its token %s", async (_, own) => {
  const adapter = memoryAdapter()
  const { mails, provider } = staffMail({ secret: ownSecret, normalizeIdentifier: byInvitation, ...own })
  const before = await makeWorld({ adapter, more: [provider] })
  await before.browser().post("/auth/signin/staff", { email: "ada@corp.test.invited" })
  const { pathname, search } = new URL(mails[0] ?? "")
  const config = { secret: "a-new-secret-that-knows-nothing-of-the-old" }
  const world = await makeWorld({ adapter, more: [provider], config })
  const browser = world.browser()
  await browser.get(pathname + search)
  expect(await browser.session()).toMatchObject({ user: { email: "ada@corp.test" } })
})

it("the address of a marked link is as it was mailed: nobody is asked about it again", async () => {
  const normalizeIdentifier = vi.fn(byInvitation)
  const { mails, provider } = staffMail({ normalizeIdentifier })
  const world = await makeWorld({ more: [provider] })
  await world.browser().post("/auth/signin/staff", { email: "ada@corp.test.invited" })
  expect(normalizeIdentifier).toHaveBeenCalledTimes(1)
  const { pathname, search } = new URL(mails[0] ?? "")
  const browser = world.browser()
  await browser.get(pathname + search)
  expect(await browser.session()).toMatchObject({ user: { email: "ada@corp.test" } })
  expect(normalizeIdentifier).toHaveBeenCalledTimes(1)
})

it("a link mailed before the second provider was added still signs in", async () => {
  const adapter: Adapter = memoryAdapter()
  const before = await makeWorld({ adapter })
  await before.browser().post("/auth/signin/mail", { email: "ada@op.test" })
  expect(before.mails[0]?.token).toMatch(/^[\da-f]{64}$/)
  const { pathname, search } = new URL(before.mails[0]?.url ?? "")
  const world = await makeWorld({ adapter, more: [staffMail().provider] })
  const browser = world.browser()
  await browser.get(pathname + search)
  expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
})

it("a single provider takes links to addresses that its own form refuses", async () => {
  const normalizeIdentifier = (typed: string): string => {
    if (!typed.endsWith("@corp.test")) throw new Error("staff only")
    return typed
  }
  const { provider } = staffMail({ normalizeIdentifier, generateVerificationToken: () => "x" })
  const world = await makeWorld({ mail: false, more: [provider] })
  const { hashVerificationToken } = await import("../../src/crypto/token.js")
  const token = await hashVerificationToken("of-an-invitation", worldSecret)
  const expires = new Date(Date.now() + 60_000)
  await world.adapter.createVerificationToken?.({ identifier: "guest@else.test", token, expires })
  const browser = world.browser()
  await browser.get("/auth/callback/staff?token=of-an-invitation&email=guest%40else.test")
  expect(await browser.session()).toMatchObject({ user: { email: "guest@else.test" } })
})
