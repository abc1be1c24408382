/** The address of an action, made from AUTH_URL or from headers. The one place of the core that reads forwarded headers. */

import { originOfHost, parseSite, type Site, siteExpected, trimSlashes } from "../config/addresses.js"
import { mistakeText } from "../config/report.js"
import { InvalidConfiguration, UntrustedHost } from "../errors.js"
import { createLogger } from "../ports/logger.js"
import type { AuthConfig } from "../types/config.js"
import type { AuthAction } from "./endpoints.js"

/**
 * The address of an action. AUTH_URL (else NEXTAUTH_URL) names the origin; without it the headers do, forwarded ones first.
 * Call it only where the proxy in front is trusted: each header must hold exactly one value.
 * @throws InvalidConfiguration for an invalid AUTH_URL, UntrustedHost for a host that is not trusted
 */
// biome-ignore lint/complexity/useMaxParams: the frameworks built on Auth.js call this function with five parameters in this order
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: { get(name: string): string | null },
  env: Readonly<Record<string, unknown>>,
  config: Pick<AuthConfig, "basePath" | "logger"> = {},
): URL {
  const basePath = trimSlashes(config.basePath ?? "")
  const site = siteFromEnvironment(env)
  if (!site) return new URL(`${originFromHeaders(headers, protocol)}${basePath}/${action}`)
  if (basePath !== "" && site.path !== "" && site.path !== basePath) {
    createLogger(config.logger, false).warn("env-url-basepath-mismatch")
  }
  return new URL(`${site.origin}${basePath === "" ? site.path : basePath}/${action}`)
}

function siteFromEnvironment(env: Readonly<Record<string, unknown>>): Site | undefined {
  for (const name of ["AUTH_URL", "NEXTAUTH_URL"]) {
    const value = env[name]
    const text = typeof value === "string" ? value.trim() : ""
    if (text === "") continue
    const site = parseSite(text)
    if (site) return site
    throw new InvalidConfiguration(mistakeText(name, { ...siteExpected, received: text }))
  }
  return undefined
}

function originFromHeaders(headers: { get(name: string): string | null }, protocol: string | undefined): string {
  const scheme = schemeOf(single(headers, "x-forwarded-proto") ?? protocol ?? "https")
  const host = single(headers, "x-forwarded-host") ?? single(headers, "host")
  if (host === undefined) throw refused("host", undefined)
  const origin = originOfHost(scheme, host)
  if (origin === undefined) throw refused("host", host)
  return origin
}

/** The one value of a header; an empty one counts as absent, as proxies send it. */
function single(headers: { get(name: string): string | null }, name: string): string | undefined {
  const value = headers.get(name)?.trim()
  return value === "" ? undefined : value
}

function schemeOf(text: string): string {
  const scheme = text.trim().toLowerCase().replace(/:$/, "")
  if (scheme !== "http" && scheme !== "https") throw refused("protocol", text)
  return scheme
}

function refused(part: "host" | "protocol", received: string | undefined): UntrustedHost {
  const expected = part === "host" ? "one host name with an optional port" : '"http" or "https"'
  return new UntrustedHost(
    mistakeText(`${part} of the request`, {
      expected,
      received,
      remedy: "Set AUTH_URL, or have the proxy send exactly one value.",
    }),
  )
}
