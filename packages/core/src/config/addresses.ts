/** Where the service lives and what it may redirect to: AUTH_URL, the base path, the redirect proxy, the pages of the application. */
import type { Members } from "../std/json.js"
import { hasControlCharacters } from "../std/text.js"
import { isUrl } from "../std/url.js"
import type { PagesOptions } from "../types/appearance.js"
import { isAbsent, membersOf } from "./members.js"
import { defaults } from "./options.js"
import type { Report } from "./report.js"

/** An address of the application, in two parts. */
export interface Site {
  readonly origin: string
  /** Starts with a slash, ends without one; empty for the root. */
  readonly path: string
}

/** What AUTH_URL must be. */
export const siteExpected = {
  expected: "an absolute http(s) URL without user information, such as https://app.example.com",
  remedy: "Correct the environment variable.",
  isAddress: true,
} as const

/** Reads an absolute http(s) address without user information; its query and fragment mean nothing. */
export function parseSite(text: string): Site | undefined {
  const url = parseHttp(text)
  return url && { origin: url.origin, path: trimSlashes(url.pathname) }
}

/** An absolute http(s) address without user information, control characters and backslashes. */
export function parseHttp(given: unknown): URL | undefined {
  // URL parsers drop tabs and line breaks and replace backslashes; an address that relies on that is refused.
  const isClean = typeof given === "string" && !/[ \\]/.test(given) && !hasControlCharacters(given)
  const url = given instanceof URL ? given : isClean && isUrl(given) ? new URL(given) : undefined
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:"
  return isHttp && url.username === "" && url.password === "" ? url : undefined
}

/** Puts a slash in front and takes those at the end; the root is empty. */
export function trimSlashes(path: string): string {
  const end = path.replace(/\/+$/, "")
  return end === "" || end.startsWith("/") ? end : `/${end}`
}

const hostShape = /^(?:\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)(?::\d{1,5})?$/i

/** One host with an optional port, as an origin; anything that a URL parser would read differently is refused. */
export function originOfHost(protocol: string, host: string): string | undefined {
  if (!hostShape.test(host) || !isUrl(`${protocol}://${host}`)) return undefined
  const url = new URL(`${protocol}://${host}`)
  // Numbers such as 0x7f000001 would become another host.
  return url.hostname === host.toLowerCase().replace(/:\d{1,5}$/, "") ? url.origin : undefined
}

const pathShape = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/
/** A URL parser would walk through them, and another path would be matched than was written. */
const hasDots = /\/\.\.?(?:\/|$)/

/** The base path: the option, else the mount, else the path of AUTH_URL, else the default. */
export function basePathOf(
  {
    members,
    mount,
    site,
    filled,
  }: { members: Members; mount: string | undefined; site: Site | undefined; filled?: unknown },
  report: Report,
): string {
  const own = members.basePath ?? mount
  if (isAbsent(own)) return site?.path || defaults.basePath
  const basePath = typeof own === "string" ? trimSlashes(own) : undefined
  if (basePath === undefined || !pathShape.test(basePath) || hasDots.test(basePath)) {
    const expected = 'a path such as "/auth"'
    report.mistake("basePath", { expected, received: own, remedy: "Write only the path, without query and fragment." })
    return defaults.basePath
  }
  if (site?.path) {
    if (site.path !== basePath) report.warn("env-url-basepath-mismatch")
    // Integrations always pass their mount, so only the option and AUTH_URL can name the path twice.
    else if (members.basePath !== undefined && members.basePath !== filled) report.warn("env-url-basepath-redundant")
  }
  return basePath
}

/** The base of the redirect proxy, as `option` names it, without slashes at its end. */
export function redirectProxyOf(option: string, given: unknown, report: Report): string | undefined {
  if (isAbsent(given) || given === "") return undefined
  const url = parseHttp(given)
  if (url) return `${url.origin}${url.pathname.replace(/\/+$/, "")}`
  report.mistake(option, {
    expected:
      "an absolute http(s) URL that ends with the base path of the proxy, such as https://auth.example.com/auth",
    received: given,
    remedy: "Correct it, or leave it out.",
    isAddress: true,
  })
  return undefined
}

