/** The deployments that a redirect proxy may send callbacks on to. */
import type { Report } from "./report.js"
import { parseHttp } from "./site.js"

/** One entry of `redirectProxyOrigins`. */
export interface ProxyOrigin {
  readonly protocol: string
  /** Without the leading `*` label, where there is one. */
  readonly hostname: string
  readonly port: string
  /** One label stands before the hostname, whichever it is. */
  readonly hasWildcard: boolean
}

const option = "redirectProxyOrigins"

/** Reads the list; `undefined` when there is none. An entry that cannot be read is a mistake and allows nothing. */
export function proxyOriginsOf(given: unknown, report: Report): readonly ProxyOrigin[] | undefined {
  if (given === undefined || given === null) return undefined
  if (!Array.isArray(given)) {
    const remedy = 'Write ["https://*.preview.example.com"], or leave it out.'
    report.mistake(option, { expected: "a list of origins", received: given, remedy })
    return Object.freeze([])
  }
  return Object.freeze(given.flatMap((entry: unknown) => readEntry(entry, report) ?? []))
}

function readEntry(entry: unknown, report: Report): ProxyOrigin | undefined {
  const hasWildcard = typeof entry === "string" && /^https?:\/\/\*\./.test(entry)
  const url = parseHttp(hasWildcard ? entry.replace("*.", "") : entry)
  const isOrigin = url && url.pathname === "/" && url.search === "" && url.hash === "" && !url.hostname.includes("*")
  // "*.com" would name half of the web.
  if (isOrigin && !(hasWildcard && !url.hostname.includes("."))) {
    return { protocol: url.protocol, hostname: url.hostname, port: url.port, hasWildcard }
  }
  report.mistake(option, {
    expected: "origins such as https://preview.example.com or https://*.preview.example.com",
    received: entry,
    remedy: "Name scheme and host, without a path; `*` may only be the whole first label.",
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
