/** Sign-ins that are under way while all sessions of their user are ended: what they rest on may be what those were ended for. */
import type { Context } from "../context/context.js"
import { AccessDenied } from "../errors.js"
import { readEpoch, writeEpoch } from "../ledger/epoch.js"
import { endOfMark, ledgerOf, orLogged } from "./managed.js"

/**
 * Were all sessions of a user ended, or all but one, after this request came? Asked once the record of its session is written:
 * whoever ends all of them says so first and looks for records then, so one of the two finds the other. A password that was
 * changed meanwhile was compared before, and somebody who has been shut out was let in before.
 */
export async function wereAllEnded(context: Context, userId: string): Promise<boolean> {
  const epoch = await orLogged(context.log, () => readEpoch(ledgerOf(context), userId))
  return context.now.getTime() < (epoch?.milliseconds ?? 0)
}

/** Says so of all sign-ins that are under way, before sessions are looked for. Sessions that are there go on. */
export function endSignInsUnderWay(context: Context, userId: string): Promise<void> {
  const [at, expires] = [context.now.getTime() / 1000, endOfMark(context)]
  return writeEpoch(ledgerOf(context), { userId, at, expires, isForSignInsAlone: true })
}

/** The refusal of such a sign-in. */
export function endedUnderWay(): AccessDenied {
  return new AccessDenied("All sessions of the user were ended while this sign-in was under way. Sign in again.")
}
