/** The passkeys of a user: listed, named and removed; and the signals by which a browser offers none that is refused (WebAuthn Level 3 §5.1.10). */
import { openClaims, sealClaims } from "../../checks/sealed.js"
import { hasMail, ownerMayArrive, passkeyProviders } from "../../config/email-proof.js"
import type { Context } from "../../context/context.js"
import { AdapterError, isAuthError } from "../../errors.js"
import {
  beginRemoval,
  forgetPasskeyNote,
  type PasskeyNote,
  readPasskeyNote,
  writePasskeyNote,
} from "../../ledger/passkey.js"
import { asError } from "../../ports/thrown.js"
import { ledgerOf, orLogged } from "../../sessions/managed.js"
import { toBase64url } from "../../std/bytes.js"
import type { AccountKey, AdapterAccount, AdapterAuthenticator } from "../../types/adapter.js"
import type { AdapterUser } from "../../types/identity.js"
import type { PasskeyEntry, PasskeyRemoval, PasskeySignal } from "../../types/passkeys.js"
import { handleOf } from "./keyed.js"
import { nameOfModel } from "./models.js"
import { partyOf } from "./party.js"
import { labelsOf, named, storedId } from "./stored.js"

/** So many look-ups of one list run at once: nothing bounds how many authenticators a user has, and removed ones may leave their row. */
const atOnce = 10

/** The passkeys that sign a user in: those that have an account of a configured provider. */
export async function listPasskeys(context: Context, user: AdapterUser): Promise<readonly PasskeyEntry[]> {
  const rows = await context.settings.store.listAuthenticatorsByUserId(user.id)
  const providerOf = await ownersOf(context, user)
  const entries: (PasskeyEntry | undefined)[] = []
  for (let start = 0; start < rows.length; start += atOnce) {
    const some = rows.slice(start, start + atOnce)
    entries.push(...(await Promise.all(some.map((row) => entryOf(context, row, providerOf)))))
  }
  return entries.filter((entry) => entry !== undefined)
}

type ProviderOf = (providerAccountId: string) => Promise<string | undefined>

async function entryOf(
  context: Context,
  row: AdapterAuthenticator,
  providerOf: ProviderOf,
): Promise<PasskeyEntry | undefined> {
  const provider = await providerOf(row.providerAccountId)
  if (provider === undefined) return undefined
  const { name, model, addedAt, usedAt } = await readPasskeyNote(ledgerOf(context), row.credentialID)
  const keptBy = nameOfModel(model)
  return {
    id: named(row).id,
    provider,
    isSynced: row.credentialBackedUp,
    ...(name !== undefined && { name }),
    ...(keptBy !== undefined && { keptBy }),
    ...(addedAt !== undefined && { addedAt: new Date(addedAt * 1000) }),
    ...(usedAt !== undefined && { usedAt: new Date(usedAt * 1000) }),
  }
}

/** Finds the provider of a passkey of this user: in one list of accounts, where there is one. */
async function ownersOf({ settings: { providers, store } }: Context, user: AdapterUser): Promise<ProviderOf> {
  const names = passkeyProviders(providers)
  if (store.has("listAccountsByUserId")) {
    const accounts = await store.listAccountsByUserId(user.id)
    const ids = names.map(
      (name) => new Set(accounts.flatMap((one) => (one.provider === name ? one.providerAccountId : []))),
    )
    return async (id) => names.find((_, index) => ids[index]?.has(id))
  }
  return async (id) => {
    for (const name of names) {
      const account = await store.getAccount(id, name)
      if (account && String(account.userId) === String(user.id)) return name
    }
    return undefined
  }
}

/** More characters than a list can show are cut off. */
const longestName = 64

/** Names a passkey of the user. `false`: there is no such passkey, or the name is empty. */
export async function renamePasskey(
  context: Context,
  user: AdapterUser,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const text = [...name.replaceAll(/[\s\p{C}]+/gu, " ").trim()].slice(0, longestName).join("")
  const entry = (await listPasskeys(context, user)).find((passkey) => passkey.id === id)
  if (!entry || text === "") return false
  const given = { credentialID: storedId(id), userId: String(user.id), note: { name: text } }
  return writePasskeyNote(ledgerOf(context), given)
}

/** Removes a passkey of the user: it signs nobody in any more. The last way in goes only when `evenLast` says so. */
export async function removePasskey(
  context: Context,
  user: AdapterUser,
  { id, evenLast }: { readonly id: string; readonly evenLast: boolean },
): Promise<PasskeyRemoval> {
  const passkeys = await listPasskeys(context, user)
  const entry = passkeys.find((passkey) => passkey.id === id)
  if (!entry) return "absent"
  if (evenLast || (await hasOtherWay(context, user))) return removeStored(context, entry)
  if (passkeys.length === 1) return "last"
  const removal = await beginRemoval(ledgerOf(context), String(user.id))
  try {
    // Each removal counts before it looks, so one of two sees both: a process that dies on the way leaves a passkey.
    if ((await listPasskeys(context, user)).length <= removal.count) return "last"
    return await removeUnlessLast(context, user, entry)
  } finally {
    await orLogged(context.log, removal.finish)
  }
}

/** Looks again afterwards: a removal that took longer than it is counted may have met another one. */
async function removeUnlessLast(context: Context, user: AdapterUser, entry: PasskeyEntry): Promise<PasskeyRemoval> {
  if (ownerMayTake(context, user)) return removeStored(context, entry)
  const key = { provider: entry.provider, providerAccountId: storedId(entry.id) }
  const before = await readPair(context, user, key)
  await context.settings.store.unlinkAccount(key)
  if ((await listPasskeys(context, user)).length === 0) {
    await putBack(context, before)
    return "last"
  }
  await forgetPasskeyNote(ledgerOf(context), key.providerAccountId)
  return "removed"
}

