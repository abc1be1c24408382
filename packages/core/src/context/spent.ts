/** Which check cookies of this request are over: those of its own flow, never those of another tab. */
import type { CookieChange } from "../http/result.js"
import type { CookieRole } from "../types/config.js"
import type { Context } from "./context.js"
import { slotOfCallback } from "./flow.js"

/** Clears the named roles of this request's flow, as far as the request carried them. */
export async function spentCookies(context: Context, roles: readonly CookieRole[]): Promise<readonly CookieChange[]> {
  const slot = await slotOfCallback(context)
  const carried = roles.filter((role) => {
    const { name } = context.cookies[role]
    return context.incoming.cookies.has(slot === undefined ? name : `${name}.${slot}`)
  })
  return carried.map((role) => ({ role, clear: true, ...(slot !== undefined && { slot }) }))
}
