/** Whether a session rests on a recent sign-in where that is asked for, and the answer where it does not. */
import type { Context } from "../context/context.js"
import { resolveReturnTo } from "../context/return-to.js"
import { actionUrl } from "../context/urls.js"
import { ReauthenticationRequired } from "../errors.js"
import { wantsPage } from "../http/incoming.js"
import { json, type Result, redirect } from "../http/result.js"
import { unmetPolicy } from "../sessions/account-policy.js"
import { isActing } from "../sessions/acting.js"
import { selectControl } from "../sessions/control.js"
import { selectStrategy } from "../sessions/select.js"
import { withParams } from "../std/url.js"
import type { AdapterUser } from "../types/identity.js"
import type { Policy } from "../types/session-facts.js"

const tooOld =
  "The session does not meet the policy of adding a passkey: by default, a sign-in of the last 15 minutes. Let the person sign in again, then register it."

/** In the words of RFC 9470 §3: the person has to prove who they are once more. */
export function insufficient(context: Context, { acr, maxAge }: Policy): Result {
  const body = {
    error: "insufficient_user_authentication",
    message: "This needs a recent sign-in: sign in again, then repeat.",
    ...(acr !== undefined && { acr_values: acr }),
    ...(maxAge !== undefined && { max_age: maxAge }),
    url: actionUrl(context, "signin"),
  }
  return json(body, { status: 401 })
}

/** The sign-in page, which leads back to an address. */
export function signinUrlTo(context: Context, callbackUrl: string): string {
  return withParams(actionUrl(context, "signin"), { error: "SessionRequired", callbackUrl })
}

/** The stored user whose session the request carries, unless somebody else acts for them. */
export async function passkeyUser(context: Context): Promise<AdapterUser | undefined> {
  const current = await selectStrategy(context.settings).peek(context)
  return current && !(await isActing(context)) ? current.user : undefined
}

/** Has the session of the request a newer token by now, or ended since it was read? Then nothing is changed with this one. */
export async function isOvertaken(context: Context): Promise<boolean> {
  if (!context.settings.features.sessions) return false
  const here = await selectControl(context).current(context)
  return here === null || here.isReplaced
}

/** The answer to scripts then: another tab may have asked for the newer token, which the browser sends with the next request. */
export const overtaken = (): Result =>
  json(
    { error: "SessionRequired", message: "The token of this session has just been replaced: send the request again." },
    { status: 401 },
  )

/**
 * The answer to somebody who would add a passkey to a user they are signed in as, and has to sign in again first. Who is signed
 * out adds none to anybody.
 * @throws ReauthenticationRequired to a call in this process, which could not tell an answer from a sign-in
 */
export async function refusedRegistration(context: Context): Promise<Result | undefined> {
  const policy = (await passkeyUser(context)) && (await unmetPolicy(context))
  if (!policy) return undefined
  if (context.incoming.caller === "server") throw new ReauthenticationRequired(tooOld)
  if (!wantsPage(context.incoming)) return insufficient(context, policy)
  const hasPage = context.settings.features.passkeys !== undefined
  const returnTo = hasPage ? actionUrl(context, "passkeys") : await resolveReturnTo(context)
  return redirect(signinUrlTo(context, returnTo))
}
