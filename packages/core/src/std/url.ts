/** Addresses: parts of a path, parameters, and hosts that mean the own machine. */

/**
 * A text as one part of a path (RFC 3986 §3.3). `:` and `@` may stand there as they are: they are kept, so that a path
 * has one spelling. Half a character of UTF-16, which has no encoding, becomes U+FFFD, as in a URL.
 */
export function pathSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"))
    .replaceAll("%3A", ":")
    .replaceAll("%40", "@")
}

/** The URL in a string, parsed once; `undefined` where it holds none. */
export function urlOf(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Whether text is a URL. `URL.canParse` of Node 20 refuses hosts such as `ä.test` once it has been called some thousand times. */
export function isUrl(text: string, base?: string): boolean {
  return urlOf(text, base) !== undefined
}

/** The origin of an address, and what it is made of. A `URL` has the same members. */
export type Origin = Readonly<Pick<URL, "origin" | "protocol" | "hostname">>

/**
 * An origin as a `URL` writes it (WHATWG URL Standard, host parsing): no label is a number, and the port is none that the
 * scheme implies.
 */
const usualOrigin =
  /^((https?:)\/\/((?:[a-z][a-z\d-]*\.)*[a-z][a-z\d-]*)(?::(?!443(?:\/|$))(?:[1-9]\d{2,3}|[1-5]\d{4}))?)(?:\/|$)/
/** A path in which a `URL` encodes and resolves nothing. */
const usualPath = /^\/[\w/-]*$/

/** The origin of an address; `undefined` where the text is none. */
export function readOrigin(text: string): Origin | undefined {
  return usualOriginOf(text) ?? urlOf(text)
}

/** The parts of an address, without fragment. */
export type Address = Origin & Readonly<Pick<URL, "pathname" | "search">>

/** The parts of an address; `undefined` where the text is none. */
export function readAddress(text: string): Address | undefined {
  const usual = usualOriginOf(text)
  const pathname = usual ? text.slice(usual.origin.length) : ""
  if (!usual || !usualPath.test(pathname)) return urlOf(text)
  const { origin, protocol, hostname } = usual
  return { origin, protocol, hostname, pathname, search: "" }
}

/** Nearly every address is written in the usual way, and engines make a `URL` of it slowly. */
function usualOriginOf(text: string): Origin | undefined {
  const parts = usualOrigin.exec(text)
  if (!parts) return undefined
  const [, origin = "", protocol = "", hostname = ""] = parts
  // Labels in Punycode are checked by a `URL`.
  return hostname.includes("xn--") ? undefined : { origin, protocol, hostname }
}

/** Sets query parameters of an absolute or relative address; `undefined` is left out, the rest of the address stays as written. */
export function withParams(url: string, params: Readonly<Record<string, string | undefined>>): string {
  const [beforeHash = "", hash] = splitOnce(url, "#")
  const [path = "", query] = splitOnce(beforeHash, "?")
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const added = new URLSearchParams(given)
  const joined = [query === undefined ? "" : without(query, added), added.toString()].filter(Boolean).join("&")
  return path + (joined || query !== undefined ? `?${joined}` : "") + (hash === undefined ? "" : `#${hash}`)
}

function splitOnce(text: string, mark: string): [string, string?] {
  const index = text.indexOf(mark)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

/** A query without the members that are set anew. */
function without(query: string, replaced: URLSearchParams): string {
  return query
    .split("&")
    .filter((member) => {
      const name = new URLSearchParams(member).keys().next().value
      return name === undefined || !replaced.has(name)
    })
    .join("&")
}

/** Says whether a host name (not a host with port) means this machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase()
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1" || name === "[::1]") return true
  const octets = name.split(".")
  return octets.length === 4 && octets[0] === "127" && octets.every((octet) => /^\d{1,3}$/.test(octet) && +octet < 256)
}
