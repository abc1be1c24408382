import { describe, expect, it } from "vitest"
import { fillPlaces } from "./places.js"

const written = {
  issuer: "https://op.test/{clientId}/",
  wellKnown: "{issuer}/doc",
  authorization: { url: "{issuer}/a", params: { key: "{clientId}", resource: "{issuer}", scope: null } },
  token: "{issuer}/t",
  jwks_endpoint: new URL("https://op.test/keys"),
}

describe("places in the addresses of a provider", () => {
  it("are filled with its own issuer and client id, without a doubled slash", () => {
    expect(fillPlaces({ ...written, clientId: "c" })).toMatchObject({
      issuer: "https://op.test/c/",
      wellKnown: "https://op.test/c/doc",
      authorization: { url: "https://op.test/c/a", params: { key: "c", resource: "https://op.test/c", scope: null } },
      token: "https://op.test/c/t",
      jwks_endpoint: written.jwks_endpoint,
    })
  })

  it("that cannot be filled are left out, apart from the issuer itself", () => {
    const { issuer, wellKnown, authorization, token } = fillPlaces(written)
    expect([issuer, wellKnown, token]).toEqual([written.issuer, undefined, undefined])
    expect(authorization).toEqual({ url: undefined, params: { key: undefined, resource: undefined, scope: null } })
  })

  it("change nothing of what was handed in", () => {
    const given = Object.freeze({ ...written, authorization: Object.freeze(written.authorization), clientId: "c" })
    expect(() => fillPlaces(given)).not.toThrow()
    expect(given.token).toBe("{issuer}/t")
  })
})
