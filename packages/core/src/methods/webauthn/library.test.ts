import { describe, expect, it, vi } from "vitest"
import { InvalidConfiguration } from "../../errors.js"
import { Passkey } from "../../providers/passkey.js"
import { WebAuthn } from "../../providers/webauthn.js"
import type { WebAuthnConfig } from "../../types/provider.js"
import { libraryOf } from "./library.js"

const party = { id: "app.test", name: "App", origin: "https://app.test" }
const question = { options: {}, party, allow: undefined }

/** A provider object as Auth.js makes them: it has no loader. */
const foreign: WebAuthnConfig = { id: "passkey", name: "Passkey", type: "webauthn" }

describe("the library of a provider", () => {
  it.each([
    ["Passkey", Passkey()],
    ["WebAuthn", WebAuthn({ id: "keys" })],
    ["an object without a loader", foreign],
  ])("is found for %s", async (_, provider) => {
    const library = await libraryOf(provider)
    expect(await library.authenticationOptions(question)).toMatchObject({ challenge: expect.any(String) })
  })

  it("is what the provider loads", async () => {
    const generateAuthenticationOptions = vi.fn(async () => ({ challenge: "own" }))
    const loadLibrary = async () => ({ server: { generateAuthenticationOptions }, helpers: {} })
    const library = await libraryOf({ ...foreign, loadLibrary })
    expect(await library.authenticationOptions(question)).toEqual({ challenge: "own" })
  })

  it("that is missing is reported with the reason of the loader", async () => {
    const loadLibrary = () => Promise.reject(new InvalidConfiguration("npm install it"))
    await expect(libraryOf({ ...foreign, loadLibrary })).rejects.toThrow("npm install it")
  })
})
