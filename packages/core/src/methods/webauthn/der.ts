/** The strict form of an ECDSA signature: one sequence of two positive integers in their shortest spelling (ITU-T X.690 §10), nothing after it. */

/** @throws Error for any other spelling, which a library may read as the same signature. */
export function expectStrictSignature(bytes: Uint8Array): void {
  const body = elementOf(bytes, 0, 0x30)
  if (body.end !== bytes.length) throw unfit()
  const r = elementOf(bytes, body.start, 0x02)
  const s = elementOf(bytes, r.end, 0x02)
  if (s.end !== bytes.length) throw unfit()
  for (const { start, end } of [r, s]) expectPositive(bytes.subarray(start, end))
}

function elementOf(bytes: Uint8Array, at: number, tag: number): { start: number; end: number } {
  const first = bytes[at + 1] ?? 0
  // The signatures of the largest curve need one byte of length more (0x81).
  const isLong = first === 0x81
  const length = isLong ? (bytes[at + 2] ?? 0) : first
  if (bytes[at] !== tag || length === 0 || isLong !== length > 0x7f) throw unfit()
  const start = at + (isLong ? 3 : 2)
  return { start, end: start + length }
}

function expectPositive(integer: Uint8Array): void {
  const [first = 0, second = 0] = integer
  const isPadded = first === 0 && second < 0x80
  if (first > 0x7f || isPadded) throw unfit()
}

function unfit(): Error {
  return new Error("The signature is not in DER form.")
}
