/**
 * The session of a request and its user: looked up in the store for a token, and again after time has passed. A session
 * that began at an unproven address carries a digest of the account it began with; it ends once the owner of the address
 * has proven it.
 */

import { arrivesByProvider, findsByAddress, passkeyProviders } from "../config/email-proof.js"
import type { Settings } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { sha256 } from "../crypto/token.js"
import type { Store } from "../ports/store.js"
import { fromBase64url, fromHex, toBase64url, toHex } from "../std/bytes.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { readClaim } from "./facts-claim.js"
import type { CurrentSession } from "./strategy.js"

/** The session of the user that the claims of a token name; `null` when the store does not know the user any more. */
export async function currentSessionOf({ settings }: Context, claims: JWT): Promise<CurrentSession | null> {
  if (!claims.sub) return null
  const { store } = settings
  const id = String(claims.sub)
  if (!store.has("getUser")) return { user: userOf(id, claims), session: undefined }
  const user = await store.getUser(id)
  const unprovenAccount = readDigest(claims["lk"])
  if (!user || (await isEndedByOwner(settings, { user, unprovenAccount }))) return null
  return { user, session: undefined, ...(unprovenAccount !== undefined && { unprovenAccount }) }
}

/** Whose session is looked at, and why their user has to be. */
export interface Asked {
  readonly claims: JWT
  readonly verifyUser: boolean
  readonly unprovenAccount: string | undefined
}

/** Has a session ended with its user, or by the owner of its unproven address? Asks the store. */
export async function isUserGone(settings: Settings, { claims, verifyUser, unprovenAccount }: Asked): Promise<boolean> {
  const user = claims.sub ? await settings.store.getUser(String(claims.sub)) : null
  if (verifyUser && !user) return true
  return isEndedByOwner(settings, { user, unprovenAccount })
}

/** The user as the claims have them. */
export function userOf(id: string, { name, email, picture, image }: JWT): AdapterUser {
  const portrait = typeof image === "string" ? image : (picture ?? null)
  return { id, name: name ?? null, email: email ?? "", image: portrait, emailVerified: null }
}

/** The session as the store has it now, or `null`. Asks `store`, which may be a transaction, and no callback. */
export async function readAgain(
  { settings, now }: Context,
  current: CurrentSession,
  store: Store,
): Promise<CurrentSession | null> {
  const user = await ownerOf(current, { store, now })
  if (!user) return null
  const isOver =
    store.has("getUser") && (await isEndedByOwner(settings, { user, unprovenAccount: current.unprovenAccount, store }))
  return isOver ? null : { ...current, user }
}

async function ownerOf(
  { token, user }: CurrentSession,
  { store, now }: { readonly store: Store; readonly now: Date },
): Promise<AdapterUser | null> {
  if (token === undefined) return store.has("getUser") ? store.getUser(String(user.id)) : user
  const row = await store.getSessionAndUser(token)
  return row && row.session.expires.getTime() > now.getTime() ? row.user : null
}

const plainShape = /^[0-9a-f]{64}$/
/** `-lk-` in hex: applications make tokens of any length, and 48 random bytes must not be taken for a token with a digest. */
const mark = "2d6c6b2d"
const tokenShape = new RegExp(`^[0-9a-f]{64}(?:${mark}([0-9a-f]{32})|-lk-([\\w-]{22}))$`)

/** A digest of the account that begins a session at an unproven address: 22 characters that do not reveal the account. */
export async function accountDigest({ provider, providerAccountId }: AccountKey): Promise<string> {
  const digest = await sha256(JSON.stringify([provider, String(providerAccountId)]))
  return toBase64url(digest.subarray(0, 16))
}

/** The digest in a claim, if there is one. */
const readDigest = (claim: unknown): string | undefined => readClaim(claim).unprovenAccount

/** A session token of the engine with the digest of an account behind it, in hex as well. Both are the key of the row: a changed digest finds no row. */
export const tokenWithAccount = (token: string, unprovenAccount: string): string =>
  token + mark + toHex(fromBase64url(unprovenAccount))

/** The digest of the account that a session token carries. Older tokens have it behind `-lk-`, as it is. */
export function accountOfToken(token: string): string | undefined {
  const [, hex, older] = tokenShape.exec(token) ?? []
  return hex === undefined ? older : toBase64url(fromHex(hex))
}

/** Was a session token made by the engine? Then it says itself whether its session began at an unproven address. */
export const isOwnToken = (token: string): boolean => plainShape.test(token) || tokenShape.test(token)

const actingShape = /^[0-9a-f]{64}-lk-acting$/

/** A session token of the engine that says that somebody acts for the user. Without its record the session ends: nothing else says who it is, and how soon it ends. */
export const actingToken = (token: string): string => `${token}-lk-acting`

/** Does a session token say that somebody acts for the user? */
export const isActingToken = (token: string): boolean => actingShape.test(token)

interface UserToCheck {
  readonly user: AdapterUser | null
  readonly unprovenAccount: string | undefined
  /** The transaction's, where there is one. */
  readonly store?: Store
}

/**
 * Has the owner of the address ended this session, which began at an unproven address? They have once the address is
 * proven by mail, and when they signed in by a provider instead: then the account that began the session is gone.
 * @throws AdapterError when the store fails.
 */
export async function isEndedByOwner(settings: Settings, given: UserToCheck): Promise<boolean> {
  const { user, unprovenAccount, store = settings.store } = given
  // If proving the address deletes the sessions anyway, nothing more has to be read.
  const endsRows = settings.strategy === "database" && store.has("deleteSessionsByUserId")
  if (endsRows && unprovenAccount !== undefined && !user?.emailVerified) return false
  return hasOwnerArrived(settings, given)
}

/** The same, also where the row of such a session would be gone: one that is written at the same moment is not. */
export async function hasOwnerArrived(
  settings: Settings,
  { user, unprovenAccount, store = settings.store }: UserToCheck,
): Promise<boolean> {
  // A user who is gone is the concern of `verifyUser`.
  if (!user || unprovenAccount === undefined || !findsByAddress(settings.providers)) return false
  if (user.emailVerified) return true
  // Where only a mail link can prove the address, nothing more has to be read.
  if (!arrivesByProvider(settings.providers)) return false
  if (store.has("listAccountsByUserId"))
    return !(await find(await store.listAccountsByUserId(user.id), unprovenAccount))
  // Accounts of providers cannot be listed, and nothing removes them either.
  const providers = passkeyProviders(settings.providers)
  if (providers.length === 0 || !store.has("listAuthenticatorsByUserId")) return false
  const rows = await store.listAuthenticatorsByUserId(user.id)
  const keys = rows.flatMap(({ providerAccountId }) => providers.map((provider) => ({ provider, providerAccountId })))
  const key = await find(keys, unprovenAccount)
  if (!key) return false
  // An authenticator outlives its account.
  const owner = await store.getUserByAccount(key)
  return !owner || String(owner.id) !== String(user.id)
}

async function find(keys: readonly AccountKey[], unprovenAccount: string): Promise<AccountKey | undefined> {
  for (const key of keys) if ((await accountDigest(key)) === unprovenAccount) return key
  return undefined
}
