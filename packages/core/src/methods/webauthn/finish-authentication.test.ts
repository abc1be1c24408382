/** Signing in with a passkey: its user, and every kind of invalid response. */

import { authenticatorFlags, type Misbehaviour, softwarePasskey } from "@latchkey/testing"
import { type CborValue, coseKeyOf, encodeCbor, newKeys } from "@latchkey/testing/webauthn"
import { describe, expect, it, vi } from "vitest"
import { type Begun, type Ceremonies, createCeremonies } from "../../../test/support/ceremonies.js"
import { foreignClientData, isOtherInEach, misspelled } from "../../../test/support/client-data.js"
import { rowsIn } from "../../../test/support/threats.js"
import { AdapterError, WebAuthnVerificationError } from "../../errors.js"
import type { Adapter, AdapterAuthenticator } from "../../types/adapter.js"
import type { AdapterUser } from "../../types/identity.js"
import { passkeyPolicy } from "../policy.js"

const email = "ada@example.test"

interface Registered extends Ceremonies {
  readonly user: AdapterUser
  readonly credentialID: string
}

async function registered(given: Parameters<typeof createCeremonies>[0] = {}): Promise<Registered> {
  const passkeys = createCeremonies(given)
  const proof = await passkeys.register(email)
  const user = await passkeys.admit(proof)
  return { ...passkeys, user, credentialID: proof.authenticator?.credentialID ?? "" }
}

describe("an authentication", () => {
  it.each([
    ["with the address", { email }],
    ["without it", {}],
  ])("returns the user, %s, and changes nothing", { tags: ["threat:WA-18"] }, async (_, query) => {
    const passkeys = await registered()
    const write = vi.spyOn(passkeys.adapter, "updateAuthenticatorCounter")
    const { user, credentialID } = passkeys
    const stored = { provider: "passkey", providerAccountId: credentialID, type: "webauthn" }
    expect(await passkeys.signIn(query)).toEqual({
      kind: "proof",
      policy: passkeyPolicy,
      user,
      account: { ...stored, userId: user.id },
      stored,
      counter: { credentialID, value: 1 },
      emailStatus: "unstated",
      afterwards: expect.any(Function),
      mayLinkByEmail: false,
      returnTo: undefined,
    })
    expect(write).not.toHaveBeenCalled()
  })

  it("reads rows in either flavour of base64, and counters that are text", async () => {
    const urlSafe = (value: string): string => value.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
    const passkeys = await registered()
    const read = passkeys.adapter.getAuthenticator.bind(passkeys.adapter)
    const getAuthenticator: Adapter["getAuthenticator"] = async (id) => {
      const row = await read(id)
      return (
        row && {
          ...row,
          credentialID: urlSafe(row.credentialID),
          credentialPublicKey: urlSafe(row.credentialPublicKey),
          counter: "0" as unknown as number,
        }
      )
    }
    Object.assign(passkeys.adapter, { getAuthenticator })
    await expect(passkeys.signIn()).resolves.toMatchObject({ user: passkeys.user })
  })

  it("takes an authenticator that never counts, its counter stored as text", async () => {
    const passkeys = await registered({ authenticator: softwarePasskey({ counts: false }) })
    const read = passkeys.adapter.getAuthenticator.bind(passkeys.adapter)
    const getAuthenticator = async (id: string) => ({ ...((await read(id)) as AdapterAuthenticator), counter: "0" })
    Object.assign(passkeys.adapter, { getAuthenticator })
    await expect(passkeys.signIn()).resolves.toMatchObject({ counter: { value: 0 } })
  })

  it("looks a credential up in its one spelling", { tags: ["threat:WA-26"] }, async () => {
    const passkeys = await registered()
    const read = vi.spyOn(passkeys.adapter, "getAuthenticator")
    await passkeys.signIn()
    expect(read).toHaveBeenCalledWith(passkeys.credentialID)
    expect(passkeys.credentialID).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  })

  it.each([
    ["padded", (id: string) => `${id}=`],
    ["in standard base64", (id: string) => `${id.replaceAll("-", "+").replaceAll("_", "/")}=`],
    ["with other bits after its last byte", (id: string) => id.slice(0, -1) + nextLetter(id.slice(-1))],
  ])("takes a credential id %s for none", { tags: ["threat:WA-26"] }, async (_, spelled) => {
    const passkeys = await registered()
    const begun = await passkeys.begin({})
    const honest = await passkeys.authenticator.get(begun.options)
    const id = spelled(honest.id)
    const read = vi.spyOn(passkeys.adapter, "getAuthenticator")
    await expect(passkeys.finish(begun, { ...honest, id, rawId: id })).rejects.toThrow(WebAuthnVerificationError)
    expect(read).not.toHaveBeenCalled()
    await expect(passkeys.finish(begun, honest)).resolves.toMatchObject({ user: passkeys.user })
  })
})

