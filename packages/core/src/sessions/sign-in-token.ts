/** The token of a session that begins. */
import type { Context } from "../context/context.js"
import type { JWT } from "../types/token.js"
import { askJwt, followPicture } from "./callbacks.js"
import { keepClaim, withoutDigest } from "./facts-claim.js"
import type { Login } from "./strategy.js"

/** Makes the token of a person who was admitted. `lk`: what the claim of this name says of the session. */
export async function passSignIn(
  context: Context,
  { user, account, profile, isNew, unprovenAccount }: Login,
  lk: unknown = unprovenAccount,
): Promise<JWT | null> {
  const { name, email, image, id } = user
  const { config, exposed, features } = context.settings
  // The empty string stands for "no address" in the store and means nothing here.
  const shown = { name, email: email === "" ? null : email, picture: image, image } as JWT
  const first = exposed.length === 0 ? shown : { ...exposedOf(user, exposed), ...shown }
  if (id !== undefined) first.sub = String(id)
  if (lk !== undefined) first["lk"] = lk
  // The default would return the same claims.
  if (!config.callbacks?.jwt) return first
  const answer = await askJwt(context, {
    token: { ...withoutDigest(first) },
    user,
    account,
    ...(profile && { profile }),
    ...(isNew !== undefined && { isNewUser: isNew }),
    trigger: isNew ? "signUp" : "signIn",
  })
  return answer && keepClaim(followPicture(answer, first), first, features)
}

/** The user is only known at sign-in, so what clients see of it later is kept in the token. `sub` is the id. */
function exposedOf(user: object, exposed: readonly string[]): object {
  const members = Object.entries(user).filter(([member]) => member !== "id" && exposed.includes(member))
  return Object.fromEntries(members)
}
