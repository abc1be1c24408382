/** Who registers a passkey: the user of the session that the options were made in, or somebody new. */
import { passkeyProviders } from "../../config/email-proof.js"
import { randomUuid } from "../../crypto/token.js"
import { isActing } from "../../sessions/acting.js"
import { selectStrategy } from "../../sessions/select.js"
import type { CurrentSession } from "../../sessions/strategy.js"
import type { AdapterUser, User } from "../../types/identity.js"
import type { Proof } from "../method.js"
import { sessionBinding } from "../session-binding.js"
import { expectRemovable, type PasskeyContext } from "./party.js"

/**
 * Who registers: the same person, signed in or not, that the options were made for. Where the user of the session is deleted from
 * here on, nobody is made under their id.
 */
export async function registrantOf(
  context: PasskeyContext,
  registerData: unknown,
): Promise<Pick<Proof, "user" | "begunBy">> {
  if (typeof registerData !== "object" || registerData === null)
    throw new Error("The challenge was made for signing in.")
  const data = registerData as User
  const currentSession = await selectStrategy(context.settings).peek(context)
  if (String(currentSession?.user.id ?? "") !== String(data.id ?? ""))
    throw new Error("The challenge was made for another user.")
  if (currentSession) {
    if (await isActing(context)) throw new Error("Somebody acts for the user, and cannot register a passkey.")
    if (await hasAllPasskeys(context, currentSession.user))
      throw new Error("The user has as many passkeys as one may have.")
    const session = await bindingFor(context, currentSession, data)
    return { user: currentSession.user, begunBy: { kind: "somebody", id: String(currentSession.user.id), session } }
  }
  expectRemovable(context)
  return { user: { ...data, id: randomUuid() }, begunBy: { kind: "nobody" } }
}

/** A longer list would only make responses larger; nobody has so many. */
export const mostPasskeys = 64

/**
 * Has the user as many passkeys as one may have? A stranger can register any number at an address that is not proven, and its
 * owner's first sign-in removes them one at a time. Those that sign in count: an authenticator may outlive its account.
 */
export async function hasAllPasskeys(
  { settings: { providers, store } }: PasskeyContext,
  { id }: Pick<AdapterUser, "id">,
): Promise<boolean> {
  if (!store.has("listAccountsByUserId")) return false
  const names = passkeyProviders(providers)
  const accounts = await store.listAccountsByUserId(id)
  return accounts.filter(({ provider }) => names.includes(provider)).length >= mostPasskeys
}

/** Auth.js seals nothing of the session: a registration may be under way while an application moves here. */
async function bindingFor(context: PasskeyContext, current: CurrentSession, data: object): Promise<string> {
  const session = await sessionBinding(context, current)
  if (session === null || ("session" in data && data.session !== session))
    throw new Error("The challenge was made in another session of the user.")
  return session
}
