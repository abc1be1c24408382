/** Whether the session of a request still stands, which an account is being added to; and what that account has opened where it does not. */
import type { Context } from "../context/context.js"
import type { AccountKey } from "../types/adapter.js"
import { selectControl } from "./control.js"
import { databaseControl } from "./database-control.js"
import { readToken } from "./jwt-cookie.js"
import { sessionOfToken } from "./jwt-managed.js"
import { endNamed } from "./managed.js"

export { removeRow } from "./database-managed.js"

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

/**
 * Ends the sessions of a user that began with an account, or went on from one that did: the account was there for a moment only.
 * @throws AdapterError when one cannot be ended.
 */
export async function endBegunBy(
  context: Context,
  userId: string,
  { provider, providerAccountId }: AccountKey,
): Promise<void> {
  const { failed } = await endNamed(context, selectControl(context), {
    userId,
    isMeant: ({ beganWith }) => beganWith?.provider === provider && beganWith.providerAccountId === providerAccountId,
  })
  if (failed) throw failed.reason
}
