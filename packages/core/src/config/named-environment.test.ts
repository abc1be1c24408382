/** Which variables fill a provider that has another id than its file gives it, and an issuer that its file gives it. */
import { describe, expect, it } from "vitest"
import { oauth, oidc, resolveAll, resolveOne } from "../../test/support/resolve-providers.js"
import { Keycloak } from "../providers/keycloak.js"
import { MicrosoftEntraID } from "../providers/microsoft-entra-id.js"

const realm = (name: string): string => `https://id.test/realms/${name}`
const customers = {
  AUTH_KEYCLOAK_ID: "customers",
  AUTH_KEYCLOAK_SECRET: "secret of customers",
  AUTH_KEYCLOAK_ISSUER: realm("customers"),
}
const staff = {
  AUTH_STAFF_ID: "staff",
  AUTH_STAFF_SECRET: "secret of staff",
  AUTH_STAFF_ISSUER: realm("staff"),
}

describe("a second provider of one file", () => {
  it("is filled from the variables of its own id", () => {
    const provider = resolveOne(Keycloak({ id: "staff" }), { env: { ...customers, ...staff } })
    expect(provider).toMatchObject({
      id: "staff",
      clientId: "staff",
      clientSecret: "secret of staff",
      issuer: realm("staff"),
    })
  })

  it("is filled from the variables of its own id, also where it is handed in as a function", () => {
    const make = (options: object) => Keycloak({ ...options, id: "staff" })
    const expected = { id: "staff", clientId: "staff", clientSecret: "secret of staff", issuer: realm("staff") }
    expect(resolveOne(make, { env: { ...customers, ...staff } })).toMatchObject(expected)
  })

  it("is filled from those of its file where none has its own id", () => {
    const provider = resolveOne(Keycloak({ id: "staff" }), { env: customers })
    expect(provider).toMatchObject({ id: "staff", clientId: "customers", issuer: realm("customers") })
  })
})

describe("the issuer of a file", () => {
  const tenant = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"
  const given = { clientId: "c", clientSecret: "s" }

  it.each([
    ["AUTH_MICROSOFT_ENTRA_ID_ISSUER", given],
    ["AUTH_WORK_ISSUER", { ...given, id: "work" }],
  ])("gives way to %s", (name, options) => {
    expect(resolveOne(MicrosoftEntraID(options), { env: { [name]: tenant } }).issuer).toBe(tenant)
  })

  it("is that of the options before that of a variable", () => {
    const env = { AUTH_MICROSOFT_ENTRA_ID_ISSUER: "https://login.microsoftonline.com/common/v2.0" }
    expect(resolveOne(MicrosoftEntraID({ ...given, issuer: tenant }), { env }).issuer).toBe(tenant)
  })

  it.each([
    ["of a file that gives one", () => ({ ...MicrosoftEntraID(given), issuer: tenant })],
    ["of a file that gives none", () => ({ ...Keycloak(given), id: "microsoft-entra-id", issuer: tenant })],
    [
      "of a function",
      () => (options: object) => ({ ...MicrosoftEntraID({ ...given, ...options, issuer: undefined }), issuer: tenant }),
    ],
  ])("that is written over a provider %s comes before a variable", (_, make) => {
    const env = { AUTH_MICROSOFT_ENTRA_ID_ISSUER: "https://login.microsoftonline.com/common/v2.0" }
    expect(resolveOne(make(), { env }).issuer).toBe(tenant)
  })

  it.each([
    ["of OAuth", { ...oauth, issuer: "https://own.test" }],
    ["of OpenID Connect", oidc],
  ])("stays where a provider %s is written by hand", (_, provider) => {
    expect(resolveOne(provider, { env: { AUTH_ACME_ISSUER: "https://other.test" } }).issuer).toBe(provider.issuer)
  })
})

describe("two providers whose ids become one name", () => {
  const env = { AUTH_AC_ME_ID: "c", AUTH_AC_ME_SECRET: "s" }
  const open = { ...oauth, clientId: undefined, clientSecret: undefined }
  const problemsOf = (first: object, second: object): readonly string[] => {
    const entries = [
      { ...first, id: "ac-me" },
      { ...second, id: "ac_me" },
    ]
    return resolveAll(entries, { env }).problems.map(({ message }) => message)
  }

  it("are a problem of the second where both read a variable", () => {
    const [problem = "", ...others] = problemsOf(open, open)
    expect(others).toEqual([])
    expect(problem).toMatch(/^"providers\[1\]\.id": expected an id .*AUTH_AC_ME_ID.* received the string "ac_me"/)
    expect(problemsOf(open, { ...open, clientId: "own" })[0]).toContain("AUTH_AC_ME_SECRET")
  })

  it("are none where one has its options in the code", () => {
    expect(problemsOf(open, oauth)).toEqual([])
    expect(problemsOf({ ...oauth, clientId: "a" }, { ...oauth, clientId: "b" })).toEqual([])
  })
})
