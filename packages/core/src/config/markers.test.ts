import { describe, expect, it } from "vitest"
import { markedQuirks } from "./markers.js"

const marked = { [Symbol("conform-internal")]: true }
const tenant = "8c5c7f0e-1b2a-4c3d-9e8f-0123456789ab"
const personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
const host = "https://login.microsoftonline.com"

describe("quirks of the providers of Auth.js", () => {
  it("are only for marked objects with a known id", () => {
    expect(markedQuirks({}, "apple")).toEqual({})
    expect(markedQuirks(marked, "github")).toEqual({})
    expect(markedQuirks(marked, "constructor")).toEqual({})
    expect(markedQuirks(marked, undefined)).toEqual({})
    expect(Object.keys(markedQuirks(marked, "apple"))).toEqual(["callbackProfile"])
    expect(Object.keys(markedQuirks(marked, "azure-ad"))).toEqual(["issuerOf", "discoveryIssuer"])
  })

  it.each([
    [
      '{"name":{"firstName":"Ada","lastName":"L"},"email":"a@b"}',
      { user: { name: { firstName: "Ada", lastName: "L" }, email: "a@b" } },
    ],
    ['{"email":"a@b"}', undefined],
    ["null", undefined],
    ["5", undefined],
    ["{", undefined],
    [undefined, undefined],
  ])("apple tells the name in %s", (user, expected) => {
    const { callbackProfile } = markedQuirks(marked, "apple")
    expect(callbackProfile?.(user === undefined ? {} : { user })).toEqual(expected)
  })

  it.each([
    ["common", tenant, `${host}/${tenant}/v2.0`],
    ["common", personal, `${host}/${personal}/v2.0`],
    ["organizations", tenant, `${host}/${tenant}/v2.0`],
    ["organizations", personal, undefined],
    ["organizations", personal.toUpperCase(), undefined],
    ["consumers", personal, `${host}/${personal}/v2.0`],
    ["consumers", tenant, undefined],
    ["common", undefined, undefined],
    ["common", "evil.test/x", undefined],
    ["common", "../common", undefined],
    ["common", 7, undefined],
    [tenant, "0".repeat(8), `${host}/${tenant}/v2.0`],
  ])("tokens for %s with tid %s must name the issuer %s", { tags: ["threat:U-28"] }, (tenants, tid, expected) => {
    const { issuerOf } = markedQuirks(marked, "microsoft-entra-id")
    expect(issuerOf?.({ tid }, `${host}/${tenants}/v2.0`)).toBe(expected)
  })

  it.each([
    ["nothing of the address", { tid: tenant }, false],
    ["that its domain is that of the tenant", { tid: tenant, xms_edov: true }, true],
    ["that it is verified", { tid: tenant, verified_primary_email: ["Ada@a.test"] }, true],
    ["nothing of the address of a person", { tid: personal }, "unstated"],
  ])("the claims of one of several tenants say %s", (_, claims, proven) => {
    const said = { email: "ada@a.test", ...claims }
    for (const shared of [{ issuer: `${host}/common/v2.0` }, { options: { issuer: `${host}/organizations/v2.0` } }])
      expect(markedQuirks({ ...marked, ...shared }, "microsoft-entra-id").emailVerified?.(said)).toBe(proven)
  })

  it("leave it to the claim of everybody whether an address of the only tenant is proven", () => {
    const own = { ...marked, issuer: `${host}/common/v2.0`, options: { issuer: `${host}/${tenant}/v2.0` } }
    expect(markedQuirks(own, "azure-ad").emailVerified).toBeUndefined()
  })

  it("documents name the configured issuer, save for personal accounts", () => {
    const { discoveryIssuer } = markedQuirks(marked, "microsoft-entra-id")
    expect(discoveryIssuer?.(`${host}/common/v2.0`)).toBe(`${host}/common/v2.0`)
    expect(discoveryIssuer?.(`${host}/consumers/v2.0`)).toBe(`${host}/${personal}/v2.0`)
  })
})
