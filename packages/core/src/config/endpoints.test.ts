import { describe, expect, it } from "vitest"
import { endpoints, oauth, oidc, problemOf, resolveAll, resolveOne } from "../../test/support/resolve-providers.js"
import { fillPlaces } from "./endpoints.js"
import type { ResolvedOAuthProvider } from "./settings.js"

describe("endpoints", () => {
  it("are strings with their parameters in the query", () => {
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
  ])("of %s with %j are discovered at %s [spec provider wellKnown]", (type, given, wellKnown) => {
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
  ])("at %s: %j are refused", { tags: ["threat:SS-13", "threat:SS-18"] }, (member, value) => {
    const { problems } = resolveAll([{ ...oauth, [member]: value }])
    expect(problems.map(({ type }) => type)).toContain("InvalidEndpoints")
    const text = problems.map(({ message }) => message).join("\n")
    expect(text).toContain(`"providers.acme.${member}": expected an absolute https URL`)
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

const placed = {
  issuer: "https://op.test/{clientId}/",
  wellKnown: "{issuer}/doc",
  authorization: { url: "{issuer}/a", params: { key: "{clientId}", resource: "{issuer}", scope: null } },
  token: "{issuer}/t",
  jwks_endpoint: new URL("https://op.test/keys"),
}

describe("places in the addresses of a provider", () => {
  it("are filled with its own issuer and client id, without a doubled slash", () => {
    expect(fillPlaces({ ...placed, clientId: "c" })).toMatchObject({
      issuer: "https://op.test/c/",
      wellKnown: "https://op.test/c/doc",
      authorization: { url: "https://op.test/c/a", params: { key: "c", resource: "https://op.test/c", scope: null } },
      token: "https://op.test/c/t",
      jwks_endpoint: placed.jwks_endpoint,
    })
  })

  it("that cannot be filled are left out, apart from the issuer itself", () => {
    const { issuer, wellKnown, authorization, token } = fillPlaces(placed)
    expect([issuer, wellKnown, token]).toEqual([placed.issuer, undefined, undefined])
    expect(authorization).toEqual({ url: undefined, params: { key: undefined, resource: undefined, scope: null } })
  })

  it("do not modify the configuration", () => {
    const given = Object.freeze({ ...placed, authorization: Object.freeze(placed.authorization), clientId: "c" })
    expect(() => fillPlaces(given)).not.toThrow()
    expect(given.token).toBe("{issuer}/t")
  })
})
