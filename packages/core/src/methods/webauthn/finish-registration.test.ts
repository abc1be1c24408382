/** Registrations: a valid one, and every kind of invalid one. */

import { createHash, KeyObject, sign } from "node:crypto"
import { authenticatorFlags, type Misbehaviour } from "@latchkey/testing"
import type { CborValue } from "@latchkey/testing/webauthn"
import { coseKeyOf, encodeCbor, newKeys, toBase64url } from "@latchkey/testing/webauthn"
import { decodeAttestationObject } from "@simplewebauthn/server/helpers"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type Begun, type Ceremonies, createCeremonies } from "../../../test/support/ceremonies.js"
import { foreignClientData, isOtherInEach, misspelled } from "../../../test/support/client-data.js"
import { rowsIn } from "../../../test/support/threats.js"
import { memoryAdapter } from "../../adapters/memory.js"
import { AdapterError, MissingAdapterMethods, WebAuthnVerificationError } from "../../errors.js"
import { passkeyPolicy } from "../policy.js"
import { storedId } from "./stored.js"

const email = "ada@example.test"

describe("a registration without session", () => {
  it("proves a credential, not the address, and changes nothing [spec authenticator credentialID] [spec authenticator credentialPublicKey] [spec authenticator credentialDeviceType] [spec authenticator transports] [spec authenticator providerAccountId]", {
    tags: ["threat:WR-37", "threat:WR-38"],
  }, async () => {
    const adapter = memoryAdapter()
    const writes = [
      vi.spyOn(adapter, "createUser"),
      vi.spyOn(adapter, "linkAccount"),
      vi.spyOn(adapter, "createAuthenticator"),
    ]
    const passkeys = createCeremonies({ adapter })
    const proof = await passkeys.register(" Ada@Example.TEST ")
    const id = btoa(String.fromCharCode(...(passkeys.authenticator.credentials[0]?.id ?? [])))
    const stored = { provider: "passkey", providerAccountId: id, type: "webauthn" }
    expect(proof).toEqual({
      kind: "proof",
      policy: passkeyPolicy,
      // A store that keeps users under the id it is given needs one.
      user: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), email },
      begunBy: { kind: "nobody" },
      account: stored,
      stored,
      authenticator: {
        credentialID: id,
        credentialPublicKey: expect.stringMatching(/^[A-Za-z0-9+/]{103}=$/),
        counter: 0,
        credentialDeviceType: "singleDevice",
        credentialBackedUp: false,
        transports: "internal,hybrid",
        providerAccountId: id,
      },
      emailStatus: "unverified",
      afterwards: expect.any(Function),
      mayLinkByEmail: false,
      returnTo: undefined,
    })
    for (const write of writes) expect(write).not.toHaveBeenCalled()
  })

  it.each([
    [authenticatorFlags.eligible, { credentialDeviceType: "multiDevice", credentialBackedUp: false }],
    [
      authenticatorFlags.eligible | authenticatorFlags.backedUp,
      { credentialDeviceType: "multiDevice", credentialBackedUp: true },
    ],
    [0, { counter: 4_294_967_295 }],
  ])(
    "stores what the authenticator states, with the flags %i [spec authenticator counter] [spec authenticator credentialBackedUp]",
    { tags: ["threat:WR-21", "threat:WR-35"] },
    async (more, facts) => {
      const wrong = {
        flags: authenticatorFlags.present | authenticatorFlags.verified | authenticatorFlags.attested | more,
        counter: 4_294_967_295,
      }
      expect((await createCeremonies().register(email, wrong)).authenticator).toMatchObject(facts)
    },
  )

  it.each([
    [["usb", "usb", "x,y", 7, null, "NFC", "smart-card", ""], "usb,smart-card"],
    [
      Array.from({ length: 100 }, (_, index) => `way-${"abcdefghijkl"[index % 12]}`),
      "way-a,way-b,way-c,way-d,way-e,way-f,way-g,way-h,way-i,way-j",
    ],
    [[], undefined],
    ["usb", undefined],
    [undefined, undefined],
  ])("keeps the transports that make sense: %j", { tags: ["threat:WR-33"] }, async (transports, stored) => {
    const { authenticator } = await createCeremonies().register(email, { response: { transports } })
    expect(authenticator?.transports).toBe(stored)
  })
})

