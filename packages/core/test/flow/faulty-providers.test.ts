/** A mistake in one provider affects that provider only: all others work. */
import { describe, expect, it } from "vitest"
import { AzureDevOpsProvider } from "../../src/providers/azure-devops.js"
import { Keycloak } from "../../src/providers/keycloak.js"
import { Passage } from "../../src/providers/passage.js"
import type { Provider } from "../../src/types/provider.js"
import { makeWorld } from "../support/world.js"

const mail = { id: "post", name: "Post", type: "email", sendVerificationRequest: () => undefined }
const passkey = { id: "passkey", name: "Passkey", type: "webauthn" }
const password = { id: "password", name: "Password", type: "credentials", credentials: {} }

const faulty: readonly [what: string, entry: unknown, id: string, config?: object][] = [
  ["a product that is gone", AzureDevOpsProvider({ clientId: "id", clientSecret: "hush" }), "azure-devops"],
  ["a service that has ended", Passage({ clientId: "id", clientSecret: "hush" }), "passage"],
  ["an issuer that is missing", Keycloak({ clientId: "id", clientSecret: "hush" }), "keycloak"],
  ["an address of plain http", Keycloak({ clientId: "id", issuer: "http://op.example" }), "keycloak"],
  ["checks that there are not", { ...Keycloak({ issuer: "https://op.example" }), checks: ["magic"] }, "keycloak"],
  ["passkeys that are not switched on", passkey, "passkey"],
  [
    "a library that lacks functions",
    { ...passkey, simpleWebAuthn: { verifyAuthenticationResponse: () => undefined } },
    "passkey",
    { experimental: { enableWebAuthn: true } },
  ],
  ["no authorize", password, "password"],
  ["no way to send", { ...mail, sendVerificationRequest: undefined }, "post"],
  ["a type that there is not", { id: "odd", name: "Odd", type: "odd" }, "odd"],
]

describe("a provider with a fault", () => {
  it.each(faulty)("is refused, and no other provider: %s", async (_, entry, id, config = {}) => {
    const world = await makeWorld({ more: [entry as Provider], config })
    const problems = world.auth.problems()
    expect(problems.length).toBeGreaterThan(0)
    // Logged when the service is made; the requests of everybody else log nothing.
    expect(world.errors.splice(0)).toEqual(problems)
    const browser = world.browser()
    const page = await browser.get("/auth/signin")
    expect(page.status).toBe(200)
    expect(page.text).toContain("/auth/signin/op")
    expect(page.text).not.toContain(`/${id}"`)
    expect((await world.signInAtOp(browser, { callbackUrl: "/inbox" })).location).toBe("https://app.test/inbox")
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    expect(world.errors).toEqual([])
    for (const visit of [await browser.post(`/auth/signin/${id}`), await browser.get(`/auth/callback/${id}`)]) {
      expect(visit.location).toContain("/auth/error?error=Configuration&incident=")
    }
    expect(world.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(id),
      expect.stringContaining(id),
    ])
  })

  it("stays in the list of providers, so that its callback address can still be read", async () => {
    const world = await makeWorld({ more: [Passage({ clientId: "id" }) as Provider] })
    const list = JSON.parse((await world.browser().get("/auth/providers")).text) as Record<string, object>
    expect(list["passage"]).toMatchObject({ callbackUrl: "https://app.test/auth/callback/passage" })
  })

  it.each([
    ["mail without an adapter", { more: [mail as unknown as Provider] }],
    ["an entry that is no provider", { more: [5 as unknown as Provider] }],
    ["a second one with the same id", { more: [Keycloak({ id: "OP" } as never) as Provider] }],
  ])("leaves the others alone: %s", async (_, options) => {
    const world = await makeWorld({ adapter: false, ...options })
    expect(world.auth.problems().length).toBeGreaterThan(0)
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("refuses no path that names no provider where its id is empty", async () => {
    const world = await makeWorld({ more: [{ ...password, id: "", authorize: () => null } as Provider] })
    expect(world.auth.problems().map(({ message }) => message)).toEqual([expect.stringContaining(".id")])
    const browser = world.browser()
    for (const action of ["session", "providers", "csrf", "signin", "signout"]) {
      expect((await browser.get(`/auth/${action}`)).status, action).toBe(200)
    }
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("answers a script with its status", async () => {
    const world = await makeWorld({ more: [Passage({ clientId: "id" }) as Provider] })
    const headers = { "x-auth-return-redirect": "1", accept: "application/json" }
    const visit = await world.browser().post("/auth/signin/passage", {}, { headers })
    expect(visit.status).toBe(500)
    expect(JSON.parse(visit.text)).toMatchObject({
      error: "Configuration",
      url: expect.stringContaining("/auth/error"),
    })
  })
})

describe("a fault that makes every answer unsafe", () => {
  it.each([
    ["no secret", { secret: "" }],
    ["a strategy that cannot work", { session: { strategy: "database" } }, false],
    ["cookies that no browser keeps", { cookies: { sessionToken: { name: "a b" } } }],
  ] as const)("refuses everything: %s", async (_, config, adapter?) => {
    const world = await makeWorld({ config: config as object, ...(adapter === false && { adapter }) })
    for (const path of ["/auth/session", "/auth/providers", "/auth/signin"]) {
      expect((await world.browser().get(path)).status).toBe(500)
    }
  })
})
