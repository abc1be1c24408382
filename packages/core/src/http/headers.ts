/** Headers, however a framework holds them; what they say of who sent a request, and of a proxy that is not trusted. */
import { quoted } from "../std/text.js"

/** Reads one header; `null` when absent. */
export interface HeaderReader {
  get(name: string): string | null
}

/** Headers as an integration has them at hand. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A reader for headers of either kind. Copies nothing. */
export function readerOf(source: HeaderSource): HeaderReader {
  return isHeaders(source) ? source : new RecordHeaders(source)
}

/** What a reader reads, for a request that is made of it, which copies them. */
export function headersOf(reader: HeaderReader): Headers {
  if (reader instanceof Headers) return reader
  const copy = new Headers()
  const pairs = reader as Partial<Iterable<readonly [string, string]>>
  if (!pairs[Symbol.iterator]) return copy
  for (const [name, value] of pairs as Iterable<readonly [string, string]>) {
    // Pseudo-headers of HTTP/2 (RFC 9113 §8.3) are no headers here.
    if (!name.startsWith(":")) copy.append(name, value)
  }
  return copy
}

// By shape: frameworks bring their own class of headers.
function isHeaders(source: HeaderSource): source is Headers {
  return typeof (source as Partial<Headers>).get === "function"
}

type HeaderRecord = Exclude<HeaderSource, Headers>

class RecordHeaders implements HeaderReader, Iterable<readonly [string, string]> {
  readonly #record: HeaderRecord
  /** Node's records are: what is missing there need not be looked for in another spelling. */
  #isLowerCase: boolean | undefined

  constructor(record: HeaderRecord) {
    this.#record = record
  }

  get(name: string): string | null {
    const lower = name.toLowerCase()
    const key = Object.hasOwn(this.#record, lower) ? lower : this.#keyOf(lower)
    const value = key === undefined ? undefined : this.#record[key]
    return value === undefined ? null : textOf(lower, value)
  }

  *[Symbol.iterator](): Generator<readonly [string, string]> {
    for (const [name, value] of Object.entries(this.#record)) {
      if (value !== undefined) yield [name, textOf(name.toLowerCase(), value)]
    }
  }

  #keyOf(lower: string): string | undefined {
    this.#isLowerCase ??= Object.keys(this.#record).every((key) => key === key.toLowerCase())
    if (this.#isLowerCase) return undefined
    return Object.keys(this.#record).find((key) => key.toLowerCase() === lower)
  }
}

/** RFC 9110 §5.3; for cookies RFC 9113 §8.2.3. */
function textOf(lowerName: string, value: string | readonly string[]): string {
  // Wrappers for AWS Lambda put the length of a body there as a number.
  return Array.isArray(value) ? value.join(lowerName === "cookie" ? "; " : ", ") : String(value)
}

/** Who sent a request, by its headers: a page of this application, one of another, or unknown. */
export type Sender = "own" | "foreign" | "unknown"

/**
 * Decides by `Origin` and `Sec-Fetch-Site`: both are written by the browser and by no page. `same-origin` is believed
 * whatever the origin is called (Fetch Metadata §2.1): behind a proxy the browser alone knows the public name, and a page
 * without referrer sends `null`. Of an origin alone, `null` proves nothing and counts as foreign.
 */
export function senderOf(source: HeaderSource, ownOrigins: readonly (string | undefined)[]): Sender {
  const headers = readerOf(source)
  const origin = headers.get("origin")
  const site = headers.get("sec-fetch-site")
  if (site === "same-origin" || (origin !== null && ownOrigins.includes(origin))) return "own"
  if (origin !== null) return "foreign"
  // "none": the person typed the address or opened a bookmark.
  return site === null || site === "none" ? "unknown" : "foreign"
}

const ports: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

/**
 * Names the forwarded headers that speak of another address than the believed one; `undefined` when none does. Whoever
 * sends a request can write them, so this is for the log.
 */
export function ignoredForwarding(headers: HeaderReader, origin: string): string | undefined {
  // Nearly every request: nothing is forwarded, and the address need not be taken apart.
  if (!headers.get("X-Forwarded-Proto") && !headers.get("X-Forwarded-Host")) return undefined
  const { host, protocol } = new URL(origin)
  const believed = {
    "X-Forwarded-Proto": [protocol.slice(0, -1)],
    "X-Forwarded-Host": [host, `${host}:${ports[protocol]}`],
  }
  const ignored = Object.entries(believed).flatMap(([name, values]) => {
    const value = headers.get(name)
    // Each proxy on the way adds one behind a comma; the first is what the browser asked for.
    const first = value?.split(",", 1)[0]?.trim().toLowerCase()
    return !value || !first || values.includes(first) ? [] : [`${name} ${quoted(value)}`]
  })
  if (ignored.length === 0) return undefined
  return `${ignored.join(" and ")} of the request ${ignored.length > 1 ? "were" : "was"} not read; the address is taken to be ${quoted(origin, 256)}.`
}
