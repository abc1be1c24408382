/** Sessions that go on from the one of the request: with an account added to its user, or to act for another one. None goes on from a session that has ended meanwhile. */
import type { Context } from "../context/context.js"
import type { Changed, Login } from "./strategy.js"

/** Does a session begin only where that of the request has not ended? Where sessions are not managed, nobody ends one by name, and nothing says so. */
export function goesOn({ settings }: Context, { addsAccount, actor }: Login): boolean {
  return settings.features.sessions !== undefined && (addsAccount === true || actor !== undefined)
}

/** What begins where that session has ended. The browser may have the cookie of another one by now: that is left alone. */
export const overBefore: Changed = Object.freeze({
  cookies: Object.freeze([]),
  events: Object.freeze([]),
  isOver: true as const,
})
