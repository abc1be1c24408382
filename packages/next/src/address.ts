/** Under which address a request was sent. Next puts its own host name into the URL of a request, so headers say it. */
import type { AuthSource } from "@latchkey/core"

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

/** The same request at the address that its sender has asked for. */
export function addressed(request: Request): Request {
  const origin = originOf(request.headers)
  const { pathname, search, origin: written } = new URL(request.url)
  if (origin === undefined || origin === written) return request
  const { method, headers, body, signal } = request
  const init: RequestInit & { duplex: "half" } = { method, headers, body, signal, duplex: "half" }
  return new Request(origin + pathname + search, init)
}
