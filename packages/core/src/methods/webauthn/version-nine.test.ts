/** A provider's own library: when it is used, and how it is called. */
import * as published from "@simplewebauthn/server"
import { describe, expect, it, vi } from "vitest"
import { createCeremonies } from "../../../test/support/ceremonies.js"
import { WebAuthnVerificationError } from "../../errors.js"
import { versionNine } from "./version-nine.js"

const id = new Uint8Array(16).fill(7)
const idText = "BwcHBwcHBwcHBwcHBwcHBw"
const key = Uint8Array.of(1, 2, 3)

function ownLibrary() {
  return {
    generateRegistrationOptions: vi.fn(async (_: Record<string, unknown>) => ({ challenge: "Y2hhbGxlbmdl" })),
    // Another one each time, as every library draws it: a challenge is answered once.
    generateAuthenticationOptions: vi.fn(async (_: Record<string, unknown>) => ({ challenge: "YW5vdGhlciBvbmU" })),
    verifyRegistrationResponse: vi.fn(async (_: Record<string, unknown>) => ({
      verified: true,
      registrationInfo: {
        credentialID: id,
        credentialPublicKey: key,
        counter: 3,
        credentialDeviceType: "multiDevice",
        credentialBackedUp: true,
      },
    })),
    verifyAuthenticationResponse: vi.fn(async (_: Record<string, unknown>) => ({
      verified: true,
      authenticationInfo: { newCounter: 4, credentialDeviceType: "multiDevice", credentialBackedUp: true },
    })),
  }
}

const clientData = btoa(JSON.stringify({ type: "x", challenge: "x", origin: "x" })).replaceAll("=", "")
const answer = (response: Record<string, unknown>) => ({
  id: idText,
  rawId: idText,
  type: "public-key",
  response: { clientDataJSON: clientData, ...response },
})

describe("a library that the provider brings", () => {
  it("is asked for registrations in the shapes of version 9", async () => {
    const simpleWebAuthn = ownLibrary()
    const passkeys = createCeremonies({ provider: { simpleWebAuthn } })
    const begun = await passkeys.begin({ action: "register", email: "ada@example.test" })
    expect(begun.options).toEqual({ challenge: "Y2hhbGxlbmdl" })
    expect(simpleWebAuthn.generateRegistrationOptions).toHaveBeenCalledWith({
      timeout: 300_000,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      rpID: "app.test",
      rpName: "app.test",
      userID: expect.stringMatching(/^[0-9a-f]{64}$/),
      userName: "ada@example.test",
      userDisplayName: "ada@example.test",
      excludeCredentials: [],
    })
    const proof = await passkeys.finish(begun, answer({ attestationObject: "AA", transports: ["usb"] }))
    expect(proof.authenticator).toEqual({
      credentialID: "BwcHBwcHBwcHBwcHBwcHBw==",
      credentialPublicKey: "AQID",
      counter: 3,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: true,
      transports: "usb",
      providerAccountId: "BwcHBwcHBwcHBwcHBwcHBw==",
    })
    expect(simpleWebAuthn.verifyRegistrationResponse).toHaveBeenCalledWith(
      expect.objectContaining({
        expectedChallenge: "Y2hhbGxlbmdl",
        expectedOrigin: ["https://app.test"],
        expectedRPID: "app.test",
        requireUserVerification: true,
        supportedAlgorithmIDs: [-8, -7, -257],
      }),
    )
  })

  it("is asked for authentications in the shapes of version 9", async () => {
    const simpleWebAuthn = ownLibrary()
    const passkeys = createCeremonies({ provider: { simpleWebAuthn } })
    const begun = await passkeys.begin({ action: "register", email: "ada@example.test" })
    await passkeys.admit(await passkeys.finish(begun, answer({ attestationObject: "AA", transports: ["usb"] })))
    const again = await passkeys.begin({ email: "ada@example.test" })
    expect(simpleWebAuthn.generateAuthenticationOptions).toHaveBeenCalledWith({
      timeout: 300_000,
      userVerification: "required",
      rpID: "app.test",
      allowCredentials: [{ id, type: "public-key", transports: ["usb"] }],
    })
    const proof = await passkeys.finish(again, answer({ authenticatorData: "AA", signature: "AA" }))
    expect(proof.counter).toEqual({ credentialID: "BwcHBwcHBwcHBwcHBwcHBw==", value: 4 })
    const [argument] = simpleWebAuthn.verifyAuthenticationResponse.mock.calls[0] ?? []
    expect(argument?.["authenticator"]).toEqual({
      credentialID: id,
      credentialPublicKey: key,
      counter: 3,
      transports: ["usb"],
    })
  })

  it.each([
    [
      "does not verify",
      {
        verified: false,
        registrationInfo: {
          credentialID: id,
          credentialPublicKey: key,
          counter: 0,
          credentialDeviceType: "",
          credentialBackedUp: false,
        },
      },
    ],
    ["tells nothing", { verified: true, registrationInfo: undefined as never }],
    [
      "verifies another credential",
      {
        verified: true,
        registrationInfo: {
          credentialID: key,
          credentialPublicKey: key,
          counter: 0,
          credentialDeviceType: "",
          credentialBackedUp: false,
        },
      },
    ],
  ])("refuses a registration that %s", async (_, verdict) => {
    const simpleWebAuthn = { ...ownLibrary(), verifyRegistrationResponse: async () => verdict }
    const passkeys = createCeremonies({ provider: { simpleWebAuthn } })
    const begun = await passkeys.begin({ action: "register", email: "ada@example.test" })
    await expect(passkeys.finish(begun, answer({ attestationObject: "AA" }))).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([
    [
      "does not verify",
      {
        verified: false,
        authenticationInfo: { newCounter: 4, credentialDeviceType: "multiDevice", credentialBackedUp: true },
      },
    ],
    [
      "does not count on",
      {
        verified: true,
        authenticationInfo: { newCounter: 3, credentialDeviceType: "multiDevice", credentialBackedUp: true },
      },
    ],
  ])("refuses an authentication that %s", async (_, verdict) => {
    const simpleWebAuthn = { ...ownLibrary(), verifyAuthenticationResponse: async () => verdict }
    const passkeys = createCeremonies({ provider: { simpleWebAuthn } })
    const begun = await passkeys.begin({ action: "register", email: "ada@example.test" })
    await passkeys.admit(await passkeys.finish(begun, answer({ attestationObject: "AA" })))
    const again = await passkeys.begin({})
    await expect(passkeys.finish(again, answer({ authenticatorData: "AA", signature: "AA" }))).rejects.toThrow(
      WebAuthnVerificationError,
    )
  })
})

describe("ours serves", () => {
  it.each([
    ["when the provider brings none", undefined],
    ["when it says that it brings none", false],
    ["when it brings the published library, as providers of Auth.js do", { ...published }],
  ])("%s", (_, given) => {
    expect(versionNine(given)).toBeUndefined()
  })
})

describe("a library that lacks functions", () => {
  it.each([
    ["something else", "x"],
    ["an empty object", {}],
    ["all but the stricter check", { ...ownLibrary(), verifyAuthenticationResponse: undefined }],
  ])("is refused and never ignored: %s", (_, given) => {
    expect(() => versionNine(given)).toThrow(/lacks .*verifyAuthenticationResponse/)
  })
})
