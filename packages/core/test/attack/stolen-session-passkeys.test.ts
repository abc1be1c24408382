/** Passkeys of somebody whose session is in other hands: none is added or removed without a recent sign-in. */
import { softwarePasskey } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { SignInCall } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { type PasskeysOptions, passkeys } from "../../src/passkeys.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TestBrowser, Visit } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { optionsOf, passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())
const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)

const asPerson = { accept: "text/html" }
const strategies = ["jwt", "database"] as const
const tags = ["threat:V7-16"]

/** Somebody with two passkeys, signed in for `seconds`. */
async function withPasskeys(
  strategy: (typeof strategies)[number],
  {
    seconds = 901,
    options,
    config,
  }: { seconds?: number; options?: PasskeysOptions; config?: Partial<AuthConfig> } = {},
) {
  const keys = passkeys(options)
  const adapter = memoryAdapter()
  const world = await makeWorld({ strategy, adapter, config: { ...passkeyConfig, features: [keys], ...config } })
  const browser = world.browser()
  const authenticator = softwarePasskey()
  await registerPasskey(browser, authenticator, "ada@app.test")
  await registerPasskey(browser, softwarePasskey())
  const [id = ""] = config?.features ? [] : await idsOf(browser)
  pass(seconds)
  return { world, browser, authenticator, keys, id }
}

const idsOf = async (browser: TestBrowser): Promise<readonly string[]> =>
  (JSON.parse((await browser.get("/auth/passkeys")).text) as readonly { id: string }[]).map(({ id }) => id)
const addressIn = (visit: Visit): URL => new URL(visit.location ?? "about:blank")
/** Where the sign-in page that a visit led to leads back to. */
const backOf = (visit: Visit): string => {
  const to = addressIn(visit)
  expect([visit.status, to.pathname, to.searchParams.get("error")]).toEqual([302, "/auth/signin", "SessionRequired"])
  const { pathname, search } = new URL(to.searchParams.get("callbackUrl") ?? "about:blank")
  return pathname + search
}
const refusal = {
  error: "insufficient_user_authentication",
  message: "This needs a recent sign-in: sign in again, then repeat.",
  max_age: 900,
  url: "https://app.test/auth/signin",
}