/**
 * May the owner of the address come at this moment and take all passkeys away? Then none is put back: it would open the account
 * of the owner, and whatever is looked at afterwards, a process that dies before leaves it there.
 */
function ownerMayTake({ settings }: Context, { email, emailVerified }: AdapterUser): boolean {
  return Boolean(email) && !emailVerified && ownerMayArrive(settings.providers)
}

/** An authenticator without its account signs nobody in, also where the adapter keeps the row. */
async function removeStored(context: Context, { id, provider }: PasskeyEntry): Promise<PasskeyRemoval> {
  const providerAccountId = storedId(id)
  await context.settings.store.unlinkAccount({ provider, providerAccountId })
  await forgetPasskeyNote(ledgerOf(context), providerAccountId)
  return "removed"
}

/** What makes a passkey sign its user in. */
interface Pair {
  readonly account: AdapterAccount | null
  readonly authenticator: AdapterAuthenticator | undefined
}

async function readPair(
  { settings: { store } }: Context,
  user: AdapterUser,
  { provider, providerAccountId }: AccountKey,
): Promise<Pair> {
  const account = await store.getAccount(providerAccountId, provider)
  const rows = await store.listAuthenticatorsByUserId(user.id)
  return { account, authenticator: rows.find(({ credentialID }) => credentialID === providerAccountId) }
}

/** Some adapters remove the authenticator with its account. */
async function putBack({ settings: { store } }: Context, { account, authenticator }: Pair): Promise<void> {
  if (!account || !authenticator) return
  if (!(await store.getAccount(account.providerAccountId, account.provider))) await store.linkAccount(account)
  if (!(await store.getAuthenticator(authenticator.credentialID))) await store.createAuthenticator(authenticator)
}

/** Would the user be locked out without the one passkey that is left? */
export async function isLastWay(
  context: Context,
  user: AdapterUser,
  passkeys: readonly PasskeyEntry[],
): Promise<boolean> {
  return passkeys.length === 1 && !(await hasOtherWay(context, user))
}

/** Can the user sign in without passkeys? An adapter that lists no accounts cannot tell of other services. */
async function hasOtherWay({ settings }: Context, user: AdapterUser): Promise<boolean> {
  const { providers, store } = settings
  if (user.email && hasMail(providers)) return true
  if (!store.has("listAccountsByUserId")) return false
  const accounts = await store.listAccountsByUserId(user.id)
  return accounts.some(({ provider }) => {
    const type = providers.get(provider)?.type
    return type === "oauth" || type === "oidc"
  })
}

/** Notes something of a passkey while it is used, where the feature is on. A store that fails must not stop the sign-in: that is logged. */
export async function notePasskey(
  context: Context,
  given: { readonly credentialID: string; readonly userId: string; readonly note: PasskeyNote },
): Promise<void> {
  if (!context.settings.features.names.includes("passkeys")) return
  try {
    await writePasskeyNote(ledgerOf(context), given)
  } catch (error) {
    const message = "What a passkey was used for could not be noted."
    context.log.error(isAuthError(error) ? error : new AdapterError(message, { cause: { err: asError(error) } }))
  }
}

/**
 * One signal for each relying party. Passkeys that were registered before there was a user have a handle of their own,
 * which no signal names: a browser keeps those until it learns that one of them is unknown.
 */
export async function passkeySignals(context: Context, user: AdapterUser): Promise<readonly PasskeySignal[]> {
  const passkeys = await listPasskeys(context, user)
  const userId = toBase64url(await handleOf(context, user.id))
  return [...new Set(partyIds(context))].map((rpId) => ({
    rpId,
    userId,
    ...labelsOf(user),
    allAcceptedCredentialIds: passkeys.map(({ id }) => id),
  }))
}

function partyIds(context: Context): readonly string[] {
  return [...context.settings.providers.values()].flatMap((provider) =>
    provider.type === "webauthn" ? [partyOf({ ...context, provider }).id] : [],
  )
}

const removalSalt = "removed-passkey"

/** Says in an address that the user removed this passkey here. */
export function sealRemoval(context: Context, user: AdapterUser, id: string): Promise<string> {
  return sealClaims(context, removalSalt, { removed: id, user: String(user.id) })
}

/**
 * The passkey that {@link sealRemoval} named for this user, while it signs nobody in: only that one may a browser be asked to
 * hide. An id alone is not taken: one that is unknown here may be another application's, which shares the relying party.
 */
export async function openRemoval(context: Context, user: AdapterUser, sealed: string): Promise<string | undefined> {
  const failure = "The removed passkey cannot be read."
  const claims = await openClaims(context, removalSalt, { sealed, failure }).catch(() => undefined)
  const id = claims?.["removed"]
  if (typeof id !== "string" || claims?.["user"] !== String(user.id)) return undefined
  return (await isUnknownPasskey(context, id)) ? id : undefined
}

/** It may have been registered again since. */
async function isUnknownPasskey({ settings }: Context, id: string): Promise<boolean> {
  const providers = passkeyProviders(settings.providers)
  const accounts = await Promise.all(providers.map((provider) => settings.store.getAccount(storedId(id), provider)))
  return accounts.every((account) => !account)
}
