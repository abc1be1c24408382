/** Applications that make the tokens of sessions: those say nothing of an unproven address, and nobody gains by it. */
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/adapters.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import { holdingCalls } from "../support/held-calls.js"
import { sessionCookie } from "../support/journeys.js"
import { passkeyCeremony, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { mailProvider } from "../support/password-service.js"
import { makeWorld, type World } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", email_verified: true }
const eve = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
const byClaim = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }
const unlinked = "https://app.test/auth/signin?error=OAuthAccountNotLinked"

const open = (adapter: Adapter = memoryAdapter()): Promise<World> =>
  makeWorld({
    adapter,
    provider: byClaim,
    second: { id: "second", ...byClaim },
    more: [Passkey()],
    config: {
      experimental: { enableWebAuthn: true },
      session: { strategy: "database", generateSessionToken: () => randomUUID() },
    },
  })

/** As most adapters of Auth.js. */
function withoutList(): Adapter {
  const { listAccountsByUserId: _, transaction: __, ...adapter } = memoryAdapter()
  return adapter
}

describe("a session with a token of the application", () => {
  it.each([
    ["lists accounts", memoryAdapter],
    ["does not", withoutList],
  ])(
    "that began with a passkey at somebody else's address links no account that stays (the adapter %s)",
    {
      tags: ["threat:A-022"],
    },
    async (_, adapter) => {
      const world = await open(adapter())
      const thief = world.browser()
      await passkeyCeremony(thief, softwarePasskey(), { action: "register", email: ada.email })
      expect(await thief.session()).toMatchObject({ user: { email: ada.email } })
      world.op.person = eve
      expect((await world.signInAtOp(thief)).location).toBe(unlinked)
      await world.signInByMail(world.browser(), ada.email)
      const later = world.browser()
      await world.signInAtOp(later)
      expect(await later.session()).toMatchObject({ user: { email: eve.email } })
    },
  )

  it("links no account that stays after the application has left the tokens to the engine", {
    tags: ["threat:A-022"],
  }, async () => {
    const adapter = memoryAdapter()
    const given = { adapter, provider: byClaim, second: { id: "silent", emailVerified: undefined } }
    const before = await makeWorld({
      ...given,
      config: { session: { strategy: "database", generateSessionToken: () => randomUUID() } },
    })
    before.op.person = { sub: "person-3", name: "Eve", email: ada.email, email_verified: true }
    const early = before.browser()
    await before.signInAtOp(early, { provider: "silent" })
    const world = await makeWorld({ ...given, strategy: "database" })
    const thief = world.browser()
    thief.setCookie(sessionCookie, early.cookie(sessionCookie) ?? "")
    expect(await thief.session()).toMatchObject({ user: { email: ada.email } })
    world.op.person = eve
    expect((await world.signInAtOp(thief)).location).toBe(unlinked)
    await world.signInByMail(world.browser(), ada.email)
    expect(await adapter.getUserByAccount?.({ provider: "op", providerAccountId: eve.sub })).toBeNull()
  })

  it.each(["mail", "a provider"])(
    "links no account that stays where the application has removed the one that it began with, and the owner comes by %s",
    { tags: ["threat:A-022"] },
    async (way) => {
      const adapter = memoryAdapter()
      const session = { strategy: "database" as const, generateSessionToken: () => randomUUID() }
      const linking = { ...byClaim, allowDangerousEmailAccountLinking: true }
      const world = await makeWorld({ adapter, provider: linking, second: { id: "silent" }, config: { session } })
      const [thief, owner, later] = [world.browser(), world.browser(), world.browser()]
      world.op.person = { sub: "eve-0", name: "Eve", email: ada.email }
      await world.signInAtOp(thief, { provider: "silent" })
      await adapter.unlinkAccount({ provider: "silent", providerAccountId: "eve-0" })
      world.op.person = eve
      expect((await world.signInAtOp(thief)).location).toBe(unlinked)
      world.op.person = ada
      await (way === "mail" ? world.signInByMail(owner, ada.email) : world.signInAtOp(owner))
      expect(await thief.session()).toBeNull()
      world.op.person = eve
      await world.signInAtOp(later)
      expect(await later.session()).toMatchObject({ user: { email: eve.email } })
    },
  )

  it("links further accounts where each account of the user proves the address", async () => {
    const world = await open()
    const owner = world.browser()
    world.op.person = ada
    await world.signInAtOp(owner)
    world.op.person = eve
    expect((await world.signInAtOp(owner, { provider: "second" })).location).toBe("https://app.test/")
  })

  it("links further accounts once the address is proven", async () => {
    const world = await open(withoutList())
    const owner = world.browser()
    await world.signInByMail(owner, ada.email)
    world.op.person = eve
    expect((await world.signInAtOp(owner)).location).toBe("https://app.test/")
  })
})

