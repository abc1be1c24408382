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
