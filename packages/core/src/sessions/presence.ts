/**
 * The current user: looked up in the store for a token, and looked up again where a moment has passed since. A session
 * that began at an unproven address carries a mark; it ends once the owner of the address has proven it.
 */

import { arrivesByProvider, passkeyProviders } from "../config/email-proof.js"
import type { Settings } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { sha256 } from "../crypto/token.js"
import type { Store } from "../ports/store.js"
import { toBase64url } from "../std/bytes.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import type { Presence } from "./strategy.js"

/** The person that the claims of a token name; `null` when the store does not know them any more. */
export async function presenceOf({ settings }: Context, claims: JWT): Promise<Presence | null> {
  if (!claims.sub) return null
  const { store } = settings
  const id = String(claims.sub)
  if (!store.has("getUser")) return { user: userOf(id, claims), session: undefined }
  const user = await store.getUser(id)
  const mark = readMark(claims["lk"])
  if (!user || (await isMarkOver(settings, { user, mark }))) return null
  return { user, session: undefined, ...(mark !== undefined && { mark }) }
}

/**
 * A deleted user ends the session where the application wants to know, and the owner of an address a session that was
 * begun before. Without a store the sealed token is trusted.
 */
export async function isTokenOver({ settings }: Context, { sub, lk }: JWT): Promise<boolean> {
  const { store, verifyUser } = settings
  const mark = store.has("getUser") ? readMark(lk) : undefined
  if (!verifyUser && mark === undefined) return false
  const user = sub ? await store.getUser(String(sub)) : null
  if (verifyUser && !user) return true
  return isMarkOver(settings, { user, mark })
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
  const isOver = store.has("getUser") && (await isMarkOver(settings, { user, mark: presence.mark, store }))
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

const shape = /^[\w-]{22}$/
const marked = /^[0-9a-f]{64}-lk-([\w-]{22})$/

/** The mark of a session that this account began: 22 characters that do not reveal the account. */
export async function markOf({ provider, providerAccountId }: AccountKey): Promise<string> {
  const digest = await sha256(JSON.stringify([provider, String(providerAccountId)]))
  return toBase64url(digest.subarray(0, 16))
}

/** The mark in a claim, if it is one. */
function readMark(claim: unknown): string | undefined {
  return typeof claim === "string" && shape.test(claim) ? claim : undefined
}

/** A session token of the engine that carries a mark. Whoever changes it names another row. */
export const markedToken = (token: string, mark: string): string => `${token}-lk-${mark}`

/** The mark that a session token carries. */
export const markOfToken = (token: string): string | undefined => marked.exec(token)?.[1]

/** The claims with the mark they came with, whatever a callback made of it. */
export function keepMark(token: JWT, before: JWT): JWT {
  const mark = readMark(before["lk"])
  return mark === undefined ? token : { ...token, lk: mark }
}

interface Marked {
  readonly user: AdapterUser | null
  readonly mark: string | undefined
  /** The transaction's, where there is one. */
  readonly store?: Store
}

/**
 * Is a marked session over? It is when the address of its user is proven by mail, and when the owner came by a provider
 * instead: then the account that began the session is not there any more.
 * @throws AdapterError when the store fails.
 */
export async function isMarkOver(settings: Settings, { user, mark, store = settings.store }: Marked): Promise<boolean> {
  // Whether a session outlives its user is not for the mark to say.
  if (!user || mark === undefined) return false
  if (user.emailVerified) return true
  // If proving the address deletes the sessions anyway, or only a mail link can prove it, nothing more has to be read.
  const endsRows = settings.strategy === "database" && store.has("deleteSessionsByUserId")
  if (endsRows || !arrivesByProvider(settings.providers)) return false
  if (store.has("listAccountsByUserId")) return !(await find(await store.listAccountsByUserId(user.id), mark))
  // Accounts of providers cannot be listed, and nothing removes them either.
  const providers = passkeyProviders(settings.providers)
  if (providers.length === 0 || !store.has("listAuthenticatorsByUserId")) return false
  const rows = await store.listAuthenticatorsByUserId(user.id)
  const keys = rows.flatMap(({ providerAccountId }) => providers.map((provider) => ({ provider, providerAccountId })))
  const key = await find(keys, mark)
  if (!key) return false
  // An authenticator outlives its account.
  const owner = await store.getUserByAccount(key)
  return !owner || String(owner.id) !== String(user.id)
}

async function find(keys: readonly AccountKey[], mark: string): Promise<AccountKey | undefined> {
  for (const key of keys) if ((await markOf(key)) === mark) return key
  return undefined
}
