/** The cookie grammar (RFC 6265bis). The only keeper of the cookie library. */
import { parseCookie, type SetCookie, type StringifyOptions, stringifySetCookie } from "cookie"
import { hasControlCharacters } from "./text.js"

/** Attributes of a cookie as they are written. */
export interface CookieAttributeRecord {
  readonly domain?: string | undefined
  readonly path?: string | undefined
  readonly maxAge?: number | undefined
  readonly expires?: Date | undefined
  readonly httpOnly?: boolean | undefined
  readonly secure?: boolean | undefined
  readonly partitioned?: boolean | undefined
  readonly priority?: "low" | "medium" | "high" | undefined
  readonly sameSite?: boolean | "lax" | "strict" | "none" | undefined
  readonly encode?: ((value: string) => string) | undefined
}

/**
 * Reads a `Cookie` header. The first of equal names wins, names are case-sensitive, values are percent-decoded once
 * (or kept as sent when that fails); nameless pairs and values that hide control characters are left out.
 */
export function parseCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  if (!header) return cookies
  const record = parseCookie(header, parseOptions)
  for (const name of Object.keys(record)) {
    const value = record[name]
    if (name && value !== undefined) cookies.set(name, value)
  }
  return cookies
}

function decode(value: string): string | undefined {
  if (!value.includes("%")) return value
  try {
    const decoded = decodeURIComponent(value)
    return hasControlCharacters(decoded) ? undefined : decoded
  } catch {
    return value
  }
}

const parseOptions = { decode }

/**
 * Writes a `Set-Cookie` value.
 * @throws TypeError when name, value or an attribute cannot stand in a cookie.
 */
export function serialiseCookie(name: string, value: string, attributes: CookieAttributeRecord): string {
  const { domain, path, maxAge, expires, httpOnly, secure, partitioned, priority, sameSite, encode } = attributes
  // One object of one shape: the library would spread the attributes, which takes engines longer than the rest.
  const cookie = { name, value, domain, path, maxAge, expires, httpOnly, secure, partitioned, priority, sameSite }
  // It reads `undefined` as absent but its types do not say so.
  return stringifySetCookie(cookie as SetCookie, { encode: encode ?? encodeValue } as StringifyOptions)
}

/** Percent-encodes what needs it. A sealed value needs none, and finding that out takes a third of encoding it. */
export function encodeValue(value: string): string {
  return plainValue.test(value) ? value : encodeURIComponent(value)
}

const plainValue = /^[\w.~-]*$/
