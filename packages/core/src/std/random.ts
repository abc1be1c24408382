/** Random bytes. Drawn many at a time, because a draw takes a runtime far longer than the bytes of a token do. */

type Bytes = Uint8Array<ArrayBuffer>

/** Bytes that are drawn at a time: some thirty tokens. */
const drawn = 1024

/**
 * Hands out random bytes, each of them once. What was handed out is overwritten here, so that nothing that is in use can
 * be read from what was drawn. `fill` overwrites an array with random bytes. @default the runtime's generator
 */
export function createRandomBytes(
  fill: (bytes: Bytes) => unknown = (bytes) => globalThis.crypto.getRandomValues(bytes),
): (length: number) => Bytes {
  const bytes = new Uint8Array(drawn)
  let next = drawn
  return (length) => {
    if (length > drawn) {
      const own = new Uint8Array(length)
      fill(own)
      return own
    }
    if (next + length > drawn) {
      fill(bytes)
      next = 0
    }
    const given = bytes.slice(next, next + length)
    bytes.fill(0, next, next + length)
    next += length
    return given
  }
}

/** Random bytes of the runtime's generator (Web Cryptography §10.1.1). */
export const randomBytes: (length: number) => Uint8Array<ArrayBuffer> = createRandomBytes()
