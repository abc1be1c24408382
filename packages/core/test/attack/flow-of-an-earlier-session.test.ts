/**
 * A flow, or the registration of a passkey, belongs to the session that it began in. Whoever was in a session of somebody keeps
 * what was made there, and has it finished where the same user is signed in later: by cookies planted from a neighbouring host,
 * or in a browser that several people use.
 */
import { type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import { managedSessions, type SessionChange } from "../../src/sessions.js"
import type { Feature } from "../../src/types/feature.js"
import type { TestBrowser, Visit } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { optionsOf, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

const strategies = ["jwt", "database"] as const
const victim = "victim@app.test"
const isCheck = (name: string): boolean => /authjs\.(state|pkce|nonce|challenge)/.test(name)

afterEach(() => {
  vi.useRealTimers()
})

async function open(
  strategy: "jwt" | "database",
  features: readonly Feature[],
  { config, adapter }: Pick<WorldOptions, "adapter" | "config"> = {},
): Promise<World> {
  const world = await makeWorld({
    strategy,
    ...(adapter && { adapter }),
    more: [Passkey()],
    provider: {
      checks: ["pkce", "state", "nonce"],
      emailVerified: ({ email_verified }: { email_verified?: boolean }) => email_verified,
    },
    second: { id: "other" },
    config: { features: [...features], experimental: { enableWebAuthn: true }, ...config },
  })
  world.op.person = { sub: "thief", email: "thief@op.test", email_verified: true }
  return world
}

/** What a page on a neighbouring sub-domain can do: `__Secure-` does not stop `Domain=`. */
function plant(from: TestBrowser, to: TestBrowser): void {
  for (const [name, { value }] of from.jar) if (isCheck(name)) to.setCookie(name, value)
}

async function begin(world: World, browser: TestBrowser, provider = "op"): Promise<string> {
  const { location } = await browser.post(`/auth/signin/${provider}`)
  return world.op.authorize(location ?? "").href
}

/** The answer to a registration, made where the options were asked for. */
async function register(browser: TestBrowser, key: SoftwarePasskey): Promise<(at: TestBrowser) => Promise<Visit>> {
  const { action, options } = await optionsOf(browser, { action: "register" })
  const body = { action, data: JSON.stringify(await key.create(options)) }
  const headers = { origin: "https://evil.app.test", "sec-fetch-site": "same-site" }
  return (at) => at.post("/auth/callback/passkey", body, { csrf: false, headers })
}

function requestOf(browser: TestBrowser): Request {
  const cookie = [...browser.jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
  return new Request("https://app.test/", { headers: { cookie } })
}

function keep(browser: TestBrowser, { cookies }: SessionChange): void {
  for (const { name, value } of cookies) if (value) browser.setCookie(name, value)
}

const ownerOf = async (world: World, providerAccountId = "thief", provider = "op"): Promise<unknown> =>
  (await world.adapter.getUserByAccount?.({ provider, providerAccountId }))?.email ?? null

const addressIn = async (browser: TestBrowser): Promise<unknown> =>
  ((await browser.session()) as { user?: { email?: string } } | null)?.user?.email ?? null

const idOf = async (world: World, email: string): Promise<string> =>
  (await world.adapter.getUserByEmail?.(email))?.id ?? ""

const signOut = (browser: TestBrowser): Promise<Visit> => browser.post("/auth/signout")

const prepared = strategies.flatMap((strategy) => [
  { strategy, made: "nothing more", features: () => [], config: {} },
  { strategy, made: "managed sessions", features: () => [managedSessions(), passkeys()], config: {} },
  ...(strategy === "database"
    ? [
        {
          strategy,
          made: "tokens of the application",
          features: () => [],
          config: { session: { strategy, generateSessionToken: () => crypto.randomUUID() } },
        },
      ]
    : []),
])

describe.each(prepared)("begun in an account that was prepared for somebody, $strategy, $made", (given) => {
  const tags = ["threat:CK-09"]
  const prepare = async () => {
    const world = await open(given.strategy, given.features(), given)
    const thief = world.browser()
    await registerPasskey(thief, softwarePasskey(), victim)
    return { world, thief }
  }

  it("links nothing to the owner of the address", { tags }, async () => {
    const { world, thief } = await prepare()
    const back = await begin(world, thief)
    const owner = world.browser()
    await world.signInByMail(owner, victim)
    plant(thief, owner)
    expect((await owner.get(back)).location).toContain("error=OAuthAccountNotLinked")
    expect([await ownerOf(world), await addressIn(owner)]).toEqual([null, victim])
  })

  it("links nothing in a browser that both use", { tags }, async () => {
    const { world, thief: shared } = await prepare()
    const back = await begin(world, shared)
    await signOut(shared)
    await world.signInByMail(shared, victim)
    expect((await shared.get(back)).location).toContain("error=OAuthAccountNotLinked")
    expect([await ownerOf(world), await addressIn(shared)]).toEqual([null, victim])
  })

  it("registers no passkey", { tags }, async () => {
    const { world, thief } = await prepare()
    const key = softwarePasskey()
    const answer = await register(thief, key)
    const owner = world.browser()
    await world.signInByMail(owner, victim)
    plant(thief, owner)
    expect((await answer(owner)).location).toContain("error=Signin")
    const later = world.browser()
    await signInByPasskey(later, key)
    expect(await later.session()).toBeNull()
  })
})

describe.each(prepared)(
  "begun in an account that was prepared for somebody, who proves the address at a provider and adds what proves nothing, $strategy, $made",
  (given) => {
    it.each([
      ["a passkey", async (_: World, owner: TestBrowser) => void (await registerPasskey(owner, softwarePasskey()))],
      [
        "an account",
        async (world: World, owner: TestBrowser) => {
          world.op.person = { sub: "owner elsewhere", email: "owner@other.test" }
          await world.signInAtOp(owner, { provider: "other" })
        },
      ],
      ["nothing, where accounts cannot be listed", undefined],
    ])("registers no passkey after they added %s", { tags: ["threat:CK-09"] }, async (_, add) => {
      const { listAccountsByUserId, ...unlisted } = memoryAdapter()
      const adapter = add ? undefined : unlisted
      const world = await open(given.strategy, given.features(), { config: given.config, ...(adapter && { adapter }) })
      const [thief, owner] = [world.browser(), world.browser()]
      await registerPasskey(thief, softwarePasskey(), victim)
      const key = softwarePasskey()
      const answer = await register(thief, key)
      world.op.person = { sub: "owner", email: victim, email_verified: true }
      await world.signInAtOp(owner)
      await add?.(world, owner)
      expect(await addressIn(owner)).toBe(victim)
      plant(thief, owner)
      expect((await answer(owner)).location).toContain("error=Signin")
      const later = world.browser()
      await signInByPasskey(later, key)
      expect(await later.session()).toBeNull()
    })
  },
)

describe.each(strategies)("begun in a session of the same user that has ended, %s", (strategy) => {
  const tags = ["threat:CK-09"]
  const openStolen = async () => {
    const sessions = managedSessions()
    const world = await open(strategy, [sessions, passkeys()])
    const [owner, stolen] = [world.browser(), world.browser()]
    for (const browser of [owner, stolen]) await world.signInByMail(browser, victim)
    const end = async (): Promise<void> => {
      await sessions.endAll(world.auth, await idOf(world, victim))
      await world.signInByMail(owner, victim)
      expect([await addressIn(stolen), await addressIn(owner)]).toEqual([null, victim])
      plant(stolen, owner)
    }
    return { world, owner, stolen, end }
  }

  it("links nothing", { tags }, async () => {
    const { world, owner, stolen, end } = await openStolen()
    const back = await begin(world, stolen)
    await end()
    expect((await owner.get(back)).location).toContain("error=OAuthAccountNotLinked")
    expect([await ownerOf(world), await addressIn(owner)]).toEqual([null, victim])
  })

  it("registers no passkey", { tags }, async () => {
    const { world, owner, stolen, end } = await openStolen()
    const answer = await register(stolen, softwarePasskey())
    await end()
    expect((await answer(owner)).location).toContain("error=Signin")
    expect(await world.adapter.listAuthenticatorsByUserId?.(await idOf(world, victim))).toEqual([])
  })

  it.each([
    ["managed sessions", [managedSessions(), passkeys({ policy: { maxAge: 60 } })]],
    ["facts of sessions alone", [passkeys({ policy: { maxAge: 60 } })]],
  ])("links nothing where that session was too old to add an account: %s", { tags }, async (_, features) => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const world = await open(strategy, features)
    const browser = world.browser()
    await world.signInByMail(browser, victim)
    vi.setSystemTime(Date.now() + 120_000)
    expect((await browser.get(await begin(world, browser))).location).toContain("SessionRequired")
    const back = await begin(world, browser)
    await world.signInByMail(browser, victim)
    expect((await browser.get(back)).location).toContain("error=OAuthAccountNotLinked")
    expect(await ownerOf(world)).toBeNull()
    expect((await browser.get(await begin(world, browser))).location).toBe("https://app.test/")
    expect(await ownerOf(world)).toBe(victim)
  })
})

describe.each(strategies)("begun by somebody who acts for the user, %s", (strategy) => {
  const tags = ["threat:SF-26"]
  const openActing = async (prepare?: (staff: TestBrowser) => Promise<unknown>) => {
    const sessions = managedSessions({ policy: {} })
    const earlier = await open(strategy, [])
    const before = earlier.browser()
    await earlier.signInByMail(before, victim)
    const world = await open(strategy, [sessions], { adapter: earlier.adapter })
    const [owner, staff] = [world.browser(), world.browser()]
    // Nothing is known of this session's beginning, as of one in which somebody acts.
    owner.setCookie(sessionCookie, before.cookie(sessionCookie) ?? "")
    await world.signInByMail(staff, "staff@app.test")
    await prepare?.(staff)
    keep(staff, await sessions.actAs(world.auth, requestOf(staff), await idOf(world, victim)))
    expect(await addressIn(staff)).toBe(victim)
    return { world, owner, staff }
  }

  it("signs in with a passkey of their own", async () => {
    const key = softwarePasskey()
    const { staff } = await openActing((browser) => registerPasskey(browser, key))
    await signInByPasskey(staff, key)
    expect(await addressIn(staff)).toBe("staff@app.test")
  })

  it("links nothing to the user", { tags }, async () => {
    const { world, owner, staff } = await openActing()
    const back = await begin(world, staff)
    plant(staff, owner)
    expect((await owner.get(back)).location).toContain("error=OAuthAccountNotLinked")
    expect(await ownerOf(world)).toBeNull()
  })

  it("registers no passkey of the user", { tags }, async () => {
    const { world, owner, staff } = await openActing()
    const answer = await register(staff, softwarePasskey())
    plant(staff, owner)
    expect((await answer(owner)).location).toContain("error=Signin")
    expect(await world.adapter.listAuthenticatorsByUserId?.(await idOf(world, victim))).toEqual([])
  })
})

describe.each(
  strategies.flatMap((strategy) => [
    { strategy, kept: "nothing", features: () => [] },
    { strategy, kept: "facts", features: () => [passkeys()] },
    { strategy, kept: "records", features: () => [managedSessions(), passkeys()] },
  ]),
)("a person who stays signed in, $strategy, with $kept kept of sessions", ({ strategy, features }) => {
  it("links two accounts in two tabs, and a passkey", { tags: ["threat:RC-20"] }, async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const world = await open(strategy, features())
    const browser = world.browser()
    await world.signInByMail(browser, victim)
    const first = await begin(world, browser)
    const second = await begin(world, browser, "other")
    const answer = await register(browser, softwarePasskey())
    vi.setSystemTime(Date.now() + 60_000)
    expect((await browser.get(second)).location).toBe("https://app.test/")
    await browser.session()
    expect((await browser.get(first)).location).toBe("https://app.test/")
    expect([await ownerOf(world), await ownerOf(world, "thief", "other")]).toEqual([victim, victim])
    expect((await answer(browser)).location).toBe("https://app.test/")
    expect(await world.adapter.listAuthenticatorsByUserId?.(await idOf(world, victim))).toHaveLength(1)
  })
})

describe.each(
  strategies.flatMap((strategy) => [
    { strategy, deed: "endOthers" as const },
    { strategy, deed: "rotate" as const },
  ]),
)("a session that got a new token, $strategy, $deed", ({ strategy, deed }) => {
  const openRenewed = async () => {
    const sessions = managedSessions()
    const world = await open(strategy, [sessions, passkeys()])
    const [owner, copy] = [world.browser(), world.browser()]
    await world.signInByMail(owner, victim)
    copy.setCookie(sessionCookie, owner.cookie(sessionCookie) ?? "")
    const renew = async () => keep(owner, await sessions[deed](world.auth, requestOf(owner)))
    return { world, owner, copy, renew }
  }

  it("finishes nothing that a copy of the one before began, while or before it is replaced", {
    tags: ["threat:CK-09"],
  }, async () => {
    const { world, owner, copy, renew } = await openRenewed()
    const back = [await begin(world, copy)]
    const answers = [await register(copy, softwarePasskey())]
    await renew()
    back.push(await begin(world, copy))
    for (const href of back) {
      plant(copy, owner)
      expect((await owner.get(href)).location).not.toBe("https://app.test/")
    }
    for (const answer of answers) {
      plant(copy, owner)
      expect((await answer(owner)).location).toContain("error=Signin")
    }
    expect([await ownerOf(world), await addressIn(owner)]).toEqual([null, victim])
  })

  it("finishes what begins in it, also when an account is added meanwhile", async () => {
    const { world, owner, renew } = await openRenewed()
    await renew()
    const first = await begin(world, owner)
    const second = await begin(world, owner, "other")
    for (const href of [second, first]) expect((await owner.get(href)).location).toBe("https://app.test/")
    expect([await ownerOf(world), await ownerOf(world, "thief", "other")]).toEqual([victim, victim])
  })
})
