/**
 * What a flow at a provider, or the registration of a passkey, is bound to when it begins in a session. Whoever has been in a
 * session of a user could otherwise begin one, and have it finished in a later session of that user: with the thief's account or
 * passkey, though the session that it began in has ended.
 */
import { passkeyProviders, unverifyingProviders } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import { sha256 } from "../crypto/token.js"
import type { Store } from "../ports/store.js"
import { isOwnToken } from "../sessions/current-session.js"
import type { CurrentSession, SessionHere } from "../sessions/strategy.js"
import { toBase64url } from "../std/bytes.js"
import { fromModule } from "../std/lazy.js"
import { provesEmail } from "./policy.js"

const selectControl = fromModule(
  () => import("../sessions/control.js"),
  (module) => module.selectControl,
)

/**
 * A digest of what is known of the current session: 22 characters, or none where nothing is. It stays the same when an account is
 * added. Where facts of sessions are kept, it is another one after the next sign-in, and where sessions are managed, also once
 * the session has a new token. In any case it is another one once the owner of an unproven address has arrived. `null` where somebody
 * acts for the user, with a token that has been replaced, and once the session has ended: nothing that begins there is finished.
 */
export async function sessionBinding(context: Context, current: CurrentSession): Promise<string | null> {
  const { features, store } = context.settings
  const here = features.keepsFacts ? await (await selectControl(context)).current(context) : undefined
  if (here === null || here?.isReplaced || here?.facts.actor !== undefined) return null
  const beginning = here && beginningOf(here, features.sessions !== undefined)
  const isUnsaid = await mayBeUnproven(context, current, store)
  const { unprovenAccount } = current
  if (beginning === undefined && unprovenAccount === undefined && !isUnsaid) return ""
  // Where a session says nothing of how it began, it is known by its token, which is another one after the next sign-in.
  const digest = await sha256(JSON.stringify([unprovenAccount, isUnsaid && (current.token ?? true), beginning]))
  return toBase64url(digest.subarray(0, 16))
}

/**
 * How the session began, which an added account does not change. Of a session from before facts were kept, or whose token does not
 * carry them, nothing stays the same. Without a record the next session may have begun in the same second.
 */
function beginningOf({ facts, chainId }: SessionHere, isManaged: boolean): unknown {
  if (facts.proofs.length === 0) return undefined
  const proofs = facts.proofs.map(({ how, provider, at }) => [how, provider, at])
  return [isManaged ? chainId : null, facts.startedAt, proofs]
}

/**
 * May a session have begun at an unproven address, where the application or Auth.js has made the token, or the application seals
 * it and may keep the claims alone that it knows? Not where every account of the user proves the address. A passkey that it
 * began with can be gone by now; accounts that cannot be listed may be any.
 */
export async function mayBeUnproven(context: Context, { token, user }: CurrentSession, store: Store): Promise<boolean> {
  const { features, options, providers } = context.settings
  const saysItself =
    token === undefined
      ? options["jwt.encode"] === undefined
      : options["session.generateSessionToken"] === undefined && isOwnToken(token)
  if (saysItself) return false
  if (!user.email || user.emailVerified) return false
  // Those that can be listed are all looked at: a provider that is no longer configured may have begun the session.
  if (!store.has("listAccountsByUserId"))
    return passkeyProviders(providers).length > 0 || unverifyingProviders(providers).length > 0
  const accounts = await store.listAccountsByUserId(user.id)
  // A row without an account began with one that has gone, or with a password at an address that nobody has proven.
  if (accounts.length === 0) return token !== undefined || features.names.includes("passkeys")
  return !accounts.every((account) => provesEmail(context, account))
}
