/** Whether a session rests on a recent sign-in where that is asked for, and the answer where it does not. */
import type { Context } from "../context/context.js"
import { actionUrl } from "../context/urls.js"
import { wantsPage } from "../http/incoming.js"
import { json, type Result, redirect } from "../http/result.js"
import { isActing } from "../sessions/acting.js"
import { selectControl } from "../sessions/control.js"
import { meets } from "../sessions/policy.js"
import { selectStrategy } from "../sessions/select.js"
import { withParams } from "../std/url.js"
import type { AdapterUser } from "../types/identity.js"
import type { Policy } from "../types/session-facts.js"

/** What is asked where the application names no policy. */
export const usualPolicy: Policy = { maxAge: 900, passive: true }

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

/** The policy of passkeys, where the session of the request does not meet it. Of what a session rests on that cannot be known, nothing counts. */
export async function unmetByPasskeys(context: Context): Promise<Policy | undefined> {
  const { passkeys } = context.settings.features
  if (!passkeys) return undefined
  const policy = passkeys.policy ?? usualPolicy
  const here = await selectControl(context).current(context)
  return meets(here?.facts ?? { id: "", startedAt: 0, proofs: [] }, policy, context.now) ? undefined : policy
}

/** The answer to somebody who would add a passkey to a user they are signed in as, and has to sign in again first. Who is signed out adds none to anybody. */
export async function refusedRegistration(context: Context): Promise<Result | undefined> {
  const policy = (await passkeyUser(context)) && (await unmetByPasskeys(context))
  if (!policy) return undefined
  return wantsPage(context.incoming)
    ? redirect(signinUrlTo(context, actionUrl(context, "passkeys")))
    : insufficient(context, policy)
}
