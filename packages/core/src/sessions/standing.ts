/** Whether the session of a request still stands, which an account is being added to; and what that account has opened where it does not. */
import type { Context } from "../context/context.js"
import { toSeconds } from "../std/time.js"
import { selectControl } from "./control.js"
import { databaseControl } from "./database-control.js"
import { readToken } from "./jwt-cookie.js"
import { sessionOfToken } from "./jwt-managed.js"
import { endNamed } from "./managed.js"

/**
 * Has the session of the request not ended? Asks the store each time, and no callback. For configurations with managed sessions.
 * In a database the session has a record from then on: whoever takes that is the one who ends it.
 * @throws AdapterError when the store cannot be asked.
 */
export async function stillStands(context: Context): Promise<boolean> {
  if (context.settings.strategy === "database") return (await databaseControl.current(context)) !== null
  const carried = await readToken(context)
  return carried.kind === "token" && (await sessionOfToken(context, carried.claims)) !== null
}

/** Seconds: longer than a request takes that was on its way when the account was added. */
const longestRequest = 120

/**
 * Ends sessions of a user that began by a provider since shortly before this request: an account of it was there for a moment,
 * and whoever has that account may have signed in with it.
 * @throws AdapterError when one cannot be ended.
 */
export async function endBegunBy(
  context: Context,
  { userId, provider }: { readonly userId: string; readonly provider: string },
): Promise<void> {
  const since = toSeconds(context.now) - longestRequest
  const { failed } = await endNamed(context, selectControl(context), {
    userId,
    isMeant: ({ facts, via }) => via?.provider === provider && facts.startedAt >= since,
  })
  if (failed) throw failed.reason
}
