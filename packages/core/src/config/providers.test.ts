import { describe, expect, it, vi } from "vitest"
import { oauth, problemOf, resolveAll, resolveOne } from "../../test/support/resolve-providers.js"
import { resolveProviders } from "./providers.js"
import { createReport } from "./report.js"

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
  ])("is a problem with the id %j", { tags: ["threat:CF2-08", "threat:PP-09"] }, (id) => {
    expect(problemOf({ ...oauth, id })?.message).toMatch(/\.id": expected a string of letters/)
  })

  it.each([["42-school"], ["azure-ad-b2c"], ["my_idp.v2"], ["x"]])("may have the id %s", (id) => {
    expect(resolveOne({ ...oauth, id }).id).toBe(id)
  })

  it.each([
    ["acme", "acme"],
    ["acme", "ACME"],
  ])("must have an id of its own: %s and %s", { tags: ["threat:CF2-08"] }, (first, second) => {
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

  it("cannot be changed for others through what callbacks are given", { tags: ["threat:CF2-12"] }, () => {
    const provider = resolveOne({ ...oauth, client: { x: 1 } })
    expect(Object.isFrozen(provider)).toBe(true)
    expect(Object.isFrozen(provider.config)).toBe(true)
    expect(Object.isFrozen(provider.config.userinfo)).toBe(true)
    expect(Object.isFrozen(provider.client)).toBe(true)
    expect(Object.isFrozen(provider.token)).toBe(true)
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

  it("continues after a broken one", () => {
    const { providers, problems } = resolveAll([undefined, oauth])
    expect(problems).toHaveLength(1)
    expect([...providers.keys()]).toEqual(["acme"])
  })
})
