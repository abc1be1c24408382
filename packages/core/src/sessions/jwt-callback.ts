/** The jwt callback: what it is given at sign-in and at each access, and what its answer means for the token. */
import type { Context } from "../context/context.js"
import type { CallbacksOptions } from "../types/hooks.js"
import type { JWT } from "../types/token.js"
import { askCallback } from "./callback.js"
import { keepMark } from "./mark.js"
import type { Update } from "./present.js"
import type { Login } from "./strategy.js"
import { fingerprint, followPicture, isClaims } from "./token.js"

type JWTParams = Parameters<CallbacksOptions["jwt"]>[0]

/** The token after the callback; `null` ends the session. */
export interface Passed {
  readonly token: JWT | null
  /** Something in it is new: unless it is sealed, what the callback did is lost. */
  readonly isChanged: boolean
}

/** Passes the claims of an access through the callback. Where the application has none, nothing can change. */
export async function passAccess(context: Context, claims: JWT, update: Update | undefined): Promise<Passed> {
  if (!context.settings.config.callbacks?.jwt) return { token: claims, isChanged: false }
  // Taken before the callback, which may write to what it is given.
  const before = fingerprint(claims)
  const answer = await ask(context, {
    token: { ...claims },
    ...(update && { trigger: "update", ...(update.data !== undefined && { session: update.data }) }),
  })
  if (!answer) return { token: null, isChanged: true }
  const token = keepMark(followPicture(answer, claims), claims)
  return { token, isChanged: fingerprint(token) !== before }
}

/** Makes the token of a person who was let in. */
export async function passSignIn(
  context: Context,
  { user, account, profile, isNew, mark }: Login,
): Promise<JWT | null> {
  const { name, email, image, id } = user
  const subject = id === undefined ? {} : { sub: String(id) }
  // The empty text stands for "no address" in the store and means nothing here.
  const shown = { name, email: email === "" ? null : email, picture: image, image }
  const first = { ...shown, ...subject, ...(mark !== undefined && { lk: mark }) } as JWT
  const answer = await ask(context, {
    token: { ...first },
    user,
    account,
    ...(profile && { profile }),
    ...(isNew !== undefined && { isNewUser: isNew }),
    trigger: isNew ? "signUp" : "signIn",
  })
  return answer && keepMark(followPicture(answer, first), first)
}

function ask(context: Context, params: object): Promise<JWT | null> {
  return askCallback(context, "jwt", {
    ask: () => context.settings.callbacks.jwt(params as JWTParams),
    isFit: (answer) => answer === null || isClaims(answer),
    expected: "the token or null",
    given:
      "user" in params ? "" : "Outside a sign-in it is given `token` alone, without `user`, `account` and `profile`.",
  })
}
