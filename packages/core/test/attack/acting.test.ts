/** Somebody who acts for a user has half an hour: nothing they do meanwhile lets them in afterwards, or hides who they are. */
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const user = "user@app.test"
const keys = passkeys()
const sourceOf = (browser: TestBrowser) => ({
  url: "https://app.test/",
  headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` },
})

/** A supporter with an account at the provider, who acts for a user in `browser`. */
async function open(
  strategy: "jwt" | "database",
  adapter: Adapter = memoryAdapter(),
  session: Omit<NonNullable<AuthConfig["session"]>, "strategy"> = {},
  more: Partial<AuthConfig> = {},
) {
  const sessions = managedSessions()
  const world = await makeWorld({
    strategy,
    adapter,
    more: [Passkey()],
    config: {
      session: { strategy, ...session },
      features: [sessions, keys],
      experimental: { enableWebAuthn: true },
      ...more,
    },
  })
  const theirs = world.browser()
  await world.signInByMail(theirs, user)
  const { id } = (await adapter.getUserByEmail?.(user)) ?? { id: "" }
  const browser = world.browser()
  await world.signInByMail(browser, "support@app.test")
  const act = async (): Promise<void> => {
    const { cookies } = await sessions.actAs(world.auth, sourceOf(browser), id)
    for (const { name, value } of cookies) browser.setCookie(name, value)
  }
  return { world, sessions, browser, theirs, id, act }
}

const addressIn = async (browser: TestBrowser): Promise<unknown> =>
  ((await browser.session()) as { user?: { email?: string } } | null)?.user?.email ?? null
const ownerOf = async (world: World): Promise<unknown> =>
  (await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" }))?.email ?? null

it("nobody acts for a user where `jwt.encode` drops the claim that says so", { tags: ["threat:SF-26"] }, async () => {
  const kept = ["sub", "email", "lk"]
  const jwt: NonNullable<AuthConfig["jwt"]> = {
    encode: ({ token }) =>
      JSON.stringify(Object.fromEntries(Object.entries(token ?? {}).filter(([name]) => kept.includes(name)))),
    decode: ({ token = "" }) => JSON.parse(token),
  }
  const { browser, act } = await open("jwt", memoryAdapter(), {}, { jwt })
  kept.pop()
  await expect(act()).rejects.toThrow("`jwt.encode` dropped the claim `lk`, which says that somebody acts")
  expect(await addressIn(browser)).toBe("support@app.test")
  kept.push("lk", "iat", "exp")
  const other = await open("jwt", memoryAdapter(), {}, { jwt })
  await other.act()
  expect(await addressIn(other.browser)).toBe(user)
})

describe.each(["jwt", "database"] as const)(
  "somebody who acts for a user, %s strategy",
  { tags: ["threat:SF-26"] },
  (strategy) => {
    it("cannot add an account of their own to that user", async () => {
      const { world, browser, act } = await open(strategy)
      await act()
      expect(await addressIn(browser)).toBe(user)
      const visit = await world.signInAtOp(browser)
      expect(visit.location).toContain("error=OAuthAccountNotLinked")
      expect(await ownerOf(world)).toBeNull()
    })

    it("cannot add a passkey to that user", async () => {
      const { world, browser, act } = await open(strategy)
      await act()
      const authenticator = softwarePasskey()
      await registerPasskey(browser, authenticator)
      const later = world.browser()
      await signInByPasskey(later, authenticator)
      expect(await addressIn(later)).toBeNull()
    })

    it("can neither see, name nor remove the passkeys of that user", async () => {
      const { world, browser, theirs, act } = await open(strategy)
      await registerPasskey(theirs, softwarePasskey())
      const [{ id } = { id: "" }] = await keys.list(world.auth, sourceOf(theirs))
      expect(id).not.toBe("")
      await act()
      expect((await browser.get("/auth/passkeys")).status).toBe(401)
      expect((await browser.post("/auth/passkeys", { rename: id, name: "mine" })).status).toBe(401)
      expect((await browser.post("/auth/passkeys", { remove: id, last: "true" })).status).toBe(401)
      expect(await keys.remove(world.auth, sourceOf(browser), { id, evenLast: true })).toBe("absent")
      const kept = await keys.list(world.auth, sourceOf(theirs))
      expect(kept.map((passkey) => [passkey.id, passkey.name])).toEqual([[id, undefined]])
    })

    it("is back as themselves with an account they have already", async () => {
      const { world, browser, act } = await open(strategy)
      await world.signInAtOp(browser)
      expect(await ownerOf(world)).toBe("support@app.test")
      await act()
      await world.signInAtOp(browser)
      expect(await addressIn(browser)).toBe("support@app.test")
    })

    it("stays named when the user looks at their sessions in the same moment", async () => {
      const adapter = memoryAdapter()
      let between = async (): Promise<void> => {}
      const slow: Adapter = {
        ...adapter,
        async createSession(session) {
          await between()
          return (await adapter.createSession?.(session)) ?? session
        },
      }
      const { world, sessions, browser, theirs, act } = await open(strategy, slow)
      between = async () => void (await theirs.get("/auth/sessions"))
      await act()
      const list = await sessions.list(world.auth, sourceOf(browser))
      expect(list.find(({ current }) => current)?.actor).toEqual(expect.any(String))
    })
  },
)

it.each<["jwt" | "database", string, NonNullable<AuthConfig["session"]>]>([
  ["jwt", "ours", {}],
  ["database", "ours", {}],
  ["database", "the application's", { generateSessionToken: () => randomUUID() }],
])(
  "does not go on as an ordinary session where sessions are not managed, %s strategy, tokens: %s",
  {
    tags: ["threat:SF-26"],
  },
  async (strategy, _, session) => {
    const { world, browser, act } = await open(strategy, memoryAdapter(), session)
    await act()
    const { features, ...plain } = world.config
    const other = openBrowser(createAuth({ ...plain, features: [] }, { env: {} }).handle)
    other.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
    await world.signInAtOp(other)
    expect(await ownerOf(world)).not.toBe(user)
    other.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
    expect(await other.session()).toBeNull()
    expect(await addressIn(browser)).toBe(user)
  },
)

it("a database session of somebody who acts for a user ends with its record, however soon that is lost", {
  tags: ["threat:SF-26"],
}, async () => {
  const adapter = memoryAdapter()
  const { world, browser, act, id } = await open("database", adapter)
  await act()
  expect(await addressIn(browser)).toBe(user)
  expect(await adapter.deleteRecords?.(id, { kind: "session" })).toBe(2)
  await registerPasskey(browser, softwarePasskey()).catch(() => undefined)
  expect(await adapter.listAuthenticatorsByUserId?.(id)).toEqual([])
  expect(await addressIn(browser)).toBeNull()
  expect(browser.cookie(sessionCookie)).toBeUndefined()
  expect((await world.browser().get("/auth/session")).status).toBe(200)
})

it("the record of a database session says it, too, where the application makes the token", {
  tags: ["threat:SF-26"],
}, async () => {
  const { world, browser, act } = await open("database", memoryAdapter(), { generateSessionToken: () => randomUUID() })
  await act()
  expect(await addressIn(browser)).toBe(user)
  const visit = await world.signInAtOp(browser)
  expect(visit.location).toContain("error=OAuthAccountNotLinked")
  expect(await ownerOf(world)).toBeNull()
})
