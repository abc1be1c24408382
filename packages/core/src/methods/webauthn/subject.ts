/** Who a ceremony is for, and which ceremony it is. */
import type { Context } from "../../context/context.js"
import { MissingAdapterMethods } from "../../errors.js"
import { selectStrategy } from "../../sessions/jwt.js"
import type { AdapterUser, User } from "../../types/identity.js"
import { normalizeAddress } from "../email/address.js"
import { callbackOptions, callbackRequest, type PasskeyContext } from "./party.js"
import type { Ceremony } from "./response.js"

/** Who asks: a signed-in user, a visitor who names a user (stored or not), or a visitor who names none. */
export type Subject =
  | { readonly kind: "member"; readonly user: AdapterUser }
  | { readonly kind: "known"; readonly user: User | AdapterUser; readonly email: string }
  | { readonly kind: "unknown"; readonly user: Omit<User, "id">; readonly email: string }
  | { readonly kind: "nobody" }

/** Finds out who asks. Signed out, the provider's `getUserInfo` says who is meant; by default it goes by the address. */
export async function subjectOf(context: PasskeyContext): Promise<Subject> {
  const presence = await selectStrategy(context.settings).peek(context)
  if (presence) return { kind: "member", user: presence.user }
  const query = queryOf(context)
  const { config } = context.provider
  const options = callbackOptions(context)
  if (config.getUserInfo) {
    const info = await config.getUserInfo(options, callbackRequest(context, query))
    const email = info?.user.email
    if (!info || !email) return { kind: "nobody" }
    return info.exists ? { kind: "known", user: info.user, email } : { kind: "unknown", user: info.user, email }
  }
  const { email } = query
  if (!email) return { kind: "nobody" }
  const user = await options.adapter.getUserByEmail?.(email)
  return user ? { kind: "known", user, email } : { kind: "unknown", user: { email }, email }
}

/** The query with the address in its one spelling; what is no address is left out. */
function queryOf({ incoming }: Context): Readonly<Record<string, string>> {
  const { email, ...rest } = incoming.query
  if (email === undefined) return rest
  try {
    return { ...rest, email: normalizeAddress(email) }
  } catch {
    return rest
  }
}

/**
 * The ceremony for what was asked, or nothing. Signed out, the answer depends on what was asked and never on
 * whether the address is registered.
 */
export function ceremonyFor(asked: Ceremony | undefined, subject: Subject["kind"]): Ceremony | undefined {
  if (subject === "member") return asked
  if (asked !== "register") return "authenticate"
  return subject === "nobody" ? undefined : "register"
}

/** A passkey for an unproven address must be removable when its owner arrives. */
export function expectRemovable({ settings }: Context): void {
  if (settings.store.has("unlinkAccount")) return
  throw new MissingAdapterMethods(
    "Registering a passkey without being signed in needs `unlinkAccount` of the adapter: it removes the passkey when the owner of the address arrives.",
  )
}
