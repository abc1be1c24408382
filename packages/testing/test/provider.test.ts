/** The provider is honest until a fault is switched on, and the service answers each fault as the specification says. */
import { request } from "node:http"
import { createAuth } from "@latchkey/core"
import { Google } from "@latchkey/core/providers/google"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openBrowser, type TestBrowser, type Visit } from "../../core/test/support/browser.js"
import { createProvider, type FaultPlace, type ProviderCall, people, type TestProvider } from "../src/index.js"

const origin = "https://app.test"
const [ada, grace] = people
let provider: TestProvider
beforeAll(async () => {
  provider = await createProvider({ id: "acme" })
}, 30_000)
afterAll(() => provider?.close())
afterEach(() => {
  provider.heal()
  provider.person = ada
})

/** A browser before an application of which only the entry of its provider matters. */
function arrive(entry: object = provider.config, env: Readonly<Record<string, string>> = {}): TestBrowser {
  const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  const secret = "a secret of the tests that is long enough"
  const auth = createAuth({ providers: [entry as never], secret, trustHost: true, logger }, { env })
  return openBrowser(auth.handle, { origin })
}

async function signIn(browser: TestBrowser, { at = provider, query = "" } = {}): Promise<Visit> {
  const begun = await browser.post(`/auth/signin/acme${query}`)
  if (!begun.location?.startsWith(at.issuer)) return begun
  const back = new URL(await at.authorize(begun.location))
  return browser.get(back.pathname + back.search)
}

const outcomeOf = ({ location, status }: Visit): string | number =>
  (location && new URL(location).searchParams.get("error")) ?? status

describe("a provider", () => {
  const statusFor = (host: string, path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(provider.issuer)
      const asked = request(
        { host: "127.0.0.1", port, path, headers: { host: host.replace("PORT", port) } },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        },
      )
      asked.on("error", reject).end()
    })

  it.each(["evil.test:PORT", "evil.test", "127.0.0.1.evil.test", "localhost.evil.test:PORT", "10.0.0.1:PORT", "["])(
    "answers nothing to a page whose own name, %s, leads to this machine",
    async (host) => {
      const before = provider.calls.length
      for (const path of ["/.well-known/openid-configuration", "/auth?client_id=latchkey-test", "/login/x", "/jwks"])
        expect(await statusFor(host, path)).toBe(421)
      expect(provider.calls).toHaveLength(before)
    },
  )

  it.each(["127.0.0.1:PORT", "localhost:PORT", "app.localhost:5173", "[::1]:PORT"])("answers at %s", async (host) => {
    expect(await statusFor(host, "/.well-known/openid-configuration")).toBe(200)
  })
})

describe("an honest provider", () => {
  it("lets whoever is set sign in, and whoever a login_hint names", async () => {
    const browser = arrive()
    expect(outcomeOf(await signIn(browser))).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: ada.name, email: ada.email } })
    provider.person = { sub: "mary", name: "Mary Somerville", email: "mary@op.example", email_verified: true }
    await signIn(browser)
    expect(await browser.session()).toMatchObject({ user: { name: "Mary Somerville" } })
    await signIn(browser, { query: "?login_hint=grace" })
    expect(await browser.session()).toMatchObject({ user: { name: grace.name } })
  })

  it("stands in for a provider of the application, by its environment alone", async () => {
    const standIn = await createProvider({ id: "google" })
    try {
      expect(Object.keys(standIn.env)).toEqual(["AUTH_GOOGLE_ID", "AUTH_GOOGLE_SECRET", "AUTH_GOOGLE_ISSUER"])
      const browser = arrive(Google as never, standIn.env)
      const begun = await browser.post("/auth/signin/google")
      const back = new URL(await standIn.authorize(begun.location ?? ""))
      expect((await browser.get(back.pathname + back.search)).status).toBe(302)
      expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
    } finally {
      await standIn.close()
    }
  })

  it("refuses callback addresses that are not registered, where some are", async () => {
    const strict = await createProvider({ redirectUris: ["https://other.test/auth/callback/acme"] })
    try {
      const begun = await arrive({ ...strict.config, id: "acme" }).post("/auth/signin/acme")
      await expect(strict.authorize(begun.location ?? "")).rejects.toThrow("sent the browser nowhere")
    } finally {
      await strict.close()
    }
  })

  it("keeps account of what it was asked", async () => {
    const before = provider.calls.length
    await signIn(arrive())
    const asked = provider.calls.slice(before)
    expect(asked.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining(["authorization", "token"]))
    expect(asked.find(({ endpoint }) => endpoint === "token")?.body.get("grant_type")).toBe("authorization_code")
  })

  it("keeps the newest 10,000 requests, and drops the oldest", async () => {
    const old = await createProvider({ id: "acme" })
    try {
      const calls = old.calls as ProviderCall[]
      const earlier = { endpoint: "other", body: new URLSearchParams() } as unknown as ProviderCall
      calls.push(...Array.from({ length: 10_000 }, () => earlier))
      await fetch(`${old.issuer}/.well-known/openid-configuration`)
      expect(calls).toHaveLength(10_000)
      expect(calls.at(-1)).not.toBe(earlier)
    } finally {
      await old.close()
    }
  })

  it("goes on signing in with rotated keys", async () => {
    await signIn(arrive())
    await provider.rotateKeys()
    const browser = arrive()
    expect(outcomeOf(await signIn(browser))).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: ada.name } })
  })

  it("refreshes tokens, each of them as often as the library allows", async () => {
    const tokens = await tokensOf()
    const refreshed = await refresh(tokens.refresh_token)
    expect(refreshed.status).toBe(200)
    expect(await refreshed.json()).toMatchObject({ access_token: expect.any(String) })
    expect(provider.calls.at(-1)?.endpoint).toBe("refresh")
  })
})

