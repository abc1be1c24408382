/** CBOR (RFC 8949) as far as authenticators write it. */

/** What can be written. Maps keep the order of their entries. */
export type CborValue = number | string | Uint8Array | readonly CborValue[] | ReadonlyMap<number | string, CborValue>

/** Writes a value. */
export function encodeCbor(value: CborValue): Uint8Array<ArrayBuffer> {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === "string") return withBody(3, new TextEncoder().encode(value))
  if (value instanceof Uint8Array) return withBody(2, value)
  if (value instanceof Map) {
    const entries = [...(value as Map<number | string, CborValue>)].flat()
    return concat([head(5, value.size), ...entries.map((entry) => encodeCbor(entry))])
  }
  const items = value as readonly CborValue[]
  return concat([head(4, items.length), ...items.map((item) => encodeCbor(item))])
}

/** Puts bytes one after the other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let start = 0
  for (const part of parts) {
    all.set(part, start)
    start += part.length
  }
  return all
}

function withBody(major: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat([head(major, body.length), body])
}

function head(major: number, value: number): Uint8Array<ArrayBuffer> {
  const kind = major << 5
  if (value < 24) return Uint8Array.of(kind | value)
  if (value < 0x100) return Uint8Array.of(kind | 24, value)
  if (value < 0x10000) return Uint8Array.of(kind | 25, value >> 8, value & 0xff)
  return Uint8Array.of(kind | 26, value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff)
}
