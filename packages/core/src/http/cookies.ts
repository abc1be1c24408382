/** Cookies between roles and names: chunks joined and cut, changes turned into concrete cookies. */
import type { CookieTable, Settings } from "../config/settings.js"
import { InvalidConfiguration } from "../errors.js"
import { encodeValue, serialiseCookie } from "../std/cookie.js"
import type { Cookie, CookieAttributes, CookieOption } from "../types/config.js"
import type { CookieChange } from "./result.js"

/** Characters of a value in one cookie: what is left of 4,096 beside the name and the attributes. */
const chunkSize = 3936
const cookieSize = 4096
/** More chunks than a server would take as a header. */
const mostChunks = 10
/** Chunks beyond any session that are cleared in one response; more would only make the response large. */
const mostStrays = 10

/** The name of a cookie: by its role; with a slot, that of a flow which is no longer the newest. */
export function cookieNameOf(table: CookieTable, role: keyof CookieTable, slot?: string): string {
  const { name } = table[role]
  return slot === undefined ? name : `${name}.${slot}`
}

/** The end of a sentence about a cookie that did not come; empty where its attributes say nothing about it. */
export function reasonNotSent(
  { settings }: { readonly settings: Pick<Settings, "fixedOrigin" | "options"> },
  { secure }: CookieAttributes,
): string {
  if (secure !== true) return ""
  const { fixedOrigin, options } = settings
  const reason =
    options.useSecureCookies === true
      ? " (`useSecureCookies` is true)"
      : fixedOrigin?.startsWith("https:")
        ? ` (AUTH_URL is "${fixedOrigin}")`
        : ""
  return `: browsers store and send it over https only${reason}, so the page has to be opened with https`
}

/** A session cookie as it was received. */
export interface Chunks {
  /** `undefined` when there is none, or when chunks are missing or too many. */
  readonly value: string | undefined
  /** What belongs to it, in the order received: all of this is replaced by a new session, or cleared. */
  readonly names: readonly string[]
  /** Whole, in more chunks than are read here: made by a server that allows more, and left alone. */
  readonly isTooLarge?: true
}

const none: Chunks = Object.freeze({ value: undefined, names: Object.freeze([]) })

/**
 * Joins a session cookie. Its parts are `name` or `name.0`, `name.1` and so on, without gap; a part without number
 * counts for more than the numbered ones, because it is whole.
 */
export function sessionChunks(cookies: ReadonlyMap<string, string>, name: string): Chunks {
  const names: string[] = []
  const parts: string[] = []
  let strays = 0
  for (const [key, value] of cookies) {
    if (!value || !key.startsWith(name)) continue
    const index = key.length === name.length ? -1 : chunkIndex(key, name.length)
    if (index === undefined) continue
    if (index < mostChunks || ++strays <= mostStrays) names.push(key)
    if (index >= 0) parts[index] = value
  }
  if (names.length === 0) return none
  const whole = cookies.get(name)
  if (whole || hasGap(parts)) return { value: whole || undefined, names }
  return parts.length > mostChunks ? { value: undefined, names, isTooLarge: true } : { value: parts.join(""), names }
}