async function tokensOf(): Promise<{ refresh_token: string; access_token: string }> {
  const query = { client_id: provider.clientId, response_type: "code", scope: "openid", redirect_uri: `${origin}/cb` }
  const back = new URL(await provider.authorize(`${provider.issuer}/auth?${new URLSearchParams(query)}`))
  const fields = {
    grant_type: "authorization_code",
    code: back.searchParams.get("code") ?? "",
    redirect_uri: `${origin}/cb`,
  }
  return (await (await post(fields)).json()) as { refresh_token: string; access_token: string }
}

const refresh = (token: string): Promise<Response> => post({ grant_type: "refresh_token", refresh_token: token })

function post(fields: Record<string, string>): Promise<Response> {
  const authorization = `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}`
  return fetch(`${provider.issuer}/token`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams(fields),
  })
}

describe("a fault", () => {
  it.each<[FaultPlace, string, string]>([
    ["authorization", "server_error", "OAuthCallbackError"],
    ["token", "503", "OAuthCallbackError"],
    ["token", "html", "OAuthCallbackError"],
    ["token", "reset", "Callback"],
    ["token", "lost", "Callback"],
    ["token", "invalid_grant", "OAuthCallbackError"],
    ["id_token", "expired", "OAuthCallbackError"],
    ["id_token", "from the future", "OAuthCallbackError"],
    ["id_token", "wrong issuer", "OAuthCallbackError"],
    ["id_token", "wrong audience", "OAuthCallbackError"],
    ["id_token", "unknown key", "OAuthCallbackError"],
    ["id_token", "unsigned", "OAuthCallbackError"],
    ["id_token", "missing", "OAuthCallbackError"],
  ])("of %s, %j, is answered with %s, and healed the same person comes in", async (place, what, error) => {
    provider.fault(place, what as never)
    const browser = arrive()
    expect(outcomeOf(await signIn(browser))).toBe(error)
    expect(await browser.session()).toBeNull()
    provider.heal()
    expect(outcomeOf(await signIn(browser))).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: ada.name } })
  })

  it.each([
    ["discovery", "503", "OAuthSignin"],
    ["discovery", "html", "OAuthSignin"],
    ["discovery", "reset", "OAuthSignin"],
    ["keys", "503", "OAuthCallbackError"],
    ["keys", "lost", "Callback"],
  ] as const)(
    "of %s, %j, is answered with %s before anything is remembered, and healed the same person comes in",
    async (place, what, error) => {
      const fresh = await createProvider({ id: "acme" })
      try {
        const browser = arrive(fresh.config)
        fresh.fault(place, what)
        const outcome = outcomeOf(await signIn(browser, { at: fresh }))
        fresh.heal()
        expect([outcome, outcomeOf(await signIn(browser, { at: fresh }))]).toEqual([error, 302])
        expect(await browser.session()).toMatchObject({ user: { name: ada.name } })
      } finally {
        await fresh.close()
      }
    },
  )

  it.each([
    ["the fault access_denied", () => void provider.fault("authorization", "access_denied")],
    [
      "a person who cancels",
      () => {
        provider.person = undefined
      },
    ],
  ])("like %s sends back whoever wanted to sign in, signed out", async (_, cancel) => {
    cancel()
    const browser = arrive()
    const { location } = await signIn(browser)
    expect(location).toMatch(/^https:\/\/app\.test\/auth\/signin\b/)
    expect(await browser.session()).toBeNull()
  })

  it("of the nonce is seen where a nonce was asked for", async () => {
    provider.fault("id_token", "wrong nonce")
    const browser = arrive({ ...provider.config, checks: ["nonce", "pkce"] })
    expect(outcomeOf(await signIn(browser))).toBe("OAuthCallbackError")
  })

  it.each(["503", "unauthorized", "another person"] as const)("of userinfo, %j, lets nobody in", async (what) => {
    provider.fault("userinfo", what)
    const browser = arrive({ ...provider.config, idToken: false })
    expect(outcomeOf(await signIn(browser))).toBe("OAuthCallbackError")
    provider.heal()
    expect(outcomeOf(await signIn(browser))).toBe(302)
  })

  it("of a refresh token leaves codes alone, and ends after so many times", async () => {
    provider.fault("refresh", "invalid_grant", { times: 1 })
    const tokens = await tokensOf()
    const refused = await refresh(tokens.refresh_token)
    expect([refused.status, await refused.json()]).toEqual([400, { error: "invalid_grant" }])
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })

  it("is switched off by the function that `fault` returned, and waits for the given delay", async () => {
    const off = provider.fault("keys", "slow", { delay: 300 })
    const begun = performance.now()
    expect((await fetch(`${provider.issuer}/jwks`)).status).toBe(200)
    expect(performance.now() - begun).toBeGreaterThan(290)
    off()
    provider.fault("keys", "503")
    off()
    expect((await fetch(`${provider.issuer}/jwks`)).status).toBe(503)
  })

  it("that keeps somebody waiting does not keep the provider from closing", async () => {
    const slow = await createProvider()
    slow.fault("keys", "slow")
    const waiting = fetch(`${slow.issuer}/jwks`).catch((error: Error) => error)
    await expect.poll(() => slow.calls.length).toBe(1)
    await slow.close()
    expect(await waiting).toBeInstanceOf(Error)
  })

  it("is somebody whose address is not proven", async () => {
    provider.person = { ...ada, email_verified: false }
    const browser = arrive()
    await signIn(browser)
    expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
  })
})