describe.each(strategies)("a session of the kind %s that began a while ago", (strategy) => {
  it("removes no passkey, the last one neither, and renames one", { tags }, async () => {
    const { browser, id } = await withPasskeys(strategy)
    for (const last of ["true", "false"]) {
      const refused = await browser.post("/auth/passkeys", { remove: id, last })
      expect([refused.status, JSON.parse(refused.text)]).toEqual([401, refusal])
    }
    expect(await idsOf(browser)).toHaveLength(2)
    expect((await browser.post("/auth/passkeys", { rename: id, name: "Phone" })).status).toBe(200)
  })

  it("gets no options for one more, and none that were made before count", { tags }, async () => {
    const { browser } = await withPasskeys(strategy, { seconds: 899 })
    const { options } = await optionsOf(browser, { action: "register" })
    pass(2)
    const asked = await browser.get("/auth/webauthn-options/passkey?action=register")
    expect([asked.status, JSON.parse(asked.text)]).toEqual([401, refusal])
    const fields = { action: "register", data: JSON.stringify(await softwarePasskey().create(options)) }
    const script = await browser.post("/auth/callback/passkey", fields, { json: true })
    expect([script.status, JSON.parse(script.text)]).toEqual([401, refusal])
    expect(await idsOf(browser)).toHaveLength(2)
  })

  it("is led from the page to a sign-in, and back to what was asked", { tags }, async () => {
    const { browser, authenticator, id } = await withPasskeys(strategy)
    const list = await browser.get("/auth/passkeys", asPerson)
    expect(list.text).not.toContain("data-passkey=")
    const [, link = ""] = /<a class="primary" href="([^"]+)">Add a passkey<\/a>/.exec(list.text) ?? []
    const signin = new URL(link.replaceAll("&amp;", "&"))
    expect([signin.pathname, signin.searchParams.get("callbackUrl")]).toEqual([
      "/auth/signin",
      "https://app.test/auth/passkeys",
    ])
    expect(backOf(await browser.get(`/auth/passkeys?remove=${id}`, asPerson))).toBe(`/auth/passkeys?remove=${id}`)
    const posted = await browser.post("/auth/passkeys", { remove: id, last: "true" }, { headers: asPerson })
    expect(backOf(posted)).toBe(`/auth/passkeys?remove=${id}`)
    await signInByPasskey(browser, authenticator)
    expect((await browser.get("/auth/passkeys", asPerson)).text).toContain("data-passkey=")
    const removed = await browser.post("/auth/passkeys", { remove: id }, { headers: asPerson })
    expect(addressIn(removed).searchParams.get("did")).toBe("didRemove")
    expect(await idsOf(browser)).toHaveLength(1)
  })

  it("leads to a sign-in where a form with a new passkey comes too late", { tags }, async () => {
    const { browser } = await withPasskeys(strategy, { seconds: 899 })
    const { options } = await optionsOf(browser, { action: "register" })
    pass(2)
    const fields = { action: "register", data: JSON.stringify(await softwarePasskey().create(options)) }
    expect(backOf(await browser.post("/auth/callback/passkey", fields, { headers: asPerson }))).toBe("/auth/passkeys")
    expect(await idsOf(browser)).toHaveLength(2)
  })

  it("gets an error where a route of the application hands on a new passkey too late, and adds none", {
    tags,
  }, async () => {
    const { browser, world } = await withPasskeys(strategy, { seconds: 899 })
    const { options } = await optionsOf(browser, { action: "register" })
    pass(2)
    const fields = { action: "register", data: JSON.stringify(await softwarePasskey().create(options)) }
    const cookie = [...browser.jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
    const signIn = (call: SignInCall) =>
      world.auth.signIn({ url: "https://app.test/", headers: { cookie } }, "passkey", { fields, ...call })
    await expect(signIn({})).rejects.toMatchObject({ type: "ReauthenticationRequired", status: 401 })
    const { redirect, refusal: shown } = await signIn({ onRefusal: "redirect" })
    expect(shown).toMatchObject({ type: "ReauthenticationRequired" })
    expect(redirect).toBe("https://app.test/auth/signin?error=SessionRequired")
    expect(await idsOf(browser)).toHaveLength(2)
  })

  it("becomes no newer by a passkey that is added", { tags }, async () => {
    const { browser, id } = await withPasskeys(strategy, { seconds: 600 })
    await registerPasskey(browser, softwarePasskey())
    expect(await idsOf(browser)).toHaveLength(3)
    pass(301)
    expect((await browser.post("/auth/passkeys", { remove: id })).status).toBe(401)
  })

  it("does what the application's policy allows", async () => {
    const long = await withPasskeys(strategy, { options: { policy: { maxAge: 3600 } } })
    expect((await long.browser.post("/auth/passkeys", { remove: long.id })).status).toBe(200)
    const none = await withPasskeys(strategy, { seconds: 86_400, options: { policy: {} } })
    await registerPasskey(none.browser, softwarePasskey())
    expect(await idsOf(none.browser)).toHaveLength(3)
    const strong = await withPasskeys(strategy, { seconds: 0, options: { policy: { acr: "mfa" } } })
    const refused = await strong.browser.post("/auth/passkeys", { remove: strong.id })
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([401, { acr_values: "mfa" }])
  })

  it("removes what code of the application removes", async () => {
    const { browser, world, keys, id } = await withPasskeys(strategy)
    const headers = { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` }
    expect(await keys.remove(world.auth, { url: "https://app.test/", headers }, { id })).toBe("removed")
  })

  it("from before the feature was listed is asked for a sign-in", { tags }, async () => {
    const { world, browser, authenticator } = await withPasskeys(strategy, { seconds: 0, config: { features: [] } })
    const config = { ...passkeyConfig, features: [passkeys()] }
    const later = (await makeWorld({ strategy, adapter: world.adapter, config })).browser()
    for (const [name, cookie] of browser.jar) later.jar.set(name, cookie)
    const [id = ""] = await idsOf(later)
    expect((await later.post("/auth/passkeys", { remove: id })).status).toBe(401)
    await signInByPasskey(later, authenticator)
    expect((await later.post("/auth/passkeys", { remove: id })).status).toBe(200)
  })
})

it("counts nothing for a user whom only the jwt callback names", { tags }, async () => {
  const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = ({ token: { sub: _, ...token }, user }) =>
    user ? { ...token, uid: user.id } : { ...token, sub: String(token["uid"]) }
  const config = { ...passkeyConfig, features: [passkeys()], callbacks: { jwt } }
  const browser = (await makeWorld({ strategy: "jwt", adapter: memoryAdapter(), config })).browser()
  await registerPasskey(browser, softwarePasskey(), "ada@app.test")
  const asked = await browser.get("/auth/webauthn-options/passkey?action=register")
  expect([asked.status, JSON.parse(asked.text)]).toEqual([401, refusal])
})

it("asks nothing where the feature is not listed, as Auth.js does", async () => {
  const { world, browser } = await withPasskeys("jwt", { config: { features: [] } })
  await registerPasskey(browser, softwarePasskey())
  const user = await world.adapter.getUserByEmail?.("ada@app.test")
  expect(await world.adapter.listAuthenticatorsByUserId?.(user?.id ?? "")).toHaveLength(3)
})

it("asks nothing of who begins with a passkey", async () => {
  const { world } = await withPasskeys("jwt")
  const eve = world.browser()
  await registerPasskey(eve, softwarePasskey(), "eve@app.test")
  expect(await idsOf(eve)).toHaveLength(1)
})
