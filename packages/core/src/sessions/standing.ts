/** Whether the session of a request still stands, which an account is being added to. */
import type { Context } from "../context/context.js"
import { databaseControl } from "./database-control.js"
import { readToken } from "./jwt-cookie.js"
import { sessionOfToken } from "./jwt-managed.js"

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
