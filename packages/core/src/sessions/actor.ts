/** Whether the one who acts for a user may go on: they lose that with their own sessions, and with their user. */
import type { Context } from "../context/context.js"
import { readEpoch } from "../ledger/epoch.js"
import { findSession, type SessionContent } from "../ledger/session.js"
import { ledgerOf } from "./managed.js"

/**
 * Has the one who acts been signed out everywhere since they began, or been deleted? Their own session ended when they began, so
 * nothing else ends this one with the others. Where nobody acts, the store is not asked.
 * @throws AdapterError when the store cannot be asked.
 */
export async function isActorGone(
  context: Context,
  { facts: { actor, startedAt }, isActorStored }: Pick<SessionContent, "facts" | "isActorStored">,
): Promise<boolean> {
  if (actor === undefined) return false
  const epoch = await readEpoch(ledgerOf(context), actor)
  if (epoch && (startedAt < epoch.at || (startedAt === epoch.at && epoch.except === undefined))) return true
  return isActorStored === true && (await context.settings.store.getUser(actor)) === null
}

/** The same of the row that a token of acting names. Where its record is gone, it ends because it is due. */
export async function isActingOver(context: Context, token: string): Promise<boolean> {
  const record = await findSession(ledgerOf(context), token)
  return record !== null && isActorGone(context, record.content)
}