/** The last letter of 32 bytes says four bits; the two after them say nothing. */
function nextLetter(letter: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  return letters[letters.indexOf(letter) + 1] ?? ""
}

/** The first number of a DER signature with a zero too much in front. */
function paddedInteger(der: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const [, length = 0, , size = 0, ...rest] = der
  return Uint8Array.of(0x30, length + 1, 2, size + 1, 0, ...rest)
}

// biome-ignore format: a table, each row stays on one line
const invalid: readonly (readonly [string, Misbehaviour])[] = [
  ...foreignClientData.map(([title, wrong]) => [title.replace(/WR-\d+/, "WA-07"), wrong] as const),
  ["WA-05 no signature", { response: { signature: undefined } }],
  ["WA-05 a signature that is a number", { response: { signature: 7 } }],
  ["WA-05 no authenticator data", { response: { authenticatorData: undefined } }],
  ["WA-05 no client data", { response: { clientDataJSON: undefined } }],
  ["WA-05 a user handle that is a list", { response: { userHandle: ["x"] } }],
  ["WA-05 authenticator data that are a number", { response: { authenticatorData: 7 } }],
  ["WA-05 client data that are an object", { response: { clientDataJSON: {} } }],
  ["WA-05 a signature that is null", { response: { signature: null } }],
  ["WA-05 a mebibyte", { response: { signature: "A".repeat(1024 * 1024) } }],
  ["WA-05 a mebibyte of authenticator data", { response: { authenticatorData: "A".repeat(1024 * 1024) } }],
  ["WA-05 a mebibyte of client data", { clientData: { extra: "x".repeat(1024 * 1024) } }],
  ["WA-06 the type of a registration", { clientData: { type: "webauthn.create" } }],
  ["WA-06 a type in another case", { clientData: { type: "WebAuthn.get" } }],
  ["WA-06 a payment", { clientData: { type: "payment.get" } }],
  ["WA-06 no type", { clientData: { type: undefined } }],
  ["WA-08 another domain", { rpId: "evil.test" }],
  ["WA-08 a sub-domain", { rpId: "x.app.test" }],
  ["WA-08 a parent domain", { rpId: "test" }],
  ["WA-08 the hash of an appid", { rpId: "https://app.test" }],
  ["WA-09 nobody present", { flags: authenticatorFlags.verified }],
  ["WA-10 nobody verified", { flags: authenticatorFlags.present }],
  ["WA-11 backed up but not eligible", { flags: authenticatorFlags.present | authenticatorFlags.verified | authenticatorFlags.backedUp }],
  ["WA-11 eligible all of a sudden", { flags: authenticatorFlags.present | authenticatorFlags.verified | authenticatorFlags.eligible }],
  ["WA-11 never verified to be eligible, and backed up", { flags: authenticatorFlags.present | authenticatorFlags.verified | authenticatorFlags.eligible | authenticatorFlags.backedUp }],
  ["WA-12 a flipped bit", { signature: (der) => der.map((byte, index) => (index === 20 ? byte ^ 1 : byte)) }],
  ["WA-12 raw instead of DER", { signature: (_, raw) => raw }],
  ["WA-12 bytes after the DER", { signature: (der) => Uint8Array.of(...der, 0) }],
  ["WA-12 a zero in front of a number", { signature: (der) => paddedInteger(der) }],
  ["WA-12 an empty signature", { signature: () => new Uint8Array() }],
  ["WA-12 bytes after the authenticator data", { trailingAuthData: new Uint8Array(2) }],
]

