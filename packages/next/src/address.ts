/** Under which address a request was sent, and from which. Next puts its own host name into the URL of a request, so headers say it. */
import type { AuthSource } from "@latchkey/core"
import { servedPath } from "./base-path.js"

/** Reads one header. */
interface Reader {
  get(name: string): string | null
}

/** Is it https, as far as Next or the proxy before it says? Next always says so. */
function isSecure(headers: Reader): boolean {
  return headers.get("x-forwarded-proto")?.split(",", 1)[0]?.trim() === "https"
}

/**
 * Scheme and host, by the `Host` header: whether that may be believed is for the service to decide. `X-Forwarded-Host`
 * is not read, because any sender can write it.
 */
export function originOf(headers: Reader): string | undefined {
  const origin = `${isSecure(headers) ? "https" : "http"}://${headers.get("host")}`
  return URL.canParse(origin) && new URL(origin).origin === origin ? origin : undefined
}

/** Where a call in this process comes from. */
export function sourceOf(headers: Headers): AuthSource {
  const origin = originOf(headers)
  return { headers, secure: isSecure(headers), ...(origin !== undefined && { url: `${origin}/` }) }
}

/** The same request at the address that its sender has asked for; `basePath` is that of the service. */
export function addressed(request: Request, basePath: string): Request {
  const { pathname, search, origin: written } = new URL(request.url)
  const origin = originOf(request.headers) ?? written
  const path = servedPath(basePath, pathname)
  if (origin === written && path === pathname) return request
  const { method, headers, body, signal } = request
  const init: RequestInit & { duplex: "half" } = { method, headers, body, signal, duplex: "half" }
  return new Request(origin + path + search, init)
}

/**
 * The address a request came from, where the platform says it: Vercel overwrites `X-Real-IP` with each request that
 * reaches a deployment. Elsewhere Next hands on what the sender wrote there, so the address is unknown.
 */
export function clientAddress(headers: Reader): string | undefined {
  const { VERCEL, VERCEL_ENV } =
    (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {}
  // `vercel env pull` writes both into files for development, where nobody overwrites anything.
  if (VERCEL !== "1" || (VERCEL_ENV !== "production" && VERCEL_ENV !== "preview")) return undefined
  return headers.get("x-real-ip") ?? undefined
}