describe("a registration with a session", () => {
  it("is for the signed-in user", { tags: ["threat:WR-39"] }, async () => {
    const passkeys = createCeremonies()
    const { user, cookies } = await passkeys.member(email)
    const begun = await passkeys.begin({ action: "register" }, cookies)
    expect((await passkeys.finish(begun, await passkeys.authenticator.create(begun.options))).user).toEqual(user)
  })

  it("is for the signed-in user, also where another address is named", {
    tags: ["threat:WR-39", "threat:WO-14"],
  }, async () => {
    const passkeys = createCeremonies()
    await passkeys.admit(await passkeys.register("eve@example.test"))
    const { user, cookies } = await passkeys.member(email)
    const begun = await passkeys.begin({ action: "register", email: "eve@example.test" }, cookies)
    expect(begun.options.user).toMatchObject({ name: email })
    expect((await passkeys.finish(begun, await passkeys.authenticator.create(begun.options))).user).toEqual(user)
  })

  it.each([
    [
      "another session",
      async (passkeys: Ceremonies, begun: Begun) => [
        ...begun.cookies,
        ...(await passkeys.member("eve@example.test")).cookies,
      ],
    ],
    [
      "no session any more",
      async (_: Ceremonies, begun: Begun) => [...begun.cookies].filter(([name]) => !name.includes("session")),
    ],
  ])("is refused with %s", { tags: ["threat:WO-02", "threat:WO-06", "threat:A-033"] }, async (_, cookiesOf) => {
    const passkeys = createCeremonies()
    const { cookies } = await passkeys.member(email)
    const begun = await passkeys.begin({ action: "register" }, cookies)
    const answer = await passkeys.authenticator.create(begun.options)
    const others = new Map(await cookiesOf(passkeys, begun))
    await expect(passkeys.finish(begun, answer, { cookies: others })).rejects.toThrow(WebAuthnVerificationError)
    await expect(passkeys.finish(begun, answer)).resolves.toMatchObject({ kind: "proof" })
  })

  it("is refused when it began signed out", { tags: ["threat:A-033"] }, async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    const answer = await passkeys.authenticator.create(begun.options)
    const cookies = new Map([...begun.cookies, ...(await passkeys.member("eve@example.test")).cookies])
    await expect(passkeys.finish(begun, answer, { cookies })).rejects.toThrow(WebAuthnVerificationError)
  })
})

const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(7)
const text = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value)
const all = authenticatorFlags.present | authenticatorFlags.verified | authenticatorFlags.attested
/** Authenticator data of this application up to the counter, and as much of a credential as is given: bytes of its model, then these. */
const withoutKey = (model: number, ...more: readonly number[]): Uint8Array<ArrayBuffer> => {
  const party = createHash("sha256").update("app.test").digest()
  return Uint8Array.of(...party, all, 0, 0, 0, 0, ...new Uint8Array(model), ...more)
}

