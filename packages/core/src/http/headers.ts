/** Headers, however a framework holds them: as `Headers` or as a record of texts and lists. */

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

/** A copy of what a reader reads, for a request that is made of it. */
export function copyOf(reader: HeaderReader): Headers {
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
    return Object.keys(this.#record).find((key) => key.toLowerCase() === lower)
  }
}

/** RFC 9110 §5.3; for cookies RFC 9113 §8.2.3. */
function textOf(lowerName: string, value: string | readonly string[]): string {
  return typeof value === "string" ? value : value.join(lowerName === "cookie" ? "; " : ", ")
}
