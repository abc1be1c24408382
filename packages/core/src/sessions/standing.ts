/** Whether the session of a request still stands, which an account is being added to; and what that account has opened where it does not. */
import type { Context } from "../context/context.js"
import { findSession } from "../ledger/session.js"
import type { AccountKey } from "../types/adapter.js"
import { selectControl } from "./control.js"
import { databaseControl } from "./database-control.js"
import { removeRow } from "./database-managed.js"
import { tokenOf } from "./database-token.js"
import { readToken } from "./jwt-cookie.js"
import { sessionOfToken, type TokenSession } from "./jwt-managed.js"
import { endNamed, ledgerOf, orLogged } from "./managed.js"

/**
 * Has the session of the request not ended, and its token not been replaced? Asks the store each time, and no callback. For configurations with managed sessions.
 * In a database the session has a record from then on: whoever takes that is the one who ends it.
 * @throws AdapterError when the store cannot be asked.
 */
export async function stillStands(context: Context): Promise<boolean> {
  const session =
    context.settings.strategy === "database" ? await databaseControl.current(context) : await ofToken(context)
  return session !== null && !session.isReplaced
}

async function ofToken(context: Context): Promise<TokenSession | null> {
  const carried = await readToken(context)
  return carried.kind === "token" ? sessionOfToken(context, carried.claims) : null
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

/**
 * Where rows are kept beside the adapter, a transaction that is undone writes the row of the request again. Whoever ended the
 * session meanwhile found no row to remove, and took its record: then the row goes here. `isOver`: the session is known to have
 * ended. For sessions that {@link stillStands} has given a record; a failure of the store is logged.
 */
export async function removeReturned(context: Context, isOver: boolean): Promise<void> {
  const token = tokenOf(context)
  const { store, config } = context.settings
  // A record that is no part of the transaction may be gone because of the sign-in that failed.
  const canTell = isOver || !config.records || config.records === config.adapter
  if (!token || !canTell) return
  await orLogged(context.log, async () => {
    if (isOver || !(await findSession(ledgerOf(context), token))) await removeRow(store, token)
  })
}
