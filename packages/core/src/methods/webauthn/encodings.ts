/** The checks of the standard that the WebAuthn library leaves to its caller: spellings of CBOR and DER, and keys that can be used. */

// An attestation object is a map of maps and lists of byte strings; CTAP2 canonical form allows 4 levels.
const deepest = 8

/**
 * Measures CBOR (RFC 8949) without reading it: one item of definite lengths, no tags, not deep, nothing after it. Reading
 * is the library's work.
 * @throws Error unless the bytes are exactly one well-formed item.
 */
export function expectOneItem(bytes: Uint8Array): void {
  const end = itemEnd(bytes, 0, 0)
  if (end !== bytes.length) throw new Error(`CBOR: expected ${end} bytes, received ${bytes.length}.`)
}

/** Where the item that starts at `start` ends. */
function itemEnd(bytes: Uint8Array, start: number, depth: number): number {
  if (depth > deepest) throw new Error("CBOR: nested too deep.")
  const { major, value, next } = readHead(bytes, start)
  // Tags change what an item means; none is foreseen here.
  if (major === 6) throw new Error("CBOR: tags are not supported here.")
  if (major === 2 || major === 3) return within(bytes, next + value)
  if (major !== 4 && major !== 5) return next
  const count = major === 5 ? value * 2 : value
  // Every item takes a byte at least: a greater count is invalid, and refused before the loop.
  within(bytes, next + count)
  let end = next
  for (let index = 0; index < count; index++) end = itemEnd(bytes, end, depth + 1)
  return end
}

/** The first bytes of an item: its kind and its length or value (RFC 8949 §3). */
function readHead(bytes: Uint8Array, start: number): { major: number; value: number; next: number } {
  within(bytes, start + 1)
  const first = bytes[start] ?? 0
  const major = first >> 5
  const short = first & 31
  if (short < 24) return { major, value: short, next: start + 1 }
  // 28 to 30 are reserved, 31 is an indefinite length, which CTAP2 forbids.
  if (short > 27) throw new Error("CBOR: lengths have to be definite.")
  const size = 2 ** (short - 24)
  within(bytes, start + 1 + size)
  let value = 0
  for (let index = 1; index <= size; index++) value = value * 256 + (bytes[start + index] ?? 0)
  return { major, value, next: start + 1 + size }
}

function within(bytes: Uint8Array, end: number): number {
  if (end > bytes.length) throw new Error("CBOR: the bytes end too early.")
  return end
}

/**
 * The strict form of an ECDSA signature: one sequence of two positive integers in their shortest spelling (ITU-T X.690
 * §10), nothing after it.
 * @throws Error for any other spelling, which a library may read as the same signature.
 */
export function expectStrictSignature(bytes: Uint8Array): void {
  const body = elementOf(bytes, 0, 0x30)
  if (body.end !== bytes.length) throw notDer()
  const r = elementOf(bytes, body.start, 0x02)
  const s = elementOf(bytes, r.end, 0x02)
  if (s.end !== bytes.length) throw notDer()
  for (const { start, end } of [r, s]) expectPositive(bytes.subarray(start, end))
}

function elementOf(bytes: Uint8Array, at: number, tag: number): { start: number; end: number } {
  const first = bytes[at + 1] ?? 0
  // The signatures of the largest curve need one byte of length more (0x81).
  const isLong = first === 0x81
  const length = isLong ? (bytes[at + 2] ?? 0) : first
  if (bytes[at] !== tag || length === 0 || isLong !== length > 0x7f) throw notDer()
  const start = at + (isLong ? 3 : 2)
  return { start, end: start + length }
}

function expectPositive(integer: Uint8Array): void {
  const [first = 0, second = 0] = integer
  const isPadded = first === 0 && second < 0x80
  if (first > 0x7f || isPadded) throw notDer()
}

function notDer(): Error {
  return new Error("The signature is not in DER form.")
}

type Key = ReadonlyMap<number, unknown>

// RFC 9052 §7.1 and RFC 9053 §7: labels of a key's members.
const kty = 1
const alg = 3
const curve = -1
const x = -2
const y = -3
const d = -4
const modulus = -1
const exponent = -2

/** Curves by algorithm: identifier, name for Web Cryptography, bytes of a coordinate. */
const curves: Readonly<Record<number, readonly [number, string, number]>> = {
  [-7]: [1, "P-256", 32],
  [-35]: [2, "P-384", 48],
  [-36]: [3, "P-521", 66],
}
const rsaAlgorithms: ReadonlySet<unknown> = new Set([-257, -258, -259, -37, -38, -39])

/**
 * Is a COSE key one that can be used? Registration proves nothing about the key itself, so it is checked before it is stored.
 * @throws Error for a key with parameters that authenticators do not use.
 */
export async function expectUsableKey(key: Key): Promise<void> {
  const algorithm = key.get(alg)
  const known = curves[Number(algorithm)]
  if (known) return expectCurvePoint(key, known)
  if (algorithm === -8) return expectEdwardsKey(key)
  if (rsaAlgorithms.has(algorithm)) return expectRsaKey(key)
  throw new Error(`The key's algorithm ${String(algorithm)} is not supported.`)
}

async function expectCurvePoint(
  key: Key,
  [identifier, namedCurve, size]: readonly [number, string, number],
): Promise<void> {
  const isShaped = key.get(kty) === 2 && key.get(curve) === identifier && !key.has(d)
  const point = [bytesOf(key, x), bytesOf(key, y)]
  if (!isShaped || point.some((part) => part.length !== size)) throw invalidKey()
  const raw = Uint8Array.of(4, ...point.flatMap((part) => [...part]))
  // The runtime refuses a point that is not on its curve.
  await globalThis.crypto.subtle.importKey("raw", raw, { name: "ECDSA", namedCurve }, false, ["verify"])
}

function expectEdwardsKey(key: Key): void {
  const isShaped = key.get(kty) === 1 && key.get(curve) === 6 && !key.has(d)
  if (!isShaped || bytesOf(key, x).length !== 32) throw invalidKey()
}

function expectRsaKey(key: Key): void {
  const size = withoutZeros(bytesOf(key, modulus)).length
  const e = withoutZeros(bytesOf(key, exponent))
  const isOdd = ((e.at(-1) ?? 0) & 1) === 1
  const isExponent = isOdd && e.length <= 4 && (e.length > 1 || (e[0] ?? 0) >= 3)
  // 2048 to 8192 bits; members -3 to -12 are the private ones (RFC 8230 §4).
  const isPublic = [...key.keys()].every((label) => label > -3 || label < -12)
  if (key.get(kty) !== 3 || size < 256 || size > 1024 || !isExponent || !isPublic) throw invalidKey()
}

function bytesOf(key: Key, label: number): Uint8Array {
  const value = key.get(label)
  if (value instanceof Uint8Array) return value
  throw invalidKey()
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  return start < 0 ? new Uint8Array() : bytes.subarray(start)
}

function invalidKey(): Error {
  return new Error("The public key does not match its algorithm.")
}
