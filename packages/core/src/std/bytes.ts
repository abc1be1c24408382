/** Bytes and their spellings as text: UTF-8, hex, base64 and base64url; equality in constant time; streams of bytes read with a limit. */

import { builtin } from "./runtime.js"

type Bytes = Uint8Array<ArrayBuffer>

/** As much of `node:buffer` as is used. Where it is there, it writes texts several times faster than a loop. */
interface NodeBuffer {
  readonly Buffer: {
    from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: string): string }
  }
}

const host = builtin<NodeBuffer>("node:buffer")?.Buffer

function writtenBy(buffer: NodeBuffer["Buffer"], bytes: Uint8Array, encoding: "hex" | "base64" | "base64url"): string {
  return buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
const outsideBase64 = /[^A-Za-z0-9+/]/
const outsideBase64url = /[^A-Za-z0-9_-]/
/** Arguments a function call safely takes. */
const sliceSize = 8192

/** Text as UTF-8. */
export function utf8(text: string): Bytes {
  return encoder.encode(text)
}

/** UTF-8 as text; what is no UTF-8 becomes U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Bytes as lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  if (host) return writtenBy(host, bytes, "hex")
  let text = ""
  for (const byte of bytes) text += hexPairs[byte]
  return text
}

/** Reads pairs of hexadecimal digits. */
export function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Bytes as padded base64 (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  if (host) return writtenBy(host, bytes, "base64")
  let binary = ""
  for (let start = 0; start < bytes.length; start += sliceSize) {
    binary += String.fromCharCode(...bytes.subarray(start, start + sliceSize))
  }
  return btoa(binary)
}

/** Bytes as base64url without padding (RFC 4648 §5). */
export function toBase64url(bytes: Uint8Array): string {
  if (host) return writtenBy(host, bytes, "base64url")
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/**
 * Reads base64url without padding.
 * @throws TypeError when the text holds anything else.
 */
export function fromBase64url(text: string): Bytes {
  if (outsideBase64url.test(text)) throw new TypeError("Expected base64url text without padding.")
  return decode(text.replaceAll("-", "+").replaceAll("_", "/"))
}

/**
 * Reads base64 or base64url, padded or not.
 * @throws TypeError when the text is neither.
 */
export function fromBase64(text: string): Bytes {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  if (padding > 0 && text.length % 4 !== 0) throw new TypeError("Expected base64 text with correct padding.")
  const bare = text
    .slice(0, text.length - padding)
    .replaceAll("-", "+")
    .replaceAll("_", "/")
  if (outsideBase64.test(bare)) throw new TypeError("Expected base64 text.")
  return decode(bare)
}

/** Decodes checked base64 without padding. */
function decode(text: string): Bytes {
  if (text.length % 4 === 1) throw new TypeError("Expected base64 text of a valid length.")
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** Says whether two strings are equal; the time taken reveals their lengths at most. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++) {
    // Beyond the end of b the unit is NaN, which counts as zero here: the lengths differ anyway.
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  }
  return difference === 0
}

/**
 * Reads a stream to its end. Throws what `tooLarge` makes once more than `limit` bytes came, and cancels the stream then and
 * whenever it fails, without waiting for that; with `leavesRest` what was not read stays. `wait` may set a deadline on
 * each part.
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  {
    tooLarge,
    wait = (part) => part,
    leavesRest = false,
  }: {
    readonly tooLarge: () => Error
    readonly wait?: <T>(part: Promise<T>) => Promise<T>
    readonly leavesRest?: boolean
  },
): Promise<Bytes> {
  const reader = stream.getReader()
  let bytes: Bytes = new Uint8Array()
  let length = 0
  try {
    for (let part = await wait(reader.read()); !part.done; part = await wait(reader.read())) {
      const end = length + part.value.byteLength
      if (end > limit) throw tooLarge()
      // Copied at once: a chunk of one byte takes two hundred while it is kept.
      bytes = withRoom(bytes, end, limit)
      bytes.set(part.value, length)
      length = end
    }
  } catch (error) {
    if (leavesRest) reader.releaseLock()
    else reader.cancel().catch(() => undefined)
    throw error
  }
  return bytes.length === length ? bytes : bytes.slice(0, length)
}

/** The same bytes where they have room for so many, else twice as much room, and no more than the limit. */
function withRoom(bytes: Bytes, length: number, limit: number): Bytes {
  if (length <= bytes.length) return bytes
  const larger = new Uint8Array(Math.max(length, Math.min(limit, 2 * bytes.length)))
  larger.set(bytes)
  return larger
}

/** How much is read of what is dropped, and for how long. */
interface Patience {
  readonly bytes: number
  readonly milliseconds: number
}

/**
 * Reads on and drops what comes, to the end of the stream or of this patience; what is left then stays unread. Never
 * rejects.
 */
export async function drain(stream: ReadableStream<Uint8Array>, { bytes, milliseconds }: Patience): Promise<void> {
  const reader = stream.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    for (let left = bytes; left > 0; ) {
      const part = await Promise.race([reader.read(), late])
      if (!part || part.done) break
      // Parts without bytes count as well, so that there is an end to them.
      left -= Math.max(1, part.value.byteLength)
    }
  } catch {
    // It broke: there is nothing more to drop.
  } finally {
    clearTimeout(timer)
  }
}
