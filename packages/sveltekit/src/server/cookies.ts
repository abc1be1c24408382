/** Cookies of the service in the jar of a request event. */
import { cookieNameIn, cookiesAfter } from "@latchkey/core"
import type { Cookie } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import { cookiesSet, isWritten, noteWritten } from "./cookies-set.js"
import { remember } from "./foreign-values.js"
import { watchCookies } from "./put-cookies.js"

/** The request whose cookies they are. */
type Event = Pick<RequestEvent, "cookies" | "locals" | "request">

// The event is copied on its way through hooks, its locals are not.
const aside = new WeakMap<object, Map<string, Cookie>>()

/**
 * Sets cookies with the attributes they have. What is left out is said to be left out: SvelteKit would fill it with
 * defaults of its own, such as `Secure` on plain http.
 *
 * Where a cookie is set for a domain and that of the host with the same name is cleared, SvelteKit would take the two for one,
 * and send the empty one with what is fetched next. So the clearing is kept aside; the hook sends it.
 */
export function setCookies(event: Event, cookies: readonly Cookie[]): void {
  const { cookies: jar, locals } = event
  const ofDomain = namesIn(cookies.filter(({ options }) => options.domain))
  const isClearing = ({ name, options }: Cookie): boolean => !options.domain && ofDomain.has(name)
  const shown = cookies.filter((cookie) => !isClearing(cookie))
  watchCookies(event)
  for (const cookie of shown) setOne(jar, cookie)
  noteWritten(event, shown)
  // Another request may be answered with them before this one is.
  for (const { name, value } of shown) remember(name, value)
  const kept = aside.get(locals) ?? new Map<string, Cookie>()
  for (const cookie of cookies.filter(isClearing)) kept.set(cookie.name, cookie)
  aside.set(locals, kept)
}

/** Sets the clearings that were kept aside, where no response passes through the hook; does nothing once a response is made. */
export function setClearings({ cookies: jar, locals }: Pick<Event, "cookies" | "locals">): void {
  try {
    for (const cookie of aside.get(locals)?.values() ?? []) setOne(jar, cookie)
  } catch {
    // Too late: the next change of the session clears them.
  }
}

/**
 * Clears the host's cookies whose names are those of cookies of the service that a response sets or clears for a domain, if
 * the request carried that name: also where a request of the application's own has set them. The clearings come first, because
 * a client that keeps one cookie of each name keeps the last.
 */
export function clearHostCookies(headers: Headers, sent: string, isOwn: (name: string) => boolean): void {
  const lines = headers.getSetCookie()
  const carried = new Set(sent.split(";").map(cookieNameIn))
  const ofDomain = lines.filter(
    (line) => isOfDomain(line) && carried.has(cookieNameIn(line)) && isOwn(cookieNameIn(line)),
  )
  if (ofDomain.length === 0) return
  setLines(headers, [...new Map(ofDomain.map((one) => [cookieNameIn(one), clearingBeside(one)])).values(), ...lines])
}

/** Sets these `Set-Cookie` fields, and no others. */
export function setLines(headers: Headers, lines: readonly string[]): void {
  headers.delete("set-cookie")
  for (const line of lines) headers.append("set-cookie", line)
}

/** A field that clears the cookie of the same name that is for the host alone. */
function clearingBeside(line: string): string {
  const [, ...attributes] = line.split(/; */)
  const kept = attributes.filter((attribute) => !/^(?:domain|expires|max-age)=/i.test(attribute))
  return [`${cookieNameIn(line)}=`, "Max-Age=0", ...kept].join("; ")
}

/** The value in a `Set-Cookie` field, as it stands there. */
export const valueIn = (line: string): string => (line.split(";", 1)[0] ?? "").replace(/^[^=]*=/, "").trim()

const isOfDomain = (line: string): boolean => /;\s*domain=/i.test(line)

/**
 * Takes the clearings of the host's cookies out of an answer to a request that the application made itself. Browsers
 * never see that answer, and SvelteKit copies its cookies into those of the page.
 */
export function withoutClearings(headers: Headers): void {
  const lines = headers.getSetCookie()
  const ofDomain = new Set(lines.filter(isOfDomain).map(cookieNameIn))
  setLines(
    headers,
    lines.filter((line) => isOfDomain(line) || !ofDomain.has(cookieNameIn(line))),
  )
}

/** The `Cookie` header of a request after the cookies that were set for it. What was not changed stays as it was sent. */
export function currentCookies(event: Event): string {
  const fields: string[] = []
  for (const [name, value] of cookiesSet(event)) {
    if (value === "") fields.push(`${name}=; Max-Age=0`)
    else if (isEncoded(value) && !isWritten(event, name, value)) fields.push(`${name}=${value}`)
    else if (isWellFormed(value)) fields.push(`${name}=${encodeURIComponent(value)}`)
  }
  return cookiesAfter(event.request.headers.get("cookie"), fields, new Date())
}

/** SvelteKit keeps encoded what requests of the application's own have set. */
const isEncoded = (value: string): boolean => /^(?:[\w.~!*'()-]|%[\da-f]{2})*$/i.test(value)

/** Half of a surrogate pair cannot be encoded. */
const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value)

function setOne(jar: RequestEvent["cookies"], { name, value, options }: Cookie): void {
  const { path = "/", httpOnly = false, secure = false, sameSite = false, ...rest } = options
  jar.set(name, value, { ...definedOf(rest), path, httpOnly, secure, sameSite })
}

const namesIn = (cookies: readonly Cookie[]): ReadonlySet<string> => new Set(cookies.map(({ name }) => name))

type Attributes = Omit<Cookie["options"], "path" | "httpOnly" | "secure" | "sameSite">
type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function definedOf(attributes: Attributes): Defined<Attributes> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
