import { describe, expect, it, vi } from "vitest"
import type { Provider } from "../types/provider.js"
import { customFetch } from "./markers.js"
import { resolveProviders } from "./providers.js"
import { createReport } from "./report.js"
import type { ResolvedEmailProvider, ResolvedOAuthProvider, ResolvedWebAuthnProvider } from "./settings.js"

const endpoints = {
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
}
const oauth = { id: "acme", name: "Acme", type: "oauth", clientId: "id", clientSecret: "hush", ...endpoints }
const oidc = { id: "acme", name: "Acme", type: "oidc", clientId: "id", clientSecret: "hush", issuer: "https://op.test" }

interface Given {
  env?: Record<string, string>
  redirectProxyUrl?: string
}
function resolveAll(entries: readonly unknown[], { env = {}, redirectProxyUrl }: Given = {}) {
  const report = createReport()
  const providers = resolveProviders(entries as Provider[], { env, redirectProxyUrl, report })
  return { providers, ...report }
}
function resolveOne(entry: unknown, given?: Given): ResolvedOAuthProvider {
  const { providers, problems } = resolveAll([entry], given)
  expect(problems).toEqual([])
  return [...providers.values()][0] as ResolvedOAuthProvider
}
const problemOf = (entry: unknown, given?: Given) => resolveAll([entry], given).problems[0]

