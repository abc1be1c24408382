/** The providers whose proof is verified here: their shapes and defaults. */
import { describe, expect, expectTypeOf, it } from "vitest"
import { Credentials } from "./credentials.js"
import { Passkey } from "./passkey.js"
import { WebAuthn } from "./webauthn.js"

describe("Credentials", () => {
  it("keeps what it is given over its defaults", async () => {
    const authorize = async (): Promise<{ id: string }> => ({ id: "1" })
    expect(Credentials({ authorize })).toMatchObject({
      id: "credentials",
      name: "Credentials",
      type: "credentials",
      credentials: {},
    })
    const provider = Credentials({ id: "ldap", name: "LDAP", credentials: { user: { label: "User" } }, authorize })
    expect(provider).toMatchObject({ id: "ldap", name: "LDAP", credentials: { user: { label: "User" } }, authorize })
  })

  it("types the credentials by the form's fields", () => {
    Credentials({
      credentials: { user: {}, password: { type: "password" } },
      authorize: (credentials) => {
        expectTypeOf(credentials.user).toEqualTypeOf<unknown>()
        return null
      },
    })
  })
})

describe("WebAuthn and Passkey", () => {
  const field = { email: { label: "Email", required: true, autocomplete: "username webauthn" } }

  it("offer passkeys while the person types an address", () => {
    expect(WebAuthn()).toMatchObject({
      id: "webauthn",
      name: "WebAuthn",
      type: "webauthn",
      enableConditionalUI: true,
      formFields: field,
    })
    expect(Passkey()).toMatchObject({
      id: "passkey",
      name: "Passkey",
      type: "webauthn",
      enableConditionalUI: true,
      formFields: field,
    })
  })

  it("differ in what they require of the authenticator", { tags: ["threat:WO-17"] }, () => {
    expect(WebAuthn().registrationOptions).toEqual({ timeout: 300_000 })
    expect(WebAuthn().verifyRegistrationOptions).toBeUndefined()
    expect(Passkey()).toMatchObject({
      registrationOptions: {
        timeout: 300_000,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      },
      authenticationOptions: { timeout: 300_000, userVerification: "required" },
      verifyRegistrationOptions: { requireUserVerification: true },
      verifyAuthenticationOptions: { requireUserVerification: true },
    })
  })

  it("keep what they are given over their defaults", () => {
    const given = { id: "key", name: "Key", formFields: {}, enableConditionalUI: false }
    expect(Passkey(given)).toMatchObject(given)
    expect(WebAuthn(given)).toMatchObject(given)
  })
})