/** A deployment that a redirect proxy may send callbacks on to: one entry of `redirectProxyOrigins`. */
export interface ProxyOrigin {
  readonly protocol: string
  /** Without the leading `*` label, where there is one. */
  readonly hostname: string
  readonly port: string
  /** One label stands before the hostname, whichever it is. */
  readonly hasWildcard: boolean
}

/** Reads the list; `undefined` when there is none. An entry that cannot be read is a mistake and allows nothing. */
export function proxyOriginsOf(given: unknown, report: Report): readonly ProxyOrigin[] | undefined {
  if (isAbsent(given)) return undefined
  if (!Array.isArray(given)) {
    const remedy = 'Write ["https://*.preview.example.com"], or leave it out.'
    report.mistake("redirectProxyOrigins", { expected: "a list of origins", received: given, remedy })
    return Object.freeze([])
  }
  return Object.freeze(given.flatMap((entry: unknown) => readProxyOrigin(entry, report) ?? []))
}

function readProxyOrigin(entry: unknown, report: Report): ProxyOrigin | undefined {
  const hasWildcard = typeof entry === "string" && /^https?:\/\/\*\./.test(entry)
  const url = parseHttp(hasWildcard ? entry.replace("*.", "") : entry)
  const isOrigin = url && url.pathname === "/" && url.search === "" && url.hash === "" && !url.hostname.includes("*")
  // "*.com" would allow every domain below com.
  if (isOrigin && !(hasWildcard && !url.hostname.includes("."))) {
    return { protocol: url.protocol, hostname: url.hostname, port: url.port, hasWildcard }
  }
  report.mistake("redirectProxyOrigins", {
    expected: "origins such as https://preview.example.com or https://*.preview.example.com",
    received: entry,
    remedy: "Name scheme and host, without a path; `*` may only be the whole first label.",
    isAddress: true,
  })
  return undefined
}

/** Does the list name the origin of this address? */
export function isListed(list: readonly ProxyOrigin[], { protocol, hostname, port }: URL): boolean {
  return list.some((entry) => {
    if (entry.protocol !== protocol || entry.port !== port) return false
    if (!entry.hasWildcard) return entry.hostname === hostname
    const end = `.${entry.hostname}`
    return hostname.endsWith(end) && /^[^.]+$/.test(hostname.slice(0, -end.length))
  })
}

/** The built-in page that each page of the application stands in for. */
const standsFor: Readonly<Record<string, string>> = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
}

/** Reads `pages`. The service's own address of a page redirects to the page that is named: naming it would be a redirect loop. */
export function pagesOf(given: unknown, basePath: string, report: Report): Readonly<Partial<PagesOptions>> {
  const written = Object.entries(membersOf(given)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  )
  const circular = written.filter(([name, page]) => leadsToItself(name, page, basePath)).map(([name]) => name)
  if (circular.length > 0) {
    const detail = circular.map((name) => `pages.${name} is "${basePath}/${standsFor[name]}"`).join(", ")
    report.warn("page-leads-to-itself", `${detail}.`)
  }
  return Object.freeze(Object.fromEntries(written.filter(([name]) => !circular.includes(name))))
}

/** Below it as well: the name of a provider changes nothing. */
function leadsToItself(name: string, page: string, basePath: string): boolean {
  if (!Object.hasOwn(standsFor, name) || !page.startsWith("/")) return false
  if (!isUrl(page, "https://origin.invalid")) return false
  const own = `${basePath}/${standsFor[name]}`
  const { origin, pathname } = new URL(page, "https://origin.invalid")
  return origin === "https://origin.invalid" && (pathname === own || pathname.startsWith(`${own}/`))
}