describe("an authentication is refused", () => {
  for (const [title, wrong] of invalid)
    it(`[${title}]`, { tags: rowsIn(title) }, async () => {
      const passkeys = await registered()
      await expect(passkeys.signIn({}, wrong)).rejects.toThrow(WebAuthnVerificationError)
    })

  it("when it is signed with the key of another credential", { tags: ["threat:WA-13"] }, async () => {
    const passkeys = await registered()
    await expect(passkeys.signIn({}, { keys: await newKeys() })).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each<[string, readonly (readonly [number, CborValue])[]]>([
    ["ES384", [[3, -35]]],
    ["EdDSA", [[3, -8]]],
    ["RS256", [[3, -257]]],
    ["none", [[3, 0]]],
    [
      "RS256, as an RSA key",
      [
        [1, 3],
        [3, -257],
        [-1, new Uint8Array(256).fill(0xff)],
        [-2, Uint8Array.of(1, 0, 1)],
      ],
    ],
    [
      "EdDSA, as an Ed25519 key",
      [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, new Uint8Array(32).fill(9)],
      ],
    ],
  ])(
    "when the stored key is of another algorithm than the one that signed: %s",
    {
      tags: ["threat:WA-14"],
    },
    async (_, changes) => {
      const keys = await newKeys()
      const store = async (members: readonly (readonly [number, CborValue])[]) => {
        const passkeys = await registered()
        const read = passkeys.adapter.getAuthenticator.bind(passkeys.adapter)
        const key = encodeCbor(new Map<number, CborValue>([...(await coseKeyOf(keys.publicKey)), ...members]))
        const credentialPublicKey = btoa(String.fromCharCode(...key))
        const getAuthenticator = async (id: string) => ({
          ...((await read(id)) as AdapterAuthenticator),
          credentialPublicKey,
        })
        Object.assign(passkeys.adapter, { getAuthenticator })
        return passkeys
      }
      await expect((await store([])).signIn({}, { keys })).resolves.toMatchObject({ kind: "proof" })
      await expect((await store(changes)).signIn({}, { keys })).rejects.toThrow(WebAuthnVerificationError)
    },
  )

  it("for an unknown credential with the same error as for a wrong signature", {
    tags: ["threat:WA-02", "threat:WA-25"],
  }, async () => {
    const reasonOf = (failing: Promise<unknown>): Promise<unknown> => failing.catch((error: unknown) => error)
    const wrong = await reasonOf((await registered()).signIn({}, { keys: await newKeys() }))
    const passkeys = await registered()
    const stranger = softwarePasskey()
    const begun = await passkeys.begin({})
    await stranger.create({ ...begun.options, rp: { id: "app.test" } })
    const unknown = await reasonOf(passkeys.finish(begun, await stranger.get(begun.options)))
    expect(wrong).toBeInstanceOf(WebAuthnVerificationError)
    expect(unknown).toBeInstanceOf(WebAuthnVerificationError)
    expect((unknown as Error).message).toBe((wrong as Error).message)
  })

  it("for an unknown credential after the same work as for a wrong signature, and nothing is stored", {
    tags: ["threat:WA-02"],
  }, async () => {
    const verify = vi.spyOn(crypto.subtle, "verify")
    const workOf = async (passkeys: Ceremonies, answer: (begun: Begun) => Promise<unknown>) => {
      const begun = await passkeys.begin({})
      const posted = await answer(begun)
      const calls: string[] = []
      for (const [name, member] of Object.entries(passkeys.adapter)) {
        if (typeof member !== "function") continue
        const noted = (...given: unknown[]): unknown => {
          calls.push(name)
          return (member as (...all: unknown[]) => unknown)(...given)
        }
        Object.assign(passkeys.adapter, { [name]: noted })
      }
      verify.mockClear()
      await expect(passkeys.finish(begun, posted)).rejects.toThrow(WebAuthnVerificationError)
      return { calls, checks: verify.mock.calls.length }
    }
    const known = await registered()
    const keys = await newKeys()
    const wrong = await workOf(known, ({ options }) => known.authenticator.get(options, { keys }))
    const stranger = softwarePasskey()
    const unknown = await workOf(await registered(), async ({ options }) => {
      await stranger.create({ ...options, rp: { id: "app.test" } })
      return stranger.get(options)
    })
    expect(wrong).toEqual({ calls: ["getAuthenticator"], checks: 1 })
    expect(unknown).toEqual(wrong)
  })

  it.each(misspelled)("with its challenge %s", { tags: ["threat:WA-07"] }, async (_, spelled) => {
    const passkeys = await registered()
    let begun = await passkeys.begin({})
    while (!isOtherInEach(begun.options.challenge)) begun = await passkeys.begin({})
    const challenge = spelled(begun.options.challenge)
    const answer = await passkeys.authenticator.get(begun.options, { clientData: { challenge } })
    await expect(passkeys.finish(begun, answer)).rejects.toThrow(WebAuthnVerificationError)
  })

  it("with the challenge of a registration", { tags: ["threat:WO-02", "threat:WO-05"] }, async () => {
    const passkeys = await registered()
    const begun = await passkeys.begin({ action: "register", email: "eve@example.test" })
    const answer = await passkeys.authenticator.get({ ...begun.options, rpId: "app.test" })
    await expect(passkeys.finish(begun, answer, { action: "authenticate" })).rejects.toThrow(WebAuthnVerificationError)
  })

  it("without its challenge, too late, or with that of another provider", {
    tags: ["threat:WO-04", "threat:WO-07", "threat:WA-19", "threat:CS-01"],
  }, async () => {
    const passkeys = await registered()
    const begun = await passkeys.begin({})
    const answer = await passkeys.authenticator.get(begun.options)
    const foreign = await createCeremonies({ provider: { id: "other" } }).begin({})
    for (const more of [
      { cookies: new Map<string, string>() },
      { now: new Date("2026-07-22T12:16:00Z") },
      { cookies: foreign.cookies },
    ]) {
      await expect(passkeys.finish(begun, answer, more)).rejects.toThrow(WebAuthnVerificationError)
    }
    await expect(passkeys.finish(begun, answer)).resolves.toMatchObject({ kind: "proof" })
  })

  it.each([
    ["the authenticator is gone", { getAuthenticator: async () => null }],
    ["the user is gone", { getUser: async () => null }],
    ["the account is gone: it was planted and removed", { getAccount: async () => null }],
  ])("when %s", { tags: ["threat:WA-20", "threat:WA-21"] }, async (_, operations) => {
    const passkeys = await registered()
    const begun = await passkeys.begin({ action: "authenticate", email })
    Object.assign(passkeys.adapter, operations)
    const answer = await passkeys.authenticator.get(begun.options)
    await expect(passkeys.finish(begun, answer)).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([
    ["its user is deleted", ({ adapter, user }: Registered) => adapter.deleteUser(user.id)],
    [
      "it is removed",
      ({ adapter, credentialID }: Registered) =>
        adapter.unlinkAccount({ provider: "passkey", providerAccountId: credentialID }),
    ],
  ])("when %s between its options and its answer", { tags: ["threat:WA-20", "threat:WA-21"] }, async (_, remove) => {
    const passkeys = await registered()
    const [begun, late] = [await passkeys.begin({}), await passkeys.begin({})]
    await expect(passkeys.finish(begun, await passkeys.authenticator.get(begun.options))).resolves.toBeDefined()
    await remove(passkeys)
    const answer = await passkeys.authenticator.get(late.options)
    await expect(passkeys.finish(late, answer)).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([
    ["another credential [FD-21]", { credentialID: btoa("another") }],
    ["a credential of another user [A-043]", { userId: "another" }],
  ])("when a careless store hands out %s", async (_, members) => {
    const passkeys = await registered()
    const read = passkeys.adapter.getAuthenticator.bind(passkeys.adapter)
    const getAuthenticator = async (id: string) => ({ ...((await read(id)) as AdapterAuthenticator), ...members })
    Object.assign(passkeys.adapter, { getAuthenticator })
    await expect(passkeys.signIn()).rejects.toThrow(WebAuthnVerificationError)
  })

  it("with the store's own error when the store is down", async () => {
    const passkeys = await registered()
    Object.assign(passkeys.adapter, { getUser: () => Promise.reject(new Error("down")) })
    await expect(passkeys.signIn()).rejects.toThrow(AdapterError)
  })
})

describe("the signature counter", { tags: ["threat:WA-15"] }, () => {
  it.each([
    [5, 6, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
    [0, 0, true],
    [0, 1, true],
    [4_294_967_295, 0, false],
    [4_294_967_295, 1, false],
    [4_294_967_294, 4_294_967_295, true],
  ])("stored %i, received %i: accepted %s", async (stored, counter, isGood) => {
    const passkeys = await registered()
    if (stored > 0) await passkeys.adapter.updateAuthenticatorCounter(passkeys.credentialID, stored)
    const outcome = passkeys.signIn({}, { counter })
    if (isGood) await expect(outcome).resolves.toMatchObject({ counter: { value: counter } })
    else await expect(outcome).rejects.toThrow(WebAuthnVerificationError)
    expect((await passkeys.adapter.getAuthenticator(passkeys.credentialID))?.counter).toBe(stored)
  })
})

describe("what the provider allows", () => {
  it("a person who was not verified, unless that is required", { tags: ["threat:WA-10"] }, async () => {
    const provider = {
      authenticationOptions: { userVerification: "preferred" },
      verifyAuthenticationOptions: { requireUserVerification: false },
    }
    await expect(
      (await registered({ provider })).signIn({}, { flags: authenticatorFlags.present }),
    ).resolves.toMatchObject({
      kind: "proof",
    })
  })

  it("a backup that was made since", { tags: ["threat:WA-11"] }, async () => {
    const kind = authenticatorFlags.present | authenticatorFlags.verified | authenticatorFlags.eligible
    const passkeys = await registered({ authenticator: softwarePasskey({ kind }) })
    await expect(passkeys.signIn({}, { flags: kind | authenticatorFlags.backedUp })).resolves.toMatchObject({
      kind: "proof",
    })
    // No operation of an adapter would write it.
    expect(await passkeys.adapter.getAuthenticator(passkeys.credentialID)).toMatchObject({ credentialBackedUp: false })
  })

  it("but no credential that could be backed up and now cannot", { tags: ["threat:WA-11"] }, async () => {
    const kind = authenticatorFlags.present | authenticatorFlags.verified
    const authenticator = softwarePasskey({ kind: kind | authenticatorFlags.eligible })
    await expect((await registered({ authenticator })).signIn({}, { flags: kind })).rejects.toThrow(
      WebAuthnVerificationError,
    )
  })
})
