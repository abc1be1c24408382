/** Which origin is trusted. Forwarded headers are not read here: integrations that may trust them build the address with them. */
import type { Settings } from "../config/settings.js"
import { type AuthError, InvalidConfiguration, UnreadableRequest, UntrustedHost } from "../errors.js"
import { isLoopbackHost, type Origin, readOrigin } from "../std/url.js"
import { type HeaderReader, ignoredForwarding } from "./headers.js"

/** An origin, and why it must not be used, if so. */
export interface TrustedOrigin {
  /** Such as `https://app.test`. */
  readonly origin: string
  readonly isSecure: boolean
  readonly problem?: AuthError
}

/** What the question depends on. */
export type OriginSettings = Pick<Settings, "fixedOrigin" | "hostTrust">

/** Stands for an unknown origin: a reserved name that does not resolve (RFC 2606 §2). */
const nowhere = "origin.invalid"

const expected = "The address of the request has to be absolute, with http or https."

/** The refusal of a request whose address is none. */
export const unreadableAddress = (): UnreadableRequest => new UnreadableRequest(expected)

/**
 * The origin of a request: the configured one, else that of its address if its host is trusted. `headers` only say
 * why it may not: a proxy that the framework is not configured to trust is named.
 */
export function trustedOriginOf(
  { url, headers }: { url: Origin | string; headers?: HeaderReader },
  settings: OriginSettings,
): TrustedOrigin {
  if (settings.fixedOrigin !== undefined) return fixed(settings.fixedOrigin)
  const address = typeof url === "string" ? readOrigin(url) : url
  // Also a visitor can cause it: servers make the address of what stands in the `Host` header, and proxies name the scheme.
  if (!address || !/^https?:$/.test(address.protocol)) return unknownOrigin(false, unreadableAddress())
  const { origin, protocol, hostname } = address
  const isSecure = protocol === "https:"
  if (settings.hostTrust === "always" || (settings.hostTrust === "loopback" && isLoopbackHost(hostname))) {
    return { origin, isSecure }
  }
  const ignored = headers && ignoredForwarding(headers, origin)
  const problem = new UntrustedHost(
    `The host ${hostname} of the request is not trusted. Set AUTH_URL to the address of the application, or \`trustHost\` to true (AUTH_TRUST_HOST=true) where the platform or proxy sets the host.${ignored ? ` ${ignored}` : ""}`,
  )
  return { origin, isSecure, problem }
}

/** Where a call in this process comes from, as far as its caller says. */
export interface OriginSource {
  readonly url?: string | undefined
  /** The scheme is https. Counts for more than the scheme of `url`. */
  readonly secure?: boolean | undefined
}

/**
 * The origin of a call in this process. Without an address the scheme alone will do, where nothing but the names of
 * cookies depends on it; when not even that is known, the problem names the missing fact.
 */
export function originOfCall(
  { url, secure }: OriginSource,
  needs: "origin" | "scheme",
  settings: OriginSettings & Pick<Settings, "options">,
): TrustedOrigin {
  if (settings.fixedOrigin !== undefined) return fixed(settings.fixedOrigin)
  if (url !== undefined) {
    const trusted = trustedOriginOf({ url }, settings)
    return secure === undefined || secure === trusted.isSecure ? trusted : withScheme(trusted, secure)
  }
  const isSecure = secure ?? settings.options.useSecureCookies
  if (needs === "origin") {
    const unknown = "The URL of the application is unknown: pass `url`, or set AUTH_URL."
    return unknownOrigin(isSecure ?? false, new InvalidConfiguration(unknown))
  }
  if (isSecure !== undefined) return { origin: `${isSecure ? "https" : "http"}://${nowhere}`, isSecure }
  return unknownOrigin(
    false,
    new InvalidConfiguration(
      "Whether the application is served with https is not known, and the names of its cookies depend on it: pass `url` or `secure`, or set AUTH_URL or `useSecureCookies`.",
    ),
  )
}

function fixed(origin: string): TrustedOrigin {
  return { origin, isSecure: origin.startsWith("https:") }
}

function withScheme(trusted: TrustedOrigin, isSecure: boolean): TrustedOrigin {
  const host = trusted.origin.slice(trusted.origin.indexOf(":"))
  return { ...trusted, origin: `${isSecure ? "https" : "http"}${host}`, isSecure }
}

function unknownOrigin(isSecure: boolean, problem: AuthError): TrustedOrigin {
  return { origin: `${isSecure ? "https" : "http"}://${nowhere}`, isSecure, problem }
}
