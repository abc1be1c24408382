/** Measures CBOR (RFC 8949) without reading it: one item of definite lengths, no tags, not deep, nothing after it. Reading is the library's work. */

// An attestation object is a map of maps and lists of byte strings; CTAP2 canonical form allows 4 levels.
const deepest = 8

/** @throws Error unless the bytes are exactly one well-formed item. */
export function expectOneItem(bytes: Uint8Array): void {
  const end = itemEnd(bytes, 0, 0)
  if (end !== bytes.length) throw new Error(`CBOR: expected ${end} bytes, received ${bytes.length}.`)
}

/** Where the item that starts at `start` ends. */
function itemEnd(bytes: Uint8Array, start: number, depth: number): number {
  if (depth > deepest) throw new Error("CBOR: nested too deep.")
  const { major, value, next } = readHead(bytes, start)
  // Tags change what an item means; none is foreseen here.
  if (major === 6) throw new Error("CBOR: a tag is not expected here.")
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
