/** Guarding routes with the session. */
import { signInAddress } from "@latchkey/core"
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

/** The answer to a visitor who is not signed in. */
export function turnAway(c: Context, options: RequireOptions): Response {
  c.header("Cache-Control", "private, no-store")
  if ("redirectTo" in options) return c.redirect(addressOf(c.req.raw, options.redirectTo), 303)
  const { status = 401 } = options
  return c.text(status === 401 ? "Unauthorized" : "Forbidden", status)
}

function addressOf({ method, url }: Request, redirectTo: string): string {
  return signInAddress({ guard: "auth.require", redirectTo, method, path: pathIn(url) })
}

/** Path and query as they were sent: Deno leaves `..` in an address, and Hono routes by it. Of a malformed `Host` nothing is read. */
const pathIn = (url: string): string => /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? ""