// biome-ignore format: a table, each row stays on one line
const invalid: readonly (readonly [string, Misbehaviour])[] = [
  ["WR-01 no response", { answer: { response: undefined } }],
  ["WR-01 a list as response", { answer: { response: [] } }],
  ["WR-01 text as response", { answer: { response: "x" } }],
  ["WR-01 an assertion", { response: { attestationObject: undefined, signature: "AA", authenticatorData: "AA" } }],
  ["WR-02 id and rawId differ", { answer: { rawId: "AAAA" } }],
  ["WR-02 no rawId", { answer: { rawId: undefined } }],
  ["WR-02 an id that is no base64url", { answer: { id: "a+b/", rawId: "a+b/" } }],
  ["WR-02 a padded id", { answer: { id: "AA==", rawId: "AA==" } }],
  ["WR-02 a second spelling of an id", { answer: { id: "AB", rawId: "AB" } }],
  ["WR-02 an empty id", { answer: { id: "", rawId: "" } }],
  ["WR-02 an id that is not a string", { answer: { id: 7, rawId: 7 } }],
  ["WR-02 a long id", { answer: { id: toBase64url(bytes(2000)), rawId: toBase64url(bytes(2000)) } }],
  ["WR-02 the id of another credential", { answer: { id: toBase64url(bytes(32)), rawId: toBase64url(bytes(32)) } }],
  ["WR-03 another type", { answer: { type: "password" } }],
  ["WR-03 a type in another case", { answer: { type: "Public-Key" } }],
  ["WR-03 no type", { answer: { type: undefined } }],
  ["WR-04 invalid UTF-8", { clientDataBytes: Uint8Array.of(0x7b, 0xff, 0x7d) }],
  ["WR-04 no JSON", { clientDataBytes: text("{") }],
  ["WR-04 NUL", { clientDataBytes: text("{}\u0000") }],
  ["WR-04 a list", { clientDataBytes: text("[]") }],
  ["WR-04 nothing", { clientDataBytes: text("null") }],
  ["WR-04 a mebibyte", { clientData: { extra: "x".repeat(1024 * 1024) } }],
  ["WR-04 no base64url", { response: { clientDataJSON: "{}" } }],
  ["WR-05 the type of an authentication", { clientData: { type: "webauthn.get" } }],
  ["WR-05 a type in another case", { clientData: { type: "WebAuthn.create" } }],
  ["WR-05 a payment", { clientData: { type: "payment.get" } }],
  ["WR-05 no type", { clientData: { type: undefined } }],
  ["WR-11 a token binding that is junk", { clientData: { tokenBinding: "x" } }],
  ["WR-11 a token binding of an unknown status", { clientData: { tokenBinding: { status: "x" } } }],
  ["WR-14 bytes after the attestation", { trailing: bytes(1) }],
  ["WR-14 no map", { response: { attestationObject: toBase64url(Uint8Array.of(0x80)) } }],
  ["WR-14 nothing", { response: { attestationObject: "" } }],
  ["WR-14 no base64url", { response: { attestationObject: "+/==" } }],
  ["WR-14 an indefinite length", { response: { attestationObject: toBase64url(Uint8Array.of(0xbf, 0xff)) } }],
  ["WR-14 a giant length", { response: { attestationObject: toBase64url(Uint8Array.of(0xbb, 1, 0, 0, 0, 0, 0, 0, 0)) } }],
  ["WR-14 a tag", { response: { attestationObject: toBase64url(Uint8Array.of(0xd8, 0x40, 0x41, 0)) } }],
  ["WR-14 a thousand levels", { response: { attestationObject: toBase64url(new Uint8Array(1000).fill(0x81)) } }],
  ["WR-14 a member twice", { response: { attestationObject: toBase64url(Uint8Array.of(0xa2, 0x61, 0x61, 0, 0x61, 0x61, 0)) } }],
  ["WR-15 an unknown format", { attestation: new Map<string, CborValue>([["fmt", "x"]]) }],
  ["WR-15 a format in another case", { attestation: new Map<string, CborValue>([["fmt", "NONE"]]) }],
  ["WR-15 an empty format", { attestation: new Map<string, CborValue>([["fmt", ""]]) }],
  ["WR-16 a statement where there is none", { attestation: new Map<string, CborValue>([["attStmt", new Map([["x", 1]])]]) }],
  ["WR-17 short authenticator data", { attestation: new Map<string, CborValue>([["authData", bytes(36)]]) }],
  ["WR-17 authenticator data that end before the credential id", { attestation: new Map<string, CborValue>([["authData", withoutKey(16)]]) }],
  ["WR-17 a credential id that is shorter than it says", { attestation: new Map<string, CborValue>([["authData", withoutKey(16, 0, 32, 7)]]) }],
  ["WR-17 no key", { attestation: new Map<string, CborValue>([["authData", withoutKey(16, 0, 1, 7)]]) }],
  ["WR-17 bytes after the authenticator data", { trailingAuthData: bytes(3) }],
  ["WR-17 extensions that are not there", { flags: all | authenticatorFlags.extended }],
  ["WR-18 another domain", { rpId: "evil.test" }],
  ["WR-18 a sub-domain", { rpId: "x.app.test" }],
  ["WR-19 nobody present", { flags: authenticatorFlags.verified | authenticatorFlags.attested }],
  ["WR-20 nobody verified", { flags: authenticatorFlags.present | authenticatorFlags.attested }],
  ["WR-21 backed up but not eligible", { flags: all | authenticatorFlags.backedUp }],
  ["WR-22 no credential", { flags: authenticatorFlags.present | authenticatorFlags.verified }],
  ...["fido-u2f", "tpm", "android-key", "apple", "android-safetynet"].map((fmt) => [`WR-29 the format ${fmt}`, { attestation: new Map<string, CborValue>([["fmt", fmt], ["attStmt", new Map<string, CborValue>([["alg", -7], ["sig", bytes(8)], ["x5c", [bytes(8)]]])]]) }] as const),
  ["WR-28, A-185 certificates", { attestation: new Map<string, CborValue>([["fmt", "packed"], ["attStmt", new Map<string, CborValue>([["alg", -7], ["sig", bytes(8)], ["x5c", [bytes(8)]]])]]) }],
  ["WR-27 a self attestation with a wrong signature", { attestation: new Map<string, CborValue>([["fmt", "packed"], ["attStmt", new Map<string, CborValue>([["alg", -7], ["sig", bytes(8)]])]]) }],
  ["WR-31 an empty credential id", { attestedId: bytes(0) }],
  ["WR-31 a credential id of 1024 bytes", { attestedId: bytes(1024), answer: { id: toBase64url(bytes(1024)), rawId: toBase64url(bytes(1024)) } }],
]

