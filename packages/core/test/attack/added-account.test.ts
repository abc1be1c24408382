/** Somebody holds a session that is not theirs, such as by a stolen cookie: adding an account of their own proves nothing of its user. */
import { softwarePasskey } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { AuthConfig } from "../../src/types/config.js"
import { openBrowser, type TestBrowser, type Visit } from "../support/browser.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const ada = "ada@op.test"
const hour = 60 * 60
const tags = ["threat:V7-15"]

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())
const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)

/** The owner in one browser, and in another a thief with a session of the owner that is `seconds` old. */
async function open(
  strategy: "jwt" | "database",
  { seconds = 600, session = {}, features = [managedSessions()] }: Partial<Opening> = {},
) {
  const world = await makeWorld({
    adapter: memoryAdapter(),
    more: [Passkey()],
    config: { features, experimental: { enableWebAuthn: true }, session: { strategy, ...session } },
  })
  const owner = world.browser()
  await world.signInByMail(owner, ada)
  const thief = world.browser()
  await world.signInByMail(thief, ada)
  pass(seconds)
  return { world, owner, thief }
}

interface Opening {
  readonly seconds: number
  readonly session: object
  readonly features: AuthConfig["features"]
}

const endOthers = async (browser: TestBrowser): Promise<number> =>
  (await browser.post("/auth/sessions", { end: "others" })).status
const key = softwarePasskey()
const ways: readonly (readonly [string, (world: World, browser: TestBrowser) => Promise<unknown>])[] = [
  ["a passkey", (_, browser) => registerPasskey(browser, key)],
  ["an account at a provider", (world, browser) => world.signInAtOp(browser)],
]

/** The providers of the accounts that Ada has. */
async function accountsIn({ adapter }: World): Promise<readonly string[]> {
  const user = await adapter.getUserByEmail?.(ada)
  const accounts = (await adapter.listAccountsByUserId?.(user?.id ?? "")) ?? []
  return accounts.map(({ provider }) => provider).toSorted()
}

/** The error of a visit that led to the sign-in page. */
const errorAt = ({ location }: Visit): string | null => {
  const to = new URL(location ?? "about:blank")
  expect(to.pathname).toBe("/auth/signin")
  return to.searchParams.get("error")
}

