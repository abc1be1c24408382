/** Certificates of attestations: what they name is fetched from known hosts alone. */
import type { CborValue } from "@latchkey/testing/webauthn"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeCertificate } from "../../../express/test/support/certificate.js"
import { expectKnownLists } from "../../src/methods/webauthn/certificates.js"
import { createCeremonies } from "../support/ceremonies.js"

const evil = "http://169.254.169.254/list"
const known = "https://android.googleapis.com/attestation/crl/1"

/** A certificate in DER that names lists. */
function naming(...lists: readonly string[]): Uint8Array {
  const body = makeCertificate("a.test", lists).cert.replaceAll(/-----[A-Z ]+-----|\s/g, "")
  return Uint8Array.from(Buffer.from(body, "base64"))
}

/** The certificate with these bytes in place of those, of the same length. */
function replaced(certificate: Uint8Array, from: string, to: string): Uint8Array {
  return Uint8Array.from(Buffer.from(Buffer.from(certificate).toString("hex").replace(from, to), "hex"))
}

const read = (x5c: unknown, format = "apple") => expectKnownLists(format, new Map([["x5c", x5c]]))

describe("certificates are passed on", () => {
  it.each<[string, readonly string[]]>([
    ["without lists", []],
    ["with a list of a maker", [known]],
    ["with lists of makers", [known, "http://www.microsoft.com/pkiops/crl/a.crl"]],
  ])("%s", (_, lists) => {
    expect(() => read([naming(...lists), naming()])).not.toThrow()
  })

  it("when there are none", () => {
    expect(() => expectKnownLists("packed", new Map())).not.toThrow()
  })
})

describe("certificates are refused", () => {
  it.each<[string, readonly string[]]>([
    ["another host", [evil]],
    ["another host behind a known one", [known, evil]],
    ["a known host as user", ["https://android.googleapis.com@evil.test/"]],
    ["a known host in front", ["https://android.googleapis.com.evil.test/"]],
    ["another port", ["https://android.googleapis.com:8443/"]],
    ["another path of a known host", ["https://www.microsoft.com/en-us/download"]],
    ["a way out of the known path", ["https://www.microsoft.com/pkiops/%2e%2e/download"]],
    ["another scheme", ["ftp://www.microsoft.com/pkiops/crl/a.crl"]],
    ["no address", ["list"]],
  ])("which name %s", (_, lists) => {
    expect(() => read([naming(), naming(...lists)])).toThrow("unknown host")
  })

  it.each<[string, unknown]>([
    ["a length beyond the end", Uint8Array.of(...naming(evil).subarray(0, -1))],
    ["a length without end", Uint8Array.of(0x30, 0x80, 0, 0)],
    ["a length with a zero in front", Uint8Array.of(0x30, 0x81, 0x01, 0)],
    ["a long tag", Uint8Array.of(0x1f, 0x06, 0x03, 0x55, 0x1d, 0x1f)],
    ["an identifier in pieces", replaced(naming(evil), "0603551d1f", "2603551d1f")],
    ["an address in pieces", replaced(naming(evil), "861b", "a61b")],
    ["content that is no bytes", replaced(naming(evil), "0603551d1f04", "0603551d1f0c")],
    ["an identifier in another spelling", Uint8Array.of(0x06, 0x04, 0x55, 0x1d, 0x80, 0x1f)],
  ])("which are not DER: %s", (_, certificate) => {
    expect(() => read([certificate])).toThrow("not in DER form")
  })

  it.each<[string, unknown, string]>([
    ["which are no list", "x", "not a list"],
    ["which are text", ["x"], "not bytes"],
  ])("%s", (_, x5c, message) => {
    expect(() => read(x5c)).toThrow(message)
  })

  it("of SafetyNet, which are inside of a token", () => {
    expect(() => read([], "android-safetynet")).toThrow("SafetyNet")
  })
})

describe("a registration with an attestation that was asked for", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("is refused with a certificate that is no authenticator's", { tags: ["threat:WR-28"] }, async () => {
    const provider = { registrationOptions: { attestationType: "direct" } }
    const statement = new Map<string, CborValue>([
      ["alg", -7],
      ["sig", new Uint8Array(8)],
      ["x5c", [naming()]],
    ])
    const attestation = new Map<string, CborValue>([
      ["fmt", "packed"],
      ["attStmt", statement],
    ])
    await expect(createCeremonies({ provider }).register("ada@example.test", { attestation })).rejects.toMatchObject({
      cause: { err: expect.objectContaining({ message: expect.stringContaining("Certificate OU") }) },
    })
  })

  it.each(["apple", "android-key", "tpm", "packed", "fido-u2f", "android-safetynet"])(
    "asks nobody whom its certificates name: %s",
    { tags: ["threat:A-185", "threat:A-186", "threat:WR-30"] },
    async (format) => {
      const fetch = vi.fn(async () => new Response())
      vi.stubGlobal("fetch", fetch)
      const provider = { registrationOptions: { attestationType: "direct" } }
      const statement = new Map<string, CborValue>([
        ["alg", -7],
        ["sig", new Uint8Array(8)],
        ["x5c", [naming(evil)]],
      ])
      const attestation = new Map<string, CborValue>([
        ["fmt", format],
        ["attStmt", statement],
      ])
      const registering = createCeremonies({ provider }).register("ada@example.test", { attestation })
      await expect(registering).rejects.toThrow("cannot be verified")
      expect(fetch).not.toHaveBeenCalled()
    },
  )
})
