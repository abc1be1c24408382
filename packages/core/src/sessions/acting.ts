/** Whether somebody acts for the user of a session: they get nothing that would outlast it. */
import type { Context } from "../context/context.js"
import { sessionChunks } from "../http/cookies.js"
import { findSession } from "../ledger/session.js"
import { isActingToken } from "./current-session.js"
import { readClaim } from "./facts-claim.js"
import { readToken } from "./jwt-cookie.js"
import { ledgerOf } from "./managed.js"

/** Says whether the session that the request carries was begun by somebody else, who acts for its user. */
export async function isActing(context: Context): Promise<boolean> {
  const { cookies, incoming, settings } = context
  if (!settings.features.sessions) return false
  if (settings.strategy === "jwt") {
    const carried = await readToken(context)
    return carried.kind === "token" && readClaim(carried.claims.lk).facts?.actor !== undefined
  }
  const { value } = sessionChunks(incoming.cookies, cookies.sessionToken.name)
  if (value && isActingToken(value)) return true
  const record = value ? await findSession(ledgerOf(context), value) : null
  return record?.content.facts.actor !== undefined
}
