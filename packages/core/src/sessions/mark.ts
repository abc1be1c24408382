/** The mark of a session that began at an unproven address: it ends once the owner of the address arrives. */
import { arrivesByProvider, hasPasskeys } from "../config/email-proof.js"
import type { Settings } from "../config/settings.js"
import { sha256 } from "../crypto/token.js"
import type { Store } from "../ports/store.js"
import { toBase64url } from "../std/bytes.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import type { JWT } from "../types/token.js"

const shape = /^[\w-]{22}$/
const marked = /^[0-9a-f]{64}-lk-([\w-]{22})$/

/** The mark of a session that this account began: 22 characters that do not reveal the account. */
export async function markOf({ provider, providerAccountId }: AccountKey): Promise<string> {
  const digest = await sha256(JSON.stringify([provider, String(providerAccountId)]))
  return toBase64url(digest.subarray(0, 16))
}

/** The mark in a claim, if it is one. */
export function readMark(claim: unknown): string | undefined {
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

/**
 * Is a marked session over? It is when the address of its user is proven by mail, and when the owner came by a provider
 * instead: then the account that began the session is not there any more.
 * @throws AdapterError when the store fails.
 */
export async function isMarkOver(
  { store, settings }: { readonly store: Store; readonly settings: Settings },
  { user, mark }: { readonly user: AdapterUser | null; readonly mark: string },
): Promise<boolean> {
  // Whether a session outlives its user is not for the mark to say.
  if (!user) return false
  if (user.emailVerified) return true
  // Where an arrival ends the rows, or only mail links arrive, there is nothing more to ask.
  const endsRows = settings.strategy === "database" && store.has("deleteSessionsByUserId")
  if (endsRows || !arrivesByProvider(settings.providers)) return false
  const key = await accountOf({ store, settings }, { user, mark })
  if (key === "unknown") return false
  return key === undefined || (await isForeign(store, user, key))
}

type Found = AccountKey | "unknown" | undefined

/** The account behind the mark, where the adapter can list it. */
async function accountOf(
  { store, settings }: { readonly store: Store; readonly settings: Settings },
  { user, mark }: { readonly user: AdapterUser; readonly mark: string },
): Promise<Found> {
  if (store.has("listAccountsByUserId")) return find(await store.listAccountsByUserId(user.id), mark)
  if (!hasPasskeys(settings.providers) || !store.has("listAuthenticatorsByUserId")) return "unknown"
  const passkeys = [...settings.providers.values()].filter(({ type }) => type === "webauthn")
  const rows = await store.listAuthenticatorsByUserId(user.id)
  const keys = rows.flatMap(({ providerAccountId }) =>
    passkeys.map(({ id: provider }) => ({ provider, providerAccountId })),
  )
  // Accounts of providers cannot be listed, and nothing removes them either.
  return (await find(keys, mark)) ?? "unknown"
}

async function find(keys: readonly AccountKey[], mark: string): Promise<AccountKey | undefined> {
  for (const key of keys) if ((await markOf(key)) === mark) return key
  return undefined
}

/** An authenticator outlives its account. */
async function isForeign(
  store: Store,
  user: AdapterUser,
  { provider, providerAccountId }: AccountKey,
): Promise<boolean> {
  if (store.has("listAccountsByUserId")) return false
  const owner = await store.getUserByAccount({ provider, providerAccountId })
  return !owner || String(owner.id) !== String(user.id)
}