describe("a registration is refused", () => {
  afterEach(() => vi.unstubAllGlobals())

  // Each asserts that nothing in an answer makes us ask anybody, too.
  for (const [title, wrong] of [...invalid, ...foreignClientData])
    it(`[${title}]`, { tags: [...rowsIn(title), "threat:WR-30", "threat:A-186"] }, async () => {
      const fetch = vi.fn()
      vi.stubGlobal("fetch", fetch)
      const before = performance.now()
      const failure = createCeremonies().register(email, wrong)
      await expect(failure).rejects.toThrow(WebAuthnVerificationError)
      // An answer that made us ask anybody would take until that fails.
      expect(performance.now() - before).toBeLessThan(10_000)
      expect(fetch).not.toHaveBeenCalled()
    })

  it("with the reason in its cause, for the log", { tags: ["threat:WA-25"] }, async () => {
    const failure = createCeremonies().register(email, { clientData: { origin: "https://evil.test" } })
    await expect(failure).rejects.toMatchObject({
      cause: { err: expect.objectContaining({ message: expect.stringContaining("origin") }) },
    })
    await expect(failure).rejects.not.toThrow(/origin/)
  })

  it.each([
    ["no text", 7],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["more than 64 KiB [WA-24]", JSON.stringify({ id: "A".repeat(70_000) })],
  ])("when its data are %s", async (_, data) => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    await expect(passkeys.finish(begun, data)).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([undefined, "", "Register", "delete", ["register"]])("when the action is %j", async (action) => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    const answer = await passkeys.authenticator.create(begun.options)
    await expect(passkeys.finish(begun, answer, { action: action ?? null })).rejects.toThrow(WebAuthnVerificationError)
  })

  it("with a challenge that is not its own, missing, too old or of another provider", {
    tags: ["threat:WO-04", "threat:WO-07"],
  }, async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    const answer = await passkeys.authenticator.create(begun.options)
    const other = createCeremonies({ provider: { id: "other" } })
    const foreign = await other.begin({ action: "register", email })
    const late = new Date("2026-07-22T12:16:00Z")
    await expect(passkeys.finish(begun, answer, { cookies: new Map() })).rejects.toThrow(WebAuthnVerificationError)
    await expect(passkeys.finish(begun, answer, { now: late })).rejects.toThrow(WebAuthnVerificationError)
    await expect(
      passkeys.finish(begun, await passkeys.authenticator.create(foreign.options), { cookies: foreign.cookies }),
    ).rejects.toThrow(WebAuthnVerificationError)
    await expect(passkeys.finish(begun, answer)).resolves.toMatchObject({ kind: "proof" })
  })

  it.each(misspelled)("with its challenge %s", { tags: ["threat:WR-06"] }, async (_, spelled) => {
    const passkeys = createCeremonies()
    let begun = await passkeys.begin({ action: "register", email })
    while (!isOtherInEach(begun.options.challenge)) begun = await passkeys.begin({ action: "register", email })
    const challenge = spelled(begun.options.challenge)
    const answer = await passkeys.authenticator.create(begun.options, { clientData: { challenge } })
    await expect(passkeys.finish(begun, answer)).rejects.toThrow(WebAuthnVerificationError)
  })

  it("with the challenge of an authentication", { tags: ["threat:WO-02", "threat:WO-05"] }, async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "authenticate" })
    const answer = await passkeys.authenticator.create({ ...begun.options, rp: { id: "app.test" } })
    await expect(passkeys.finish(begun, answer, { action: "register" })).rejects.toThrow(WebAuthnVerificationError)
  })

  it("for a credential that is registered already, for whomever", { tags: ["threat:WR-32"] }, async () => {
    const passkeys = createCeremonies()
    const proof = await passkeys.register(email)
    await passkeys.admit(proof)
    const id = passkeys.authenticator.credentials[0]?.id
    if (!id) throw new Error("no credential")
    const answer = { id: toBase64url(id), rawId: toBase64url(id) }
    const stored = storedId(answer.id)
    const before = await passkeys.adapter.getAuthenticator(stored)
    expect(before).toMatchObject({ credentialID: stored })
    await expect(passkeys.register(email, { attestedId: id, answer })).rejects.toThrow(WebAuthnVerificationError)
    const { id: ada } = (await passkeys.adapter.getUserByEmail(email)) ?? {}
    const sessionToken = "session-of-ada"
    await passkeys.adapter.createSession({ sessionToken, userId: ada ?? "", expires: new Date("2026-07-23T12:00:00Z") })
    const own = await passkeys.begin({ action: "register" }, new Map([["__Secure-authjs.session-token", sessionToken]]))
    const twice = await passkeys.authenticator.create(own.options, { attestedId: id, answer })
    await expect(passkeys.finish(own, twice)).rejects.toThrow(WebAuthnVerificationError)
    await expect(passkeys.register("eve@example.test", { attestedId: id, answer })).rejects.toThrow(
      WebAuthnVerificationError,
    )
    const { cookies } = await passkeys.member("eve@example.test")
    const begun = await passkeys.begin({ action: "register" }, cookies)
    const again = await passkeys.authenticator.create(begun.options, { attestedId: id, answer })
    await expect(passkeys.finish(begun, again)).rejects.toThrow(WebAuthnVerificationError)
    expect(await passkeys.adapter.getAuthenticator(stored)).toEqual(before)
  })

  it.each([
    ["an unknown format", { attestation: new Map<string, CborValue>([["fmt", "x"]]) }],
    [
      "certificates",
      {
        attestation: new Map<string, CborValue>([
          ["fmt", "packed"],
          ["attStmt", new Map<string, CborValue>([["x5c", [bytes(8)]]])],
        ]),
      },
    ],
  ])(
    "for an attestation nobody asked for, before it is looked at: %s",
    { tags: ["threat:WR-15", "threat:WR-28", "threat:WR-29"] },
    async (_, wrong) => {
      const notAsked = { err: expect.objectContaining({ message: expect.stringContaining("was not asked for") }) }
      await expect(createCeremonies().register(email, wrong)).rejects.toMatchObject({ cause: notAsked })
      const provider = { registrationOptions: { attestationType: "direct" } }
      await expect(createCeremonies({ provider }).register(email, wrong)).rejects.not.toMatchObject({ cause: notAsked })
    },
  )

  it("for a credential whose authenticator is there without its account", async () => {
    const getAuthenticator = async (credentialID: string) => ({ credentialID, userId: "1" }) as never
    await expect(createCeremonies({ adapter: { getAuthenticator } }).register(email)).rejects.toThrow(
      WebAuthnVerificationError,
    )
  })

  it("for a credential whose account is there without its authenticator", async () => {
    const getUserByAccount = async () => ({ id: "1", email: "v@victim.test", emailVerified: null })
    await expect(createCeremonies({ adapter: { getUserByAccount } }).register(email)).rejects.toThrow(
      WebAuthnVerificationError,
    )
  })

  it("without a session when the adapter could not remove the passkey again", async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    const answer = await passkeys.authenticator.create(begun.options)
    const without = createCeremonies({ adapter: { unlinkAccount: undefined as never } })
    await expect(without.finish(begun, answer)).rejects.toThrow(MissingAdapterMethods)
  })

  it("with the store's own error when the store is down", async () => {
    const getAuthenticator = () => Promise.reject(new Error("down"))
    await expect(createCeremonies({ adapter: { getAuthenticator } }).register(email)).rejects.toThrow(AdapterError)
  })
})

