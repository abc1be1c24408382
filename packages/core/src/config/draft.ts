/** What is known of a provider before its protocol is looked at, and the proxy it redirects through. */
import type { Report } from "./report.js"
import { parseHttp } from "./site.js"

/** A provider between entry and resolution. */
export interface Draft {
  readonly id: string
  readonly name: string
  /** How the provider is called in messages. */
  readonly label: string
  readonly merged: Readonly<Record<PropertyKey, unknown>>
  /** The one of the whole configuration. */
  readonly redirectProxyUrl: string | undefined
  readonly report: Report
}

/** The base of the redirect proxy: the provider's own, else the one of the configuration. */
export function redirectProxyOf({ label, merged, redirectProxyUrl, report }: Draft): string | undefined {
  const own = merged.redirectProxyUrl
  const given = own ?? redirectProxyUrl
  if (given === undefined || given === null || given === "") return undefined
  const url = parseHttp(given)
  if (url) return `${url.origin}${url.pathname.replace(/\/+$/, "")}`
  // The top-level one is judged where it stands.
  if (own !== undefined && own !== null) report.mistake(`${label}.redirectProxyUrl`, proxyMistake(given))
  return undefined
}

/** The mistake in an invalid redirect proxy. */
export function proxyMistake(received: unknown): { expected: string; received: unknown; remedy: string } {
  return {
    expected:
      "an absolute http(s) address that ends with the base path of the proxy, such as https://auth.example.com/auth",
    received,
    remedy: "Correct it, or leave it out.",
  }
}
