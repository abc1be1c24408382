/** Guarding routes with the session. */
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { Session, User } from "@latchkey/core/types"
import type { Context } from "hono"
import type { ContentfulStatusCode } from "hono/utils/http-status"

/** A session with a user. */
export type SignedIn<S = Session> = S & { readonly user: S extends { user?: infer U } ? NonNullable<U> : User }

/** What a guard does with a visitor who is not signed in. */
export type RequireOptions =
  | {
      /** Address of the page to sign in on. It gets the address to return to as `callbackUrl`. */
      readonly redirectTo: string
    }
  | {
      /** @default 401 */
      readonly status?: ContentfulStatusCode
    }

/** Longer addresses are refused as a `callbackUrl` anyway. */
const longestReturn = 2048

/** The answer to a visitor who is not signed in. */
export function turnAway(c: Context, options: RequireOptions): Response {
  if ("redirectTo" in options && pathOf(new URL(c.req.url).pathname) === pathOf(options.redirectTo))
    throw new InvalidConfiguration(
      `auth.require: expected routes other than ${JSON.stringify(options.redirectTo)}, to which it redirects, received a request for that page, which nobody could ever see. Put the page before auth.require, or auth.require on the other routes alone.`,
    )
  c.header("Cache-Control", "private, no-store")
  if ("redirectTo" in options) return c.redirect(signInAddress(options.redirectTo, c.req.raw), 303)
  const { status = 401 } = options
  return c.text(status === 401 ? "Unauthorized" : "Forbidden", status)
}

/** Without query, fragment and a slash at the end. */
function pathOf(address: string): string {
  return (address.split(/[?#]/, 1)[0] ?? "").replace(/\/$/, "")
}

function signInAddress(redirectTo: string, request: Request): string {
  const [address = "", fragment] = redirectTo.split("#", 2)
  const params = new URLSearchParams({ error: "SessionRequired" })
  const back = returnAddress(request)
  if (back !== undefined) params.set("callbackUrl", back)
  return `${address}${address.includes("?") ? "&" : "?"}${params}${fragment === undefined ? "" : `#${fragment}`}`
}

/** Only what was asked for with GET can be returned to, and only a path: `//evil.test` is the address of another host. */
function returnAddress({ method, url }: Request): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined
  const { pathname, search } = new URL(url)
  const address = pathname + search
  return /^\/(?!\/)[^\\\s]*$/.test(address) && address.length <= longestReturn ? address : undefined
}
