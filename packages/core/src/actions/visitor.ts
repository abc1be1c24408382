/** Who is signed in where a page is drawn: shown to that person alone, and nothing is decided by it. */
import type { Context } from "../context/context.js"
import { selectStrategy } from "../sessions/jwt.js"
import { asAuthError } from "./refusal.js"

/** The person a page speaks to. */
export interface Visitor {
  /** Their address, else their name; `undefined` where the session has neither. */
  readonly name: string | undefined
  /** An account they prove now is added to theirs. */
  readonly addsAccounts: boolean
}

/** The person whose session the request carries; `null` for none, `undefined` when the store cannot say. */
export async function visitorOf(context: Context): Promise<Visitor | null | undefined> {
  const { settings, log } = context
  try {
    const holder = await selectStrategy(settings).holder(context)
    if (!holder) return null
    const { email, name } = holder.user
    return { name: email || name || undefined, addsAccounts: settings.store.isPresent && holder.isStored }
  } catch (error) {
    // The page works without; a sign-in that fails because of it says so.
    log.error(asAuthError(context, error))
    return undefined
  }
}
