/** The page of passkeys: what its user reads, where its links and forms lead, without a script. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TestBrowser, Visit } from "../support/browser.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const asPerson = { accept: "text/html,application/xhtml+xml" }
const see = (browser: TestBrowser, query = ""): Promise<Visit> => browser.get(`/auth/passkeys${query}`, asPerson)
const submit = (browser: TestBrowser, fields: Record<string, string>): Promise<Visit> =>
  browser.post("/auth/passkeys", fields, { headers: asPerson })
const pathOf = (visit: Visit): string => {
  const { pathname, search } = new URL(visit.location ?? "about:blank")
  return pathname + search
}
const idsOf = (page: Visit): readonly string[] => [...page.text.matchAll(/\?remove=([\w-]+)/g)].map(([, id = ""]) => id)
const asStored = (id: string): string => Buffer.from(id, "base64url").toString("base64")
const signalsOf = (page: Visit): readonly Record<string, unknown>[] =>
  JSON.parse((/data-signals="([^"]*)"/.exec(page.text)?.[1] ?? "").replaceAll("&quot;", '"')) as []

async function withPasskey(config: Partial<AuthConfig> = {}) {
  const world = await makeWorld({
    strategy: "jwt",
    adapter: memoryAdapter(),
    config: { ...passkeyConfig, features: [passkeys()], ...config },
  })
  const browser = world.browser()
  const authenticator = softwarePasskey()
  await registerPasskey(browser, authenticator, "ada@app.test")
  const [id = ""] = idsOf(await see(browser))
  return { world, browser, authenticator, id }
}

describe("the page of passkeys", () => {
  it("lists them with name, keeper, days and whether they are synced", async () => {
    const { browser, authenticator, id } = await withPasskey()
    await signInByPasskey(browser, authenticator)
    await submit(browser, { rename: id, name: "<My> phone" })
    const page = await see(browser)
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(page.text).toContain("<h1>Your passkeys</h1>")
    expect(page.text).toContain("<strong>&lt;My&gt; phone</strong>")
    expect(page.text).toContain("On one device only")
    expect(page.text).toMatch(/Added <time datetime="[^"]+">\w+ \d+, \d{4}<\/time>/)
    expect(page.text).toMatch(/Last used <time datetime="[^"]+">/)
  })

  it("is in the language of its reader", async () => {
    const { browser } = await withPasskey({ language: "de" })
    const page = await see(browser)
    expect(page.headers.get("content-language")).toBe("de")
    expect(page.text).toContain("<h1>Ihre Passkeys</h1>")
  })

  it("lets nothing run or load but its own scripts and styles", async () => {
    const { browser } = await withPasskey()
    const policy = (await see(browser)).headers.get("content-security-policy") ?? ""
    expect(policy).not.toContain("unsafe")
    expect(policy).toMatch(/script-src 'sha256-[^']+' 'sha256-[^']+';/)
    expect(policy).toContain("default-src 'none'")
  })

  it("offers to add one, and comes back to the list saying so", async () => {
    const { browser } = await withPasskey()
    const page = await see(browser)
    expect(page.text).toContain('value="register" hidden>Add a passkey')
    const [, back = ""] = /name="callbackUrl" value="([^"]+)"/.exec(page.text) ?? []
    expect(back).toBe("https://app.test/auth/passkeys?did=didAdd")
    expect((await see(browser, "?did=didAdd")).text).toContain('role="status">The passkey was added.')
  })

  it("offers none while the switch of passkeys is off", async () => {
    const { browser, world } = await withPasskey()
    const config = { ...passkeyConfig, features: [passkeys()], experimental: { enableWebAuthn: false } }
    const off = (await makeWorld({ strategy: "jwt", adapter: world.adapter, config })).browser()
    for (const [name, cookie] of browser.jar) off.jar.set(name, cookie)
    expect((await see(browser)).text).toContain("data-passkey=")
    const page = await see(off)
    expect(page.text).toContain("<strong>Passkey</strong>")
    expect(page.text).not.toContain("data-passkey=")
  })

  it("leads to the sign-in page and back where nobody is signed in", async () => {
    const { world } = await withPasskey()
    const stranger = world.browser()
    const page = await see(stranger, "?remove=abc&callbackUrl=%2Faccount")
    expect(page.status).toBe(302)
    const to = new URL(page.location ?? "")
    expect([to.pathname, to.searchParams.get("error")]).toEqual(["/auth/signin", "SessionRequired"])
    const back = new URL(to.searchParams.get("callbackUrl") ?? "")
    expect([back.pathname, back.searchParams.get("remove"), back.searchParams.get("callbackUrl")]).toEqual([
      "/auth/passkeys",
      "abc",
      "https://app.test/account",
    ])
    const posted = await submit(stranger, { remove: "abc", last: "true" })
    expect(pathOf(posted)).toContain("/auth/signin?error=SessionRequired")
  })

  it("leads back to where its reader came from, and to no other site", { tags: ["threat:RD-001"] }, async () => {
    const { browser, id } = await withPasskey()
    expect((await see(browser)).text).toContain('<a href="https://app.test">Back to the site</a>')
    const page = await see(browser, "?callbackUrl=%2Faccount")
    expect(page.text).toContain('<a href="https://app.test/account">Back to the site</a>')
    expect(page.text).toContain(`callbackUrl=https%3A%2F%2Fapp.test%2Faccount&amp;rename=${id}`)
    const renamed = await submit(browser, { rename: id, name: "Key", callbackUrl: "/account" })
    expect(pathOf(renamed)).toBe("/auth/passkeys?callbackUrl=https%3A%2F%2Fapp.test%2Faccount&did=didRename")
    const elsewhere = await see(browser, "?callbackUrl=https%3A%2F%2Fevil.test%2F")
    expect(elsewhere.text).not.toContain("evil.test")
  })

  it("is JSON for scripts, and no page where the feature is not listed", async () => {
    const { browser } = await withPasskey()
    expect((await browser.get("/auth/passkeys")).headers.get("content-type")).toBe("application/json")
    const script = await browser.get("/auth/passkeys", { ...asPerson, "x-auth-return-redirect": "1" })
    expect(script.headers.get("content-type")).toBe("application/json")
    const { browser: without } = await withPasskey({ features: [] })
    expect((await see(without)).status).toBe(404)
  })
})

describe("a form of the page", () => {
  it("renames a passkey: the question has its name, and the list says that it was done", async () => {
    const { browser, id } = await withPasskey()
    const question = await see(browser, `?rename=${id}`)
    expect(question.text).toContain("<h1>Rename this passkey</h1>")
    expect(question.text).toContain('value="Passkey"')
    const renamed = await submit(browser, { rename: id, name: "Laptop" })
    expect(pathOf(renamed)).toBe("/auth/passkeys?did=didRename")
    const list = await see(browser, "?did=didRename")
    expect(list.text).toContain("<strong>Laptop</strong>")
    expect(list.text).toContain('role="status">The passkey was renamed.')
  })

  it("asks again where the name is empty", async () => {
    const { browser, id } = await withPasskey()
    expect(pathOf(await submit(browser, { rename: id, name: " " }))).toBe(`/auth/passkeys?rename=${id}`)
  })

  it("removes a passkey only after the question, which a link alone never answers", {
    tags: ["threat:V6-16"],
  }, async () => {
    const { browser, id, world, authenticator } = await withPasskey()
    const second = softwarePasskey()
    await registerPasskey(browser, second)
    const question = await see(browser, `?remove=${id}&last=true`)
    expect(question.text).toContain("<h1>Remove this passkey?</h1>")
    expect(question.text).not.toContain("only way")
    expect(idsOf(await see(browser))).toHaveLength(2)
    const removed = await submit(browser, { remove: id })
    expect(pathOf(removed)).toMatch(/^\/auth\/passkeys\?did=didRemove&removed=[\w.-]+$/)
    expect(idsOf(await see(browser))).not.toContain(id)
    const later = world.browser()
    await signInByPasskey(later, authenticator)
    expect(await later.session()).toBeNull()
  })

  it("warns of the last way in, and removes it when its user insists", async () => {
    const { browser, id } = await withPasskey()
    expect(pathOf(await submit(browser, { remove: id }))).toBe(`/auth/passkeys?remove=${id}`)
    const question = await see(browser, `?remove=${id}`)
    expect(question.text).toContain("This is your only way to sign in.")
    expect(question.text).toContain('<input type="hidden" name="last" value="true">')
    expect(question.text).toContain("Remove it anyway")
    expect(pathOf(await submit(browser, { remove: id, last: "true" }))).toContain("did=didRemove")
    expect((await see(browser)).text).toContain("You have no passkeys yet.")
  })

  it("changes nothing without the CSRF token, and says so on a page", async () => {
    const { browser, id } = await withPasskey()
    for (const fields of [
      { remove: id, last: "true" },
      { rename: id, name: "Mine" },
    ] as const) {
      const refused = await browser.post("/auth/passkeys", fields, { csrf: false, headers: asPerson })
      expect([refused.status, refused.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"])
    }
    expect((await see(browser)).text).toContain("<strong>Passkey</strong>")
  })

  it("says that there is no such passkey, of somebody else as of nobody", { tags: ["threat:A-043"] }, async () => {
    const { browser, world, id } = await withPasskey()
    const eve = world.browser()
    await registerPasskey(eve, softwarePasskey(), "eve@app.test")
    for (const question of [`?rename=${id}`, `?remove=${id}`])
      expect(pathOf(await see(eve, question))).toBe("/auth/passkeys?did=absent")
    expect(pathOf(await submit(eve, { remove: id, last: "true" }))).toBe("/auth/passkeys?did=absent")
    const asked = pathOf(await submit(eve, { rename: id, name: "Hers" }))
    expect(pathOf(await eve.get(asked, asPerson))).toBe("/auth/passkeys?did=absent")
    expect((await see(browser)).text).toContain("<strong>Passkey</strong>")
    expect((await see(eve, "?did=absent")).text).toMatch(/role="alert"><p>There is no such passkey\./)
    expect(idsOf(await see(browser))).toEqual([id])
  })
})

describe("what the browser learns", () => {
  it("names the accepted passkeys, on the page and for scripts", async () => {
    const { browser, id } = await withPasskey()
    const signal = {
      rpId: "app.test",
      userId: expect.stringMatching(/^[\w-]{43}$/),
      name: "ada@app.test",
      displayName: "ada@app.test",
      allAcceptedCredentialIds: [id],
    }
    expect(signalsOf(await see(browser))).toEqual([signal])
    expect(JSON.parse((await browser.get("/auth/passkeys?signals=true")).text)).toEqual([signal])
  })

  it("uses the handle that a registration while signed in gets", async () => {
    const { browser } = await withPasskey()
    const { options } = JSON.parse((await browser.get("/auth/webauthn-options/passkey?action=register")).text)
    expect(signalsOf(await see(browser))[0]).toMatchObject({ userId: options.user.id, name: options.user.name })
  })

  it("says that a passkey is gone to the one who removed it, until it is there again", async () => {
    const { browser, world, id } = await withPasskey()
    const account = await world.adapter.getAccount?.(asStored(id), "passkey")
    const removal = new URL((await submit(browser, { remove: id, last: "true" })).location ?? "").search
    expect((await see(browser, removal)).text).toContain(`data-removed="${id}"`)
    const eve = world.browser()
    await registerPasskey(eve, softwarePasskey(), "eve@app.test")
    expect((await see(eve, removal)).text).not.toContain("data-removed")
    if (account) await world.adapter.linkAccount?.(account)
    expect((await see(browser, removal)).text).not.toContain("data-removed")
  })

  it("says so for some minutes", async () => {
    const { browser, id } = await withPasskey()
    const removal = new URL((await submit(browser, { remove: id, last: "true" })).location ?? "").search
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 16 * 60_000 })
    const page = await see(browser, removal)
    vi.useRealTimers()
    expect(page.text).toContain("The passkey was removed.")
    expect(page.text).not.toContain("data-removed")
  })

  it("takes no id from a link", async () => {
    const { browser, id } = await withPasskey()
    await submit(browser, { remove: id, last: "true" })
    for (const odd of [id, "%3Cb%3E", "a", "abcde", "a.b.c.d.e", "x".repeat(2000)]) {
      const { text } = await see(browser, `?did=didRemove&removed=${odd}`)
      expect(text).toContain("Your passkeys")
      expect(text).not.toContain("data-removed")
    }
  })

  it("has one signal for each relying party", async () => {
    const other = Passkey({
      id: "other",
      enableConditionalUI: false,
      relayingParty: { id: "other.test", name: "Other", origin: "https://other.test" },
    })
    const { browser } = await withPasskey({ providers: [Passkey(), other] })
    expect(signalsOf(await see(browser)).map(({ rpId }) => rpId)).toEqual(["app.test", "other.test"])
    expect((await see(browser)).text.match(/data-passkey="/g)).toHaveLength(2)
  })
})
