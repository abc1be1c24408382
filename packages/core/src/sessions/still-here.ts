/** Is somebody who was here a moment ago here still? Asked again where it is about to be written down. */
import type { Context } from "../context/context.js"
import type { Store } from "../ports/store.js"
import type { AdapterUser } from "../types/identity.js"
import { isMarkOver } from "./mark.js"
import type { Presence } from "./strategy.js"

/** The same presence as the store shows it now, or `null`. Asks `store`, which may be a transaction, and no callback. */
export async function stillHere(
  { settings, now }: Context,
  presence: Presence,
  store: Store,
): Promise<Presence | null> {
  const user = await userOf(presence, { store, now })
  if (!user) return null
  const { mark } = presence
  const isOver = mark !== undefined && store.has("getUser") && (await isMarkOver({ store, settings }, { user, mark }))
  return isOver ? null : { ...presence, user }
}

async function userOf(
  { token, user }: Presence,
  { store, now }: { readonly store: Store; readonly now: Date },
): Promise<AdapterUser | null> {
  if (token === undefined) return store.has("getUser") ? store.getUser(String(user.id)) : user
  const row = await store.getSessionAndUser(token)
  return row && row.session.expires.getTime() > now.getTime() ? row.user : null
}
