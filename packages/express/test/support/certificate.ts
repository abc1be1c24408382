/** A certificate made for one test run: self-signed, for one host, so that no key has to be kept anywhere. */
import { generateKeyPairSync, sign } from "node:crypto"

/** Key and certificate as PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const day = 24 * 60 * 60 * 1000

/**
 * Makes a certificate (RFC 5280 §4.1) with a key of its own on the curve P-256, for two days around now. `lists` are the
 * addresses of lists of revoked certificates that it names.
 */
export function makeCertificate(host: string, lists: readonly string[] = []): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const algorithm = sequence(oid("2a8648ce3d040302"))
  const name = sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from(host)))))
  const alternativeNames = sequence(oid("551d11"), tlv(0x04, sequence(tlv(0x82, Buffer.from(host)))))
  const toBeSigned = sequence(
    tlv(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(alternativeNames, ...(lists.length > 0 ? [distributionPoints(lists)] : []))),
  )
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", toBeSigned, privateKey)]))
  return {
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    cert: pem(sequence(toBeSigned, algorithm, signature)),
  }
}

/** RFC 5280 §4.2.1.13: a point for each address. */
function distributionPoints(addresses: readonly string[]): Buffer {
  const points = addresses.map((address) => sequence(tlv(0xa0, tlv(0xa0, tlv(0x86, Buffer.from(address))))))
  return sequence(oid("551d1f"), tlv(0x04, sequence(...points)))
}

/** Tag, length, value (X.690 §8.1). */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), value])
  const digits = length < 0x100 ? [length] : [length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length, ...digits]), value])
}

const sequence = (...members: readonly Buffer[]): Buffer => tlv(0x30, Buffer.concat(members))
const integer = (value: number): Buffer => tlv(0x02, Buffer.from([value]))
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, "hex"))

/** UTCTime: `yymmddhhmmssZ`. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, "")
  return tlv(0x17, Buffer.from(text.slice(2)))
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? []
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n")
}