describe("a key is refused before it is stored", () => {
  const withKey = async (changes: readonly (readonly [number, CborValue])[]): Promise<Misbehaviour> => {
    const key = await coseKeyOf((await newKeys()).publicKey)
    return { coseKey: new Map([...key, ...changes]) }
  }
  const rsa = (n: Uint8Array, e: Uint8Array, more: readonly [number, CborValue][] = []): Misbehaviour => ({
    coseKey: new Map<number, CborValue>([[1, 3], [3, -257], [-1, n], [-2, e], ...more]),
  })
  const odd = Uint8Array.of(1, 0, 1)

  it.each([
    ["WR-24 an algorithm that was not offered", [[3, -35]] as const],
    ["WR-24 RS1", [[3, -65535]] as const],
    ["WR-24 PS256", [[3, -37]] as const],
    ["WR-25 the algorithm of another type", [[3, -257]] as const],
    ["WR-25 another coordinate of 31 bytes", [[-3, new Uint8Array(31)]] as const],
    ["WR-25 another coordinate of 33 bytes", [[-3, new Uint8Array(33)]] as const],
    ["WR-25 a point off the curve", [[-3, new Uint8Array(32).fill(1)]] as const],
    [
      "WR-25 the zero point",
      [
        [-2, new Uint8Array(32)],
        [-3, new Uint8Array(32)],
      ] as const,
    ],
    ["WR-25 a coordinate of 31 bytes", [[-2, new Uint8Array(31)]] as const],
    ["WR-25 a coordinate of 33 bytes", [[-2, new Uint8Array(33)]] as const],
    ["WR-25 another key type", [[1, 1]] as const],
    ["WR-25 another curve", [[-1, 2]] as const],
    ["WR-25 a private member", [[-4, new Uint8Array(32)]] as const],
    ["WR-25 a coordinate that is text", [[-2, "x"]] as const],
  ])("[%s]", { tags: ["threat:WR-24", "threat:WR-25"] }, async (_, changes) => {
    await expect(createCeremonies().register(email, await withKey(changes))).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([
    ["an RSA key of 512 bits", rsa(new Uint8Array(64).fill(0xff), odd)],
    ["an RSA key of the algorithm of a curve", rsa(new Uint8Array(256).fill(0xff), odd, [[3, -7]])],
    ["an RSA key padded with zeros", rsa(new Uint8Array(256).fill(0xff, 200), odd)],
    ["an RSA key of 16384 bits [AL-10]", rsa(new Uint8Array(2048).fill(0xff), odd)],
    ["the exponent 1", rsa(new Uint8Array(256).fill(0xff), Uint8Array.of(1))],
    ["an even exponent", rsa(new Uint8Array(256).fill(0xff), Uint8Array.of(1, 0, 0))],
    ["an empty exponent", rsa(new Uint8Array(256).fill(0xff), new Uint8Array())],
    ["a private RSA member", rsa(new Uint8Array(256).fill(0xff), odd, [[-3, new Uint8Array(8)]])],
  ])(" %s", { tags: ["threat:WR-25"] }, async (_, wrong) => {
    await expect(createCeremonies().register(email, wrong)).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([
    ["RS256", rsa(new Uint8Array(256).fill(0xff), odd)],
    [
      "EdDSA",
      {
        coseKey: new Map<number, CborValue>([
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, new Uint8Array(32).fill(9)],
        ]),
      },
    ],
  ])("but %s is taken", async (_, wrong) => {
    await expect(createCeremonies().register(email, wrong)).resolves.toMatchObject({ kind: "proof" })
  })
})

describe("what the provider allows", () => {
  it("several origins, each of them", { tags: ["threat:WR-08"] }, async () => {
    const origins = ["https://app.test", "https://www.app.test"]
    const provider = { relayingParty: { origin: origins } }
    for (const origin of origins) {
      await expect(createCeremonies({ provider }).register(email, { clientData: { origin } })).resolves.toMatchObject({
        kind: "proof",
      })
    }
    await expect(
      createCeremonies({ provider }).register(email, { clientData: { origin: "https://x.app.test" } }),
    ).rejects.toThrow()
  })

  it("only its own origin, whatever the request says", { tags: ["threat:WR-08"] }, async () => {
    const provider = { relayingParty: { id: "b.test", origin: "https://b.test" } }
    await expect(
      createCeremonies({ provider }).register(email, { clientData: { origin: "https://b.test" } }),
    ).resolves.toBeDefined()
    await expect(createCeremonies({ provider }).register(email)).rejects.toThrow(WebAuthnVerificationError)
  })

  it("a person who was not verified, unless that is required", { tags: ["threat:WR-20"] }, async () => {
    const registrationOptions = { authenticatorSelection: { userVerification: "preferred" } }
    const unverified = { flags: authenticatorFlags.present | authenticatorFlags.attested }
    const relaxed = { registrationOptions, verifyRegistrationOptions: {} }
    // The passkey provider asks for verification twice; both have to be taken back.
    const provider = { ...relaxed, verifyRegistrationOptions: { requireUserVerification: false } }
    await expect(createCeremonies({ provider }).register(email, unverified)).resolves.toMatchObject({ kind: "proof" })
    const strict = {
      registrationOptions: { authenticatorSelection: { userVerification: "required" } },
      verifyRegistrationOptions: {},
    }
    await expect(createCeremonies({ provider: strict }).register(email, unverified)).rejects.toThrow()
  })

  it.each([
    [-8, -7],
    [-7, -257],
    [-7, -37],
  ])("the algorithms that it offers and no others: %i, not %i", { tags: ["threat:WR-24"] }, async (offered, alg) => {
    const provider = { registrationOptions: { supportedAlgorithmIDs: [offered] } }
    const modulus = new Uint8Array(256).fill(0xff)
    const coseKey = new Map<number, CborValue>([
      [1, 3],
      [3, alg],
      [-1, modulus],
      [-2, Uint8Array.of(1, 0, 1)],
    ])
    const wrong = alg === -7 ? {} : { coseKey }
    await expect(createCeremonies({ provider }).register(email, wrong)).rejects.toThrow(WebAuthnVerificationError)
    const both = { registrationOptions: { supportedAlgorithmIDs: [offered, alg] } }
    await expect(createCeremonies({ provider: both }).register(email, wrong)).resolves.toMatchObject({ kind: "proof" })
  })

  it("a registration without presence where it says that nobody need be there", {
    tags: ["threat:WR-19"],
  }, async () => {
    const wrong = { flags: authenticatorFlags.attested }
    const absent = { requireUserPresence: false, requireUserVerification: false }
    await expect(
      createCeremonies({ provider: { verifyRegistrationOptions: absent } }).register(email, wrong),
    ).resolves.toMatchObject({ kind: "proof" })
    const present = { requireUserVerification: false }
    await expect(
      createCeremonies({ provider: { verifyRegistrationOptions: present } }).register(email, wrong),
    ).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([{ status: "supported" }, { status: "present", id: "AAAA" }, { status: "not-supported" }])(
    "a token binding of browsers as they were: %j",
    { tags: ["threat:WR-11"] },
    async (tokenBinding) => {
      await expect(createCeremonies().register(email, { clientData: { tokenBinding } })).resolves.toMatchObject({
        kind: "proof",
      })
    },
  )

  it("outputs of extensions that nobody asked for", { tags: ["threat:WR-34"] }, async () => {
    const outputs = encodeCbor(new Map<string, CborValue>([["x", 1]]))
    const extended = { flags: all | authenticatorFlags.extended, trailingAuthData: outputs }
    const { authenticator } = await createCeremonies().register(email, extended)
    expect(Object.keys(authenticator ?? {}).toSorted()).toEqual(
      Object.keys((await createCeremonies().register(email)).authenticator ?? {}).toSorted(),
    )
  })

  it.each<[string, Record<string, CborValue>, boolean]>([
    ["as it is", {}, true],
    ["of another algorithm than the key", { alg: -35 }, false],
    ["of an algorithm that signs otherwise", { alg: -8 }, false],
    ["without algorithm", { alg: 0 }, false],
  ])("a self attestation %s: %j, %s", { tags: ["threat:WR-27"] }, async (_, members, isGood) => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    const answer = await passkeys.authenticator.create(begun.options)
    const { attestationObject, clientDataJSON } = answer.response
    const authData = decodeAttestationObject(Buffer.from(String(attestationObject), "base64url")).get("authData")
    const clientData = createHash("sha256")
      .update(Buffer.from(String(clientDataJSON), "base64url"))
      .digest()
    const privateKey = passkeys.authenticator.credentials[0]?.keys.privateKey as CryptoKey
    const key = KeyObject.from(privateKey)
    const sig = new Uint8Array(sign("sha256", Buffer.concat([authData, clientData]), key))
    const packed = new Map<string, CborValue>([
      ["fmt", "packed"],
      ["attStmt", new Map<string, CborValue>(Object.entries({ alg: -7, sig, ...members }))],
      ["authData", authData as Uint8Array],
    ])
    const response = { ...answer.response, attestationObject: toBase64url(encodeCbor(packed)) }
    const finishing = passkeys.finish(begun, { ...answer, response })
    if (isGood) await expect(finishing).resolves.toMatchObject({ kind: "proof" })
    else await expect(finishing).rejects.toThrow(WebAuthnVerificationError)
  })

  it("the last of two challenges, which is the one that is compared", { tags: ["threat:WR-13"] }, async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    const twice = (first: string, last: string): Promise<unknown> => {
      const rest = '"type":"webauthn.create","origin":"https://app.test"'
      const clientDataBytes = text(`{"challenge":"${first}","challenge":"${last}",${rest}}`)
      return passkeys.authenticator.create(begun.options, { clientDataBytes })
    }
    const other = toBase64url(bytes(32))
    await expect(passkeys.finish(begun, await twice(begun.options.challenge, other))).rejects.toThrow(
      WebAuthnVerificationError,
    )
    await expect(passkeys.finish(begun, await twice(other, begun.options.challenge))).resolves.toMatchObject({
      kind: "proof",
    })
  })

  it.each([0x02, 0x20])("the reserved flag %i, which says nothing", { tags: ["threat:WR-23"] }, async (reserved) => {
    const { authenticator } = await createCeremonies().register(email, { flags: all | reserved })
    expect(authenticator).toMatchObject({ credentialDeviceType: "singleDevice", credentialBackedUp: false })
  })

  it("a byte order mark and unknown members", {
    tags: ["threat:WR-04", "threat:WR-12", "threat:WR-34"],
  }, async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email })
    const { challenge } = begun.options
    const clientData = JSON.stringify({
      type: "webauthn.create",
      challenge,
      origin: "https://app.test",
      more: { x: 1 },
    })
    const answer = await passkeys.authenticator.create(begun.options, {
      clientDataBytes: text(`\ufeff${clientData}`),
      answer: { clientExtensionResults: { credProps: { rk: true }, x: [1] }, more: 1 },
    })
    await expect(passkeys.finish(begun, answer)).resolves.toMatchObject({ kind: "proof" })
  })
})
