/** Is a COSE key (RFC 9053) one that can be used? Registration proves nothing about the key itself, so it is judged before it is stored. */

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

/** @throws Error for a key with parameters that authenticators do not use. */
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
  if (!isShaped || point.some((part) => part.length !== size)) throw unfit()
  const raw = Uint8Array.of(4, ...point.flatMap((part) => [...part]))
  // The runtime refuses a point that is not on its curve.
  await globalThis.crypto.subtle.importKey("raw", raw, { name: "ECDSA", namedCurve }, false, ["verify"])
}

function expectEdwardsKey(key: Key): void {
  const isShaped = key.get(kty) === 1 && key.get(curve) === 6 && !key.has(d)
  if (!isShaped || bytesOf(key, x).length !== 32) throw unfit()
}

function expectRsaKey(key: Key): void {
  const size = withoutZeros(bytesOf(key, modulus)).length
  const e = withoutZeros(bytesOf(key, exponent))
  const isOdd = ((e.at(-1) ?? 0) & 1) === 1
  const isExponent = isOdd && e.length <= 4 && (e.length > 1 || (e[0] ?? 0) >= 3)
  // 2048 to 8192 bits; members -3 to -12 are the private ones (RFC 8230 §4).
  const isPublic = [...key.keys()].every((label) => label > -3 || label < -12)
  if (key.get(kty) !== 3 || size < 256 || size > 1024 || !isExponent || !isPublic) throw unfit()
}

function bytesOf(key: Key, label: number): Uint8Array {
  const value = key.get(label)
  if (value instanceof Uint8Array) return value
  throw unfit()
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  return start < 0 ? new Uint8Array() : bytes.subarray(start)
}

function unfit(): Error {
  return new Error("The public key is not one of its algorithm.")
}