/** The number behind the name; `undefined` when something else stands there. */
function chunkIndex(key: string, nameLength: number): number | undefined {
  // One character more than a number may have: what is longer does not match.
  const digits = /^\.(0|[1-9]\d{0,3})$/.exec(key.slice(nameLength, nameLength + 6))?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The name of the whole cookie of which a cookie with this name may be a chunk. */
export function wholeNameOf(name: string): string {
  return name.replace(/\.(?:0|[1-9]\d{0,3})$/, "")
}

/** A missing chunk is a hole in the array, which `every` would skip. */
function hasGap(parts: readonly string[]): boolean {
  for (let index = 0; index < parts.length; index++) if (parts[index] === undefined) return true
  return false
}

/** Says whether a session token can be carried: ask before it is handed out. */
export function fitsCookies(value: string, option: CookieOption): boolean {
  return cut(value, option).length <= mostChunks
}

/** Says whether a value fits into one cookie: browsers drop a longer one without a word. */
export function fitsOneCookie(value: string, { name, options }: CookieOption): boolean {
  return serialiseCookie(name, value, sized(options)).length <= cookieSize
}

/** What concrete cookies depend on: the names of the request's scheme, and the cookies that came. */
export interface CookieContext {
  readonly cookies: CookieTable
  readonly incoming: { readonly cookies: ReadonlyMap<string, string> }
}

/**
 * Names, attributes and chunks for changes. Of several changes of one name the last counts; what was not received is
 * not cleared; chunks of an older session are cleared beside the new one. A session cookie with a `domain` comes after
 * the clearing of the one that the host may have of its own, so that whoever keeps one of each name keeps the session.
 * @throws InvalidConfiguration when a session is larger than cookies can carry.
 */
export function concreteCookies(changes: readonly CookieChange[], around: CookieContext): readonly Cookie[] {
  if (changes.length === 0) return []
  const cookies = new Map<string, Cookie>()
  for (const change of changes) {
    for (const cookie of concrete(change, around)) cookies.set(keyOf(cookie), cookie)
  }
  return [...cookies.values()].filter(({ name, options, value }) => {
    const isClear = value === "" && options.maxAge === 0
    return !isClear || around.incoming.cookies.has(name)
  })
}

/** Browsers keep a cookie of the host beside one of the same name for the domain; no name contains a semicolon. */
const keyOf = ({ name, options }: Cookie): string => `${name};${options.domain ?? ""}`

function concrete(change: CookieChange, { cookies, incoming }: CookieContext): Cookie[] {
  const option = cookies[change.role]
  if (change.role === "sessionToken") return withoutTwins(session(change, option, incoming.cookies), option)
  const name = cookieNameOf(cookies, change.role, change.slot)
  if ("clear" in change) return [cleared(name, option.options)]
  return [{ name, value: change.value, options: attributesOf(change, option.options) }]
}

function session(change: CookieChange, option: CookieOption, received: ReadonlyMap<string, string>): Cookie[] {
  const { name, options } = option
  const before = sessionChunks(received, name).names.map((old) => cleared(old, options))
  if ("clear" in change) return before
  return [...before, ...chunksOf(change.value, { name, options: attributesOf(change, options) })]
}

/**
 * Before a `domain` was configured the cookie belonged to the host alone. Browsers send that one first (RFC 6265 §5.4),
 * and the first counts: while it is there, nobody can sign out or sign in as somebody else.
 */
function withoutTwins(changed: readonly Cookie[], { options: { domain, ...ofHost } }: CookieOption): Cookie[] {
  const twins = domain ? changed.map(({ name }) => cleared(name, ofHost)) : []
  return [...twins, ...changed]
}

function attributesOf(change: Extract<CookieChange, { value: string }>, options: CookieAttributes): CookieAttributes {
  return {
    ...options,
    ...(change.expires && { expires: change.expires }),
    // Browsers drop `None` without `Secure` (RFC 6265bis §5.7).
    ...(change.crossSite && { sameSite: "none", secure: true }),
  }
}

/** Both attributes: `Max-Age` counts where it is known, the date elsewhere. */
function cleared(name: string, options: CookieAttributes): Cookie {
  return { name, value: "", options: { ...options, maxAge: 0, expires: new Date(0) } }
}

function chunksOf(value: string, option: CookieOption): Cookie[] {
  const { name, options } = option
  const pieces = cut(value, option)
  if (pieces.length > mostChunks) {
    throw new InvalidConfiguration(
      `The session is larger than ${mostChunks} cookies can hold (${value.length} characters): store less in it, or store sessions in a database.`,
    )
  }
  // An empty token is no session.
  if (pieces.length === 1 && pieces[0] !== undefined) return pieces[0] ? [{ name, value: pieces[0], options }] : []
  return pieces.map((piece, index) => ({ name: `${name}.${index}`, value: piece, options }))
}

function cut(value: string, { name, options }: CookieOption): string[] {
  const encode = options.encode ?? encodeValue
  const isPlain = encode(value) === value
  // Far below any limit: nearly every session.
  if (isPlain && value.length <= chunkSize / 2 && name.length < chunkSize / 4) return [value]
  const size = Math.min(chunkSize, cookieSize - serialiseCookie(`${name}.00`, "", sized(options)).length)
  if (size <= 0) throw new InvalidConfiguration("Name and attributes of the session cookie leave no room for a value.")
  return isPlain ? slices(value, size) : slicesEncoded(value, size, encode)
}

/** Attributes at their longest. */
function sized(options: CookieAttributes): CookieAttributes {
  return { ...options, expires: new Date(0) }
}

function slices(value: string, size: number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < value.length; start += size) pieces.push(value.slice(start, start + size))
  return pieces
}

/** Cuts between characters, so that each piece stays below the size once it is encoded. */
function slicesEncoded(value: string, size: number, encode: (text: string) => string): string[] {
  const pieces: string[] = []
  let piece = ""
  let length = 0
  for (const character of value) {
    const added = encode(character).length
    if (length + added > size) {
      pieces.push(piece)
      piece = ""
      length = 0
    }
    piece += character
    length += added
  }
  return [...pieces, piece]
}