/** A row that begins while the owner comes by mail: the owner has deleted the user's rows already, and the token says nothing. */
const kinds = [
  { kind: "a session", more: {} },
  { kind: "a managed session", more: { features: [managedSessions()] } },
]
describe.each(kinds)(
  "$kind with a token of the application that is written once the owner has come",
  { tags: ["threat:A-022"] },
  ({ more }) => {
    const session = { strategy: "database" as const, generateSessionToken: () => randomUUID() }
    const openHeld = async () => {
      const { transaction: _, ...store } = memoryAdapter()
      const { adapter, hold } = holdingCalls(store)
      const config = { session, experimental: { enableWebAuthn: true }, ...more }
      return { hold, adapter, config }
    }

    it("is none, where it began by a provider that says nothing of addresses", async () => {
      const { hold, adapter, config } = await openHeld()
      const world = await makeWorld({ adapter, config })
      const [first, later] = [world.browser(), world.browser()]
      world.op.person = { ...eve, email: ada.email }
      await world.signInAtOp(first)
      const signingIn = await hold("createSession", () => world.signInAtOp(later))
      await world.signInByMail(world.browser(), ada.email)
      expect((await signingIn.finish()).location).toBe(unlinked)
      expect([await first.session(), await later.session()]).toEqual([null, null])
    })

    it("adds no passkey that stays, where the first one is removed and the owner comes by a provider", async () => {
      const { hold, adapter, config } = await openHeld()
      const features = [passkeys(), ...("features" in more ? more.features : [])]
      const linking = { ...byClaim, allowDangerousEmailAccountLinking: true }
      const world = await makeWorld({
        adapter,
        config: { ...config, features },
        mail: false,
        provider: linking,
        more: [Passkey()],
      })
      const [thief, owner, later] = [world.browser(), world.browser(), world.browser()]
      await registerPasskey(thief, softwarePasskey(), ada.email)
      const [entry] = JSON.parse((await thief.get("/auth/passkeys")).text) as { readonly id: string }[]
      await thief.post("/auth/passkeys", { remove: entry?.id ?? "", last: "true" })
      const second = softwarePasskey()
      const adding = await hold("linkAccount", () => registerPasskey(thief, second))
      world.op.person = ada
      await world.signInAtOp(owner)
      await adding.finish()
      await signInByPasskey(later, second)
      expect(await owner.session()).toMatchObject({ user: { email: ada.email } })
      expect([await thief.session(), await later.session()]).toEqual([null, null])
    })

    it("is none, where it began by a passkey and nobody comes by a provider", async () => {
      const { hold, adapter, config } = await openHeld()
      const mails: { readonly url: string }[] = []
      const mail = mailProvider((message) => void mails.push(message))
      const world = await makeWorld({ adapter, config: { ...config, providers: [mail, Passkey()] } })
      const [first, later, owner] = [world.browser(), world.browser(), world.browser()]
      const passkey = softwarePasskey()
      await registerPasskey(first, passkey, ada.email)
      const signingIn = await hold("createSession", () => signInByPasskey(later, passkey))
      await owner.post("/auth/signin/mail", { email: ada.email })
      const { pathname, search } = new URL(mails[0]?.url ?? "")
      await owner.get(pathname + search)
      await signingIn.finish()
      expect([await first.session(), await later.session()]).toEqual([null, null])
      expect(await owner.session()).not.toBeNull()
    })
  },
)
