/** Whether the session of a token has ended, though the token itself is valid. */
import { findsByAddress } from "../config/email-proof.js"
import type { Settings } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { fromModule } from "../std/lazy.js"
import type { Awaitable } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { readClaim } from "./facts-claim.js"

/** Asks the store, so its code is loaded by the first session that needs it. */
const isUserGone = fromModule(
  () => import("./current-session.js"),
  (module) => module.isUserGone,
)

/**
 * Has the session of a token ended? It has when its user was deleted, where `session.verifyUser` asks for that, and when
 * the owner of its unproven address has proven the address. Without a store the sealed token is trusted.
 */
export function isTokenOver({ settings }: Context, claims: JWT, endsWithUser: boolean = false): Awaitable<boolean> {
  const verifyUser = settings.options["session.verifyUser"] === true || endsWithUser
  const unprovenAccount = unprovenAccountOf(settings, claims)
  if (!verifyUser && unprovenAccount === undefined) return false
  return isUserGone(settings, { claims, verifyUser, unprovenAccount })
}

/** Nobody comes as the owner of an address where users are not found by it: then the store is not asked. */
function unprovenAccountOf({ providers, store }: Settings, claims: JWT): string | undefined {
  const { unprovenAccount } = readClaim(claims["lk"])
  return unprovenAccount !== undefined && store.has("getUser") && findsByAddress(providers)
    ? unprovenAccount
    : undefined
}