describe.each(["jwt", "database"] as const)("%s", (strategy) => {
  it.each(ways)("%s that was added is no sign-in of the last minutes", { tags: ["threat:V7-16"] }, async (_, add) => {
    const { world, owner, thief } = await open(strategy)
    await add(world, thief)
    expect(await accountsIn(world)).toHaveLength(2)
    pass(301)
    expect(await thief.session()).toMatchObject({ user: { email: ada } })
    expect(await endOthers(thief)).toBe(401)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })

  it("a session that began a while ago gets no account at a provider", { tags }, async () => {
    const { world, thief } = await open(strategy, { seconds: hour })
    const refused = await world.signInAtOp(thief, { callbackUrl: "/settings?tab=accounts" })
    expect(errorAt(refused)).toBe("SessionRequired")
    expect(await accountsIn(world)).toEqual(["mail"])
    expect(world.errors.map(({ name }) => name)).toEqual(["ReauthenticationRequired"])
    expect(await thief.session()).toMatchObject({ user: { email: ada } })
    const elsewhere = world.browser()
    expect(errorAt(await world.signInAtOp(elsewhere))).toBe("OAuthAccountNotLinked")
  })

  it("is led to a sign-in and back to where it wanted to add it", { tags }, async () => {
    const { world, owner } = await open(strategy, { seconds: hour })
    const refused = await world.signInAtOp(owner, { callbackUrl: "/settings?tab=accounts" })
    const { text } = await owner.get(refused.location ?? "", { accept: "text/html" })
    expect(text).toContain("Please sign in again, with a method you have used before, to confirm that it is you.")
    expect(text).toContain("<h1>Sign in</h1>")
    expect(text).not.toContain("Continue</a>")
    expect(text).toContain(">Sign out</button>")
    expect(text).toContain('name="callbackUrl" value="https://app.test/settings?tab=accounts"')
    await world.signInByMail(owner, ada)
    await world.signInAtOp(owner)
    expect(await accountsIn(world)).toEqual(["mail", "op"])
  })

  it.each([
    ["is new enough", [managedSessions()]],
    ["is asked for nothing", []],
  ] as const)("learns what a sign-in does where it %s, whatever the address says", { tags }, async (_, features) => {
    const { owner } = await open(strategy, { features: [...features] })
    const { text } = await owner.get("/auth/signin?error=SessionRequired&callbackUrl=%2F", { accept: "text/html" })
    expect(text).not.toContain("Please sign in again")
    expect(text).toContain("adds it to this account. To use a different account, sign out first.")
    expect(text).toContain("Continue</a>")
    expect(text).toContain(">Sign out</button>")
  })

  it("is led back to where it came from where there is no page of passkeys", { tags }, async () => {
    const { owner } = await open(strategy, { seconds: 895 })
    const response = await owner.get("/auth/webauthn-options/passkey?action=register")
    expect(response.status).toBe(200)
    pass(10)
    const form = { action: "register", data: "{}", callbackUrl: "/settings" }
    const refused = await owner.post("/auth/callback/passkey", form, { headers: { accept: "text/html" } })
    expect(errorAt(refused)).toBe("SessionRequired")
    expect(new URL(refused.location ?? "").searchParams.get("callbackUrl")).toBe("https://app.test/settings")
  })

  it("a sign-in at a provider that the user has already makes it new enough for the next one", { tags }, async () => {
    const { world, owner } = await open(strategy, { seconds: 0 })
    await world.signInAtOp(owner)
    pass(hour)
    await world.signInAtOp(owner)
    await registerPasskey(owner, softwarePasskey())
    expect(await accountsIn(world)).toEqual(["mail", "op", "passkey"])
  })

  it("one that ages while its user is at the provider gets none", { tags }, async () => {
    const { world, thief } = await open(strategy, { seconds: 899 })
    const begun = await thief.post("/auth/signin/op")
    pass(2)
    const back = world.op.authorize(begun.location ?? "")
    expect(errorAt(await thief.get(back.pathname + back.search))).toBe("SessionRequired")
    expect(await accountsIn(world)).toEqual(["mail"])
  })

  it("one from before what it rests on was kept gets none", { tags }, async () => {
    const { world, owner } = await open(strategy, { seconds: 0, features: [] })
    const features = [managedSessions()]
    const auth = createAuth({ ...world.config, features }, { env: {} })
    const later = openBrowser(auth.handle, { origin: "https://app.test" })
    for (const [name, cookie] of owner.jar) later.jar.set(name, cookie)
    expect(errorAt(await world.signInAtOp(later))).toBe("SessionRequired")
    expect(await accountsIn(world)).toEqual(["mail"])
  })

  it.each([
    ["sessions alone", [managedSessions({ policy: { maxAge: 7200, passive: true } })], "added"],
    ["passkeys alone", [passkeys({ policy: { maxAge: 7200, passive: true } })], "added"],
    ["passkeys beside sessions", [managedSessions(), passkeys({ policy: {} })], "added"],
    ["passkeys beside lenient sessions", [managedSessions({ policy: {} }), passkeys()], "refused"],
    ["passkeys without one of their own", [passkeys()], "refused"],
    ["nothing, as in Auth.js", [], "added"],
  ] as const)("what is asked is the policy of %s", async (_, features, came) => {
    const { world, owner } = await open(strategy, { seconds: hour, features: [...features] })
    await world.signInAtOp(owner)
    expect(await accountsIn(world)).toEqual(came === "added" ? ["mail", "op"] : ["mail"])
  })

  it.each([
    ["gets no passkey", [managedSessions()], 401],
    ["gets a passkey where nothing is listed", [], 200],
  ] as const)("a session that began a while ago %s", { tags }, async (_, features, status) => {
    const { owner } = await open(strategy, { seconds: hour, features: [...features] })
    expect((await owner.get("/auth/webauthn-options/passkey?action=register")).status).toBe(status)
  })

  it("who is signed out is asked for nothing", async () => {
    const { world } = await open(strategy, { seconds: hour })
    const eve = world.browser()
    await registerPasskey(eve, softwarePasskey(), "eve@app.test")
    expect(await eve.session()).toMatchObject({ user: { email: "eve@app.test" } })
  })

  it.each(ways)("%s that was added puts off no end", async (_, add) => {
    const { world, thief } = await open(strategy, { session: { overallMaxAge: 2 * hour } })
    await add(world, thief)
    expect(await accountsIn(world)).toHaveLength(2)
    pass(2 * hour - 540)
    expect(await thief.session()).toBeNull()
  })

  it("a sign-in with a passkey that the user has already is one", async () => {
    const { owner } = await open(strategy)
    await registerPasskey(owner, key)
    pass(hour)
    expect(await endOthers(owner)).toBe(401)
    await signInByPasskey(owner, key)
    expect(await endOthers(owner)).toBe(200)
  })
})
