/** The current user: the user of a token as the store has them, and whether a user seen a moment ago is still signed in. */
import type { Context } from "../context/context.js"
import type { Store } from "../ports/store.js"
import type { AdapterUser } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { isMarkOver, readMark } from "./mark.js"
import type { Presence } from "./strategy.js"

/** The person that the claims of a token name; `null` when the store does not know them any more. */
export async function presenceOf({ settings }: Context, claims: JWT): Promise<Presence | null> {
  if (!claims.sub) return null
  const { store } = settings
  const id = String(claims.sub)
  if (!store.has("getUser")) return { user: userOf(id, claims), session: undefined }
  const user = await store.getUser(id)
  const mark = readMark(claims["lk"])
  if (!user || (mark !== undefined && (await isMarkOver({ store, settings }, { user, mark })))) return null
  return { user, session: undefined, ...(mark !== undefined && { mark }) }
}

/**
 * A deleted user ends the session where the application wants to know, and the owner of an address a session that was
 * begun before. An instance without a store believes the seal.
 */
export async function isTokenOver({ settings }: Context, { sub, lk }: JWT): Promise<boolean> {
  const { store, verifyUser } = settings
  const mark = store.has("getUser") ? readMark(lk) : undefined
  if (!verifyUser && mark === undefined) return false
  const user = sub ? await store.getUser(String(sub)) : null
  if (verifyUser && !user) return true
  return mark !== undefined && isMarkOver({ store, settings }, { user, mark })
}

/** The user as the claims have them. */
export function userOf(id: string, { name, email, picture, image }: JWT): AdapterUser {
  const portrait = typeof image === "string" ? image : (picture ?? null)
  return { id, name: name ?? null, email: email ?? "", image: portrait, emailVerified: null }
}

/** The same presence as the store shows it now, or `null`. Asks `store`, which may be a transaction, and no callback. */
export async function stillHere(
  { settings, now }: Context,
  presence: Presence,
  store: Store,
): Promise<Presence | null> {
  const user = await ownerOf(presence, { store, now })
  if (!user) return null
  const { mark } = presence
  const isOver = mark !== undefined && store.has("getUser") && (await isMarkOver({ store, settings }, { user, mark }))
  return isOver ? null : { ...presence, user }
}

async function ownerOf(
  { token, user }: Presence,
  { store, now }: { readonly store: Store; readonly now: Date },
): Promise<AdapterUser | null> {
  if (token === undefined) return store.has("getUser") ? store.getUser(String(user.id)) : user
  const row = await store.getSessionAndUser(token)
  return row && row.session.expires.getTime() > now.getTime() ? row.user : null
}
