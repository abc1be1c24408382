/** The session of a row, as the client may see it. */
import type { Context } from "../context/context.js"
import { toIsoText } from "../std/time.js"
import type { AdapterUser, Awaitable } from "../types/identity.js"
import type { AdapterSession, Session } from "../types/session.js"
import { askSession, type Update, updateParams } from "./callbacks.js"

/** The session of a row, as the client may see it. */
export function presentRow(
  context: Context,
  { session, user, update }: { session: AdapterSession; user: AdapterUser; update: Update | undefined },
): Awaitable<Session | null> {
  // Stores that live in memory hand out their own rows, and a callback writes to what it gets.
  const own = { ...user }
  const row = { ...session, user: own, expires: toIsoText(session.expires) }
  // A callback may read the token, but one that returns the whole row must not reveal it to scripts of the page.
  Object.defineProperty(row, "sessionToken", { enumerable: false })
  return askSession(context, { session: row, user: own, ...updateParams(update) })
}