describe("an entry of providers", () => {
  it("may be a function, which learns what the environment says of its id", () => {
    const make = vi.fn((options: object) => ({ ...oauth, clientId: undefined, clientSecret: undefined, options }))
    const env = { AUTH_ACME_ID: "env-id", AUTH_ACME_SECRET: " env-secret\n", AUTH_ACME_ISSUER: "https://op.test" }
    const provider = resolveOne(make, { env })
    expect(provider).toMatchObject({ clientId: "env-id", clientSecret: "env-secret", issuer: "https://op.test" })
    expect(make).toHaveBeenCalledTimes(2)
  })

  it("fills open options of an object from the environment, after its options", () => {
    const env = { AUTH_AC_ME_ID: "env-id", AUTH_AC_ME_SECRET: "env-secret", AUTH_AC_ME_KEY: "no" }
    const entry = { ...oauth, id: "ac-me", clientId: undefined, clientSecret: undefined, options: { clientId: "own" } }
    expect(resolveOne(entry, { env })).toMatchObject({ clientId: "own", clientSecret: "env-secret" })
  })

  it("lays its options over the rest", () => {
    const provider = resolveOne({
      ...oauth,
      client: { token_endpoint_auth_method: "client_secret_post", x: 1 },
      options: { id: "other", clientId: "theirs", client: { x: 2 }, clientSecret: undefined },
    })
    expect(provider).toMatchObject({ id: "other", clientId: "theirs", clientSecret: "hush" })
    expect(provider.client).toEqual({ token_endpoint_auth_method: "client_secret_post", x: 2 })
    expect(provider.config).not.toHaveProperty("options")
  })

  it.each([
    ["nothing", undefined],
    ["false", false],
    ["a text", "github"],
    [
      "a function that throws",
      () => {
        throw new Error("issuer?")
      },
    ],
    ["a function that returns nothing", () => undefined],
    ["a promise", Promise.resolve(oauth)],
  ])("is a problem when it is %s", (_, entry) => {
    const problem = problemOf(entry)
    expect(problem).toMatchObject({ type: "InvalidConfiguration" })
    expect(problem?.message).toMatch(/^"providers\[0\]": expected a (provider|function)/)
  })

  it.each([
    [""],
    [undefined],
    ["a/b"],
    ["a?b"],
    ["a#b"],
    ["../x"],
    ["a..b"],
    ["."],
    ["a b"],
    ["ä"],
    ["a%2Fb"],
    ["undefined"],
    ["__proto__"],
    ["x".repeat(200)],
    [7],
  ])("is a problem with the id %j [CF2-08] [PP-09]", (id) => {
    expect(problemOf({ ...oauth, id })?.message).toMatch(/\.id": expected a text of letters/)
  })

  it.each([["42-school"], ["azure-ad-b2c"], ["my_idp.v2"], ["x"]])("may have the id %s", (id) => {
    expect(resolveOne({ ...oauth, id }).id).toBe(id)
  })

  it.each([
    ["acme", "acme"],
    ["acme", "ACME"],
  ])("must not be a twin: %s and %s [CF2-08]", (first, second) => {
    const { problems, providers } = resolveAll([
      { ...oauth, id: first },
      { ...oauth, id: second },
    ])
    expect(problems[0]?.message).toMatch(/"providers\[1\]\.id": expected an id that no other provider has/)
    expect(providers.size).toBe(1)
  })

  it("needs a known type", () => {
    expect(problemOf({ ...oauth, type: "saml" })?.message).toMatch(
      /"providers\.acme\.type": expected one of oauth, oidc/,
    )
  })

  it("is named after its id when it has no name", () => {
    expect(resolveOne({ ...oauth, name: undefined }).name).toBe("acme")
  })

  it.each([
    ["clientId", 5],
    ["clientSecret", 5],
    ["issuer", {}],
    ["profile", "x"],
    ["account", {}],
    ["allowDangerousEmailAccountLinking", "true"],
    ["checks", "pkce"],
    ["checks", ["pkse"]],
    ["redirectProxyUrl", "proxy.test"],
  ])("is a problem with %s: %j", (member, value) => {
    const problem = problemOf({ ...oauth, [member]: value })
    expect(problem?.message).toContain(`"providers.acme.${member}": expected `)
  })

  it("never tells a secret", () => {
    const { problems } = resolveAll([
      { ...oauth, id: "a/b", clientSecret: { hush: "hush-hush" } },
      { ...oauth, clientSecret: ["hush-hush"] },
    ])
    expect(problems).toHaveLength(2)
    expect(JSON.stringify(problems.map(({ message, cause }) => [message, cause]))).not.toContain("hush-hush")
  })

  it("is not written to", () => {
    const checks = Object.freeze(["pkce"])
    const entry = Object.freeze({
      ...oauth,
      checks,
      options: Object.freeze({ authorization: Object.freeze({ params: Object.freeze({ a: 1 }) }) }),
    })
    expect(resolveOne(entry, { redirectProxyUrl: "https://proxy.test/auth" }).checks).toEqual(["pkce", "state"])
    expect(checks).toEqual(["pkce"])
  })

  it("cannot be changed for others through what callbacks are given [CF2-12]", () => {
    const provider = resolveOne({ ...oauth, client: { x: 1 } })
    expect(Object.isFrozen(provider)).toBe(true)
    expect(Object.isFrozen(provider.config)).toBe(true)
    expect(Object.isFrozen(provider.config.userinfo)).toBe(true)
    expect(Object.isFrozen(provider.client)).toBe(true)
    expect(Object.isFrozen(provider.token)).toBe(true)
  })
})

describe("endpoints", () => {
  it("are texts with their parameters on the query", () => {
    const provider = resolveOne({
      ...oauth,
      authorization: {
        url: "https://op.test/authorize?a=1",
        params: { scope: "x y", claims: { id_token: { email: null } }, max_age: 5, none: null, gone: undefined },
      },
      token: { url: new URL("https://op.test/token"), params: { v: "2" } },
      userinfo: "https://op.test/userinfo",
    })
    expect(provider.authorization).toBe(
      "https://op.test/authorize?a=1&scope=x+y&claims=%7B%22id_token%22%3A%7B%22email%22%3Anull%7D%7D&max_age=5",
    )
    expect(provider.authorizationParams).toEqual({})
    expect(provider.token).toEqual({ url: "https://op.test/token?v=2" })
    expect(provider.userinfo).toEqual({ url: "https://op.test/userinfo" })
  })

  it.each([
    ["oauth", "https://op.test/authorize", "scope=openid+profile+email"],
    ["oidc", "https://op.test/authorize", "scope=openid+profile+email"],
    ["oauth", "https://op.test/authorize?scope=read", "scope=read"],
    ["oauth", { url: "https://op.test/authorize", params: { scope: "" } }, "scope="],
    ["oauth", { url: "https://op.test/authorize", params: { scope: null, x: 1 } }, "x=1"],
  ])("of %s at %j ask for %s", (type, authorization, query) => {
    const provider = resolveOne({ ...oauth, type, issuer: "https://op.test", authorization })
    expect(new URL(provider.authorization as string).search).toBe(`?${query}`)
  })

  it("that are discovered keep their parameters for later", () => {
    expect(resolveOne(oidc)).toMatchObject({
      authorization: undefined,
      authorizationParams: { scope: "openid profile email" },
    })
    const narrow = resolveOne({ ...oidc, authorization: { params: { scope: "openid", prompt: "login" } } })
    expect(narrow).toMatchObject({
      authorization: undefined,
      authorizationParams: { scope: "openid", prompt: "login" },
    })
    const plain = { id: "p", name: "P", type: "oauth", issuer: "https://op.test" }
    expect(resolveOne(plain).authorizationParams).toEqual({})
    expect(resolveOne({ ...plain, authorization: { params: {} } }).authorizationParams).toEqual({
      scope: "openid profile email",
    })
  })

  it("keep their address when a caller only adds parameters", () => {
    const provider = resolveOne({ ...oauth, options: { authorization: { params: { prompt: "consent" } } } })
    expect(provider.authorization).toBe("https://op.test/authorize?prompt=consent&scope=openid+profile+email")
    expect(resolveOne({ ...oauth, options: { token: "https://other.test/token" } }).token).toEqual({
      url: "https://other.test/token",
    })
  })

  it("keep functions and keys as they are, and are shown to callbacks as objects", () => {
    const request = () => ({})
    const conform = () => undefined
    class Key {}
    const clientPrivateKey = new Key()
    const provider = resolveOne({
      ...oauth,
      token: { url: "https://op.test/token", conform, clientPrivateKey },
      options: { userinfo: { request } },
    })
    expect(provider.token).toEqual({ url: "https://op.test/token", conform, clientPrivateKey })
    expect((provider.token as { clientPrivateKey?: unknown }).clientPrivateKey).toBe(clientPrivateKey)
    expect(provider.userinfo?.request).toBe(request)
    const shown = provider.config as { userinfo: { url: URL }; authorization: { url: URL } }
    expect(shown.userinfo.url.href).toBe("https://op.test/userinfo")
    expect(shown.authorization.url).toBeInstanceOf(URL)
  })

  it.each([
    ["oauth", { ...endpoints, userinfo: undefined }, "userinfo"],
    ["oauth", { ...endpoints, token: undefined }, "token"],
    ["oauth", { ...endpoints, authorization: { params: { scope: "x" } } }, "authorization"],
    ["oidc", { ...endpoints, userinfo: undefined }, "jwks_endpoint"],
    ["oidc", { ...endpoints, userinfo: undefined, jwks_endpoint: "https://op.test/jwks", idToken: false }, "userinfo"],
  ])("of %s without issuer must be complete: %j lacks %s", (type, given, missing) => {
    const problem = problemOf({ id: "acme", name: "Acme", type, clientId: "id", ...given })
    expect(problem).toMatchObject({ type: "InvalidEndpoints", cause: { missing: [missing] } })
    expect(problem?.message).toContain(missing)
    expect(problem?.message).toContain("AUTH_ACME_ISSUER")
  })

  it.each([
    ["oauth", endpoints, undefined],
    ["oauth", { ...endpoints, userinfo: { request: () => ({}) } }, undefined],
    ["oidc", { ...endpoints, jwks_endpoint: new URL("https://op.test/jwks"), userinfo: undefined }, undefined],
    ["oidc", { wellKnown: "https://op.test/custom" }, "https://op.test/custom"],
    ["oidc", { issuer: "https://op.test/" }, "https://op.test/.well-known/openid-configuration"],
    ["oidc", { issuer: "https://op.test/realms/x", wellKnown: "https://op.test/custom" }, "https://op.test/custom"],
    ["oidc", { ...endpoints, issuer: "https://op.test" }, "https://op.test/.well-known/openid-configuration"],
    ["oauth", { ...endpoints, issuer: "https://op.test" }, undefined],
  ])("of %s with %j are discovered at %s [spec options wellKnown]", (type, given, wellKnown) => {
    expect(resolveOne({ id: "acme", name: "Acme", type, ...given }).wellKnown).toBe(wellKnown)
  })

  it.each([
    ["authorization", "javascript:alert(1)"],
    ["authorization", "/authorize"],
    ["token", { url: "ftp://op.test" }],
    ["token", "http://op.test/token"],
    ["userinfo", "https://user:pa55@op.test/"],
    ["userinfo", "http://localhost.evil.test/"],
    ["issuer", "http://op.test"],
    ["issuer", "op.test"],
    ["jwks_endpoint", "http://op.test/jwks"],
    ["token", { url: 5 }],
  ])("at %s: %j are refused [SS-13] [SS-18]", (member, value) => {
    const { problems } = resolveAll([{ ...oauth, [member]: value }])
    expect(problems.map(({ type }) => type)).toContain("InvalidEndpoints")
    const text = problems.map(({ message }) => message).join("\n")
    expect(text).toContain(`"providers.acme.${member}": expected an absolute https address`)
    expect(text).not.toContain("pa55")
  })

  it("may be plain http on loopback, and elsewhere only when that is asked for", () => {
    expect(resolveOne({ ...oidc, issuer: "http://localhost:9000" }).issuer).toBe("http://localhost:9000")
    const { problems, warnings, providers } = resolveAll([
      { ...oidc, issuer: "http://keycloak:8080", allowInsecureRequests: true },
    ])
    expect(problems).toEqual([])
    expect(warnings).toEqual(["insecure-requests"])
    expect((providers.get("acme") as ResolvedOAuthProvider).allowInsecureRequests).toBe(true)
  })
})

describe("checks and redirect proxy", () => {
  it.each([
    [undefined, ["pkce"]],
    [["none"], []],
    [[], []],
    [
      ["pkce", "state", "none"],
      ["pkce", "state"],
    ],
    [["nonce", "nonce"], ["nonce"]],
  ])("%j become %j [spec authentication 4]", (checks, expected) => {
    expect(resolveOne({ ...oauth, checks }).checks).toEqual(expected)
  })

  it.each([
    [undefined, ["pkce", "state"]],
    [["none"], ["state"]],
    [["state"], ["state"]],
  ])("%j become %j with a redirect proxy [CF2-01] [spec options redirectProxyUrl]", (checks, expected) => {
    const provider = resolveOne({ ...oauth, checks }, { redirectProxyUrl: "https://proxy.test/api/auth/" })
    expect(provider.checks).toEqual(expected)
    expect(provider.redirectProxyUrl).toBe("https://proxy.test/api/auth")
  })

  it("prefer the provider's own proxy", () => {
    const entry = { ...oauth, redirectProxyUrl: "https://own.test/auth" }
    expect(resolveOne(entry, { redirectProxyUrl: "https://proxy.test/auth" }).redirectProxyUrl).toBe(
      "https://own.test/auth",
    )
    expect(resolveOne({ ...entry, options: { redirectProxyUrl: "https://mine.test" } }).redirectProxyUrl).toBe(
      "https://mine.test",
    )
  })

  it("drop the proxy for a form post, but keep the state", () => {
    for (const authorization of [
      { url: endpoints.authorization, params: { response_mode: "form_post" } },
      `${endpoints.authorization}?response_mode=form_post`,
    ]) {
      const provider = resolveOne({ ...oauth, authorization }, { redirectProxyUrl: "https://proxy.test/auth" })
      expect(provider).toMatchObject({ isFormPost: true, redirectProxyUrl: undefined, checks: ["pkce", "state"] })
    }
    const discovered = resolveOne({ ...oidc, authorization: { params: { response_mode: "form_post" } } })
    expect(discovered.isFormPost).toBe(true)
    expect(resolveOne(oidc).isFormPost).toBe(false)
  })
})

describe("functions of a provider", () => {
  it("map the usual claims and keep the usual tokens by default", async () => {
    const { profile, account } = resolveOne(oidc)
    expect(await profile({ sub: "s", id: "i", name: null, nickname: "nick", email: "a@b", picture: "p" }, {})).toEqual({
      id: "s",
      name: "nick",
      email: "a@b",
      image: "p",
    })
    expect(await profile({ id: "i", preferred_username: "pu" }, {})).toEqual({ id: "i", name: "pu" })
    const tokens = {
      access_token: "a",
      expires_in: 5,
      expires_at: 9,
      token_type: "bearer",
      extra: 1,
      scope: "s",
    } as const
    expect(account(tokens)).toEqual({ access_token: "a", expires_at: 9, scope: "s", token_type: "bearer" })
  })

  it("use the runtime's fetch as it is at each call, and one function for all providers", async () => {
    const { fetch } = resolveOne(oidc)
    expect(resolveOne(oauth).fetch).toBe(fetch)
    const answer = new Response("x")
    const stub = vi.spyOn(globalThis, "fetch").mockResolvedValue(answer)
    expect(await fetch("https://op.test", { method: "POST" })).toBe(answer)
    expect(stub).toHaveBeenCalledWith("https://op.test", { method: "POST" })
    stub.mockRestore()
  })

  it.each([
    ["our own", customFetch],
    ["another copy's", Symbol("custom-fetch")],
  ])("may be replaced under %s marker, also in options", (_, marker) => {
    const own = async () => new Response()
    expect(resolveOne({ ...oauth, [marker]: own }).fetch).toBe(own)
    expect(resolveOne({ ...oauth, options: { [marker]: own } }).fetch).toBe(own)
  })
})

describe("other kinds of providers", () => {
  const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined }

  it("an e-mail link lives an hour unless it is said otherwise", () => {
    const maxAgeOf = (entry: unknown) => (resolveOne(entry) as never as ResolvedEmailProvider).maxAge
    expect(maxAgeOf(mail)).toBe(3600)
    expect(maxAgeOf({ ...mail, maxAge: 60, options: { maxAge: 120 } })).toBe(120)
  })

  it.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], ["3600"], [1e15]])(
    "refuses a link that lives %s seconds [SF-12]",
    (maxAge) => {
      expect(problemOf({ ...mail, maxAge })?.message).toContain('"providers.mail.maxAge": expected a number of seconds')
    },
  )

  it("an e-mail provider is told the key of its service", () => {
    const config = (resolveOne(mail, { env: { AUTH_MAIL_KEY: "key" } }) as never as ResolvedEmailProvider).config
    expect(config.apiKey).toBe("key")
  })

  it.each([
    ["sendVerificationRequest", { ...mail, sendVerificationRequest: undefined }],
    ["confirm", { ...mail, confirm: "sometimes" }],
    ["secret", { ...mail, secret: 5 }],
    ["normalizeIdentifier", { ...mail, normalizeIdentifier: true }],
  ])("an e-mail provider with an unfit %s is a problem", (member, entry) => {
    expect(problemOf(entry)?.message).toContain(`"providers.mail.${member}": expected`)
  })

  it("credentials need authorize, wherever it is written", () => {
    const entry = { id: "credentials", name: "Password", type: "credentials", credentials: {} }
    expect(problemOf(entry)).toMatchObject({ type: "MissingAuthorize" })
    expect(resolveAll([{ ...entry, options: { authorize: () => null } }]).problems).toEqual([])
    expect(problemOf({ ...entry, authorize: () => null, credentials: "x" })?.message).toContain(
      "credentials.credentials",
    )
  })

  it.each([
    [mail],
    [{ id: "credentials", name: "Password", type: "credentials", authorize: () => null }],
    [{ id: "passkey", name: "Passkey", type: "webauthn" }],
  ])("cannot be changed for others through what callbacks are given: %j [CF2-12]", (entry) => {
    const provider = resolveOne(entry)
    expect([Object.isFrozen(provider), Object.isFrozen(provider.config)]).toEqual([true, true])
    expect(provider.config.name).toBe(entry.name)
  })

  it("a passkey provider asks for an address while typing by default", () => {
    const config = (
      resolveOne({ id: "passkey", name: "Passkey", type: "webauthn" }) as never as ResolvedWebAuthnProvider
    ).config
    expect(config).toMatchObject({
      enableConditionalUI: true,
      formFields: { email: { autocomplete: "username webauthn" } },
    })
    const own = { id: "passkey", name: "Passkey", type: "webauthn", formFields: { email: { label: "x" } } }
    const shouted = { ...own, formFields: { email: { autocomplete: "USERNAME  WebAuthn" } } }
    expect((resolveOne(shouted) as never as ResolvedWebAuthnProvider).config.enableConditionalUI).toBe(true)
    expect((resolveOne(own) as never as ResolvedWebAuthnProvider).config.enableConditionalUI).toBe(false)
  })

  it.each([
    ["v1", true],
    ["v1.2", true],
    ["v13.0.1", true],
    [false, true],
    ["9", false],
    ["v1.2.3.4", false],
    ["latest", false],
  ])("a browser version %j is fit: %j [spec versioning 3]", (simpleWebAuthnBrowserVersion, isFit) => {
    const entry = { id: "passkey", name: "Passkey", type: "webauthn", simpleWebAuthnBrowserVersion }
    expect(resolveAll([entry]).problems.length).toBe(isFit ? 0 : 1)
  })
})

describe("the list of providers", () => {
  it("is empty by default [spec options providers]", () => {
    const report = createReport()
    expect(resolveProviders(undefined, { env: {}, redirectProxyUrl: undefined, report }).size).toBe(0)
    expect(report.problems).toEqual([])
  })

  it("must be a list", () => {
    const report = createReport()
    resolveProviders({ github: oauth }, { env: {}, redirectProxyUrl: undefined, report })
    expect(report.problems[0]?.message).toBe(
      '"providers": expected a list of providers, received an object. Write "providers: [GitHub]".',
    )
  })

  it("goes on after a broken one", () => {
    const { providers, problems } = resolveAll([undefined, oauth])
    expect(problems).toHaveLength(1)
    expect([...providers.keys()]).toEqual(["acme"])
  })
})
