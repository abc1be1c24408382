/** Security headers: caching, framing, content type and referrer. */
import type { Settings } from "../config/settings.js"
import type { PageParts } from "../pages/layout.js"
import type { Incoming } from "./incoming.js"
import { noStore, type Reply } from "./result.js"

/** What the policy depends on. */
export interface PolicyContext {
  readonly incoming: Pick<Incoming, "isSecure">
  readonly settings: Pick<Settings, "providers" | "language">
}

const always: Readonly<Record<string, string>> = Object.freeze({
  ...noStore,
  Vary: "Cookie",
  "X-Content-Type-Options": "nosniff",
  // Not `no-referrer`: with it browsers send `Origin: null` along with the forms of a page (Fetch, "append a request Origin header").
  "Referrer-Policy": "same-origin",
})

/** The headers of JSON, also where it stands in for another reply. */
export const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  ...always,
  "Content-Type": "application/json",
  "Cross-Origin-Resource-Policy": "same-origin",
})

/** The headers that go with a kind of reply. */
export function policyHeaders(reply: Reply, surroundings: PolicyContext): Readonly<Record<string, string>> {
  if (reply.kind === "json") return jsonHeaders
  if (reply.kind !== "page") return always
  return {
    ...always,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Language": reply.lang,
    ...(surroundings.settings.language.offered.length > 1 && { Vary: "Cookie, Accept-Language" }),
    "Content-Security-Policy": contentSecurityPolicy(reply, surroundings),
    "X-Frame-Options": "DENY",
  }
}

/** What a built-in page may load and do (CSP Level 3). Nothing but what it names. */
function contentSecurityPolicy(
  { scriptHashes, styleHashes, imageSources }: PageParts,
  surroundings: PolicyContext,
): string {
  const hasScript = scriptHashes.length > 0
  const directives: readonly (readonly [string, readonly string[]])[] = [
    ["default-src", ["'none'"]],
    ["script-src", scriptHashes.map(quoted)],
    ["style-src", styleHashes.map(quoted)],
    ["img-src", imageSources],
    ["connect-src", hasScript ? ["'self'"] : []],
    ["form-action", formTargets(surroundings)],
    ["base-uri", ["'none'"]],
    ["frame-ancestors", ["'none'"]],
  ]
  return directives
    .filter(([, sources]) => sources.length > 0)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ")
}

function quoted(hash: string): string {
  return `'${hash}'`
}

/**
 * Some browsers hold `form-action` against the redirects after a form as well, and those lead to the provider. Its
 * address may not be known before discovery, so schemes stand here; what this refuses is a form that leads into a script.
 */
function formTargets({ incoming, settings }: PolicyContext): readonly string[] {
  const mayBePlain = !incoming.isSecure || [...settings.providers.values()].some(allowsPlainHttp)
  return mayBePlain ? ["'self'", "https:", "http:"] : ["'self'", "https:"]
}

function allowsPlainHttp(provider: unknown): boolean {
  return (provider as { readonly allowInsecureRequests?: boolean }).allowInsecureRequests === true
}
