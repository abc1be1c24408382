/** Calls of this process that change something: loaded by the first of them. */
import { asAuthError } from "../actions/thrown.js"
import type { Settings } from "../config/settings.js"
import { type AuthError, errorRow, isCredentialsSignin } from "../errors.js"
import type { AuthAction } from "../http/endpoints.js"
import { type Call, craftIncoming, type Incoming } from "../http/incoming.js"
import { mayFollow } from "../http/outgoing.js"
import type { Cookie } from "../types/config.js"
import type { Session } from "../types/session.js"
import { asChanged, type Called, handOver } from "./changed-source.js"
import { type Outcome, run, withAddress } from "./pipeline.js"
import type { RedirectAnswer, SessionAnswer, SignInCall, SignOutCall, UpdateCall } from "./public.js"

function incomingOf(called: Called, call: Call, settings: Settings): Incoming {
  return craftIncoming(asChanged(called, settings), call, settings)
}

/** {@link AuthService.update} */
export async function update(
  { data, call, ...from }: Called & { data: unknown; call: UpdateCall },
  settings: Settings,
): Promise<SessionAnswer> {
  const { fields, sender } = call
  const asked = { action: "session", method: "POST", form: { ...fields, data }, sender } as const
  const outcome = await run(incomingOf(from, asked, settings), settings)
  // In this process a failure is thrown to the caller, who decides what to do with it.
  if (outcome.error !== undefined) {
    call.onThrow?.(cookiesOf(outcome, from))
    throw asAuthError(outcome.context, outcome.error)
  }
  const { reply } = outcome.result
  return { session: reply.kind === "json" ? (reply.body as Session | null) : null, cookies: cookiesOf(outcome, from) }
}

/** {@link AuthService.signIn} */
export async function signIn(
  { provider, call, ...from }: Called & { provider: string | undefined; call: SignInCall },
  settings: Settings,
): Promise<RedirectAnswer> {
  const callbackUrl = call.redirectTo === undefined ? {} : { callbackUrl: call.redirectTo }
  // Applications hand on what a visitor has sent: what is not a string names no provider.
  const id = provider === undefined || typeof provider === "string" ? provider : typeof provider
  const action: AuthAction = id !== undefined && finishesAtOnce(settings, id) ? "callback" : "signin"
  const incoming = incomingOf(
    from,
    {
      action,
      ...(id !== undefined && { provider: id }),
      method: "POST",
      query: call.params ?? {},
      form: { ...call.fields, ...callbackUrl },
      sender: call.sender,
    },
    settings,
  )
  return answerTo(await run(withAddress(incoming, call.address), settings), from, call)
}

function finishesAtOnce(settings: Settings, provider: string): boolean {
  const type = settings.providers.get(provider)?.type
  return type === "credentials" || type === "webauthn"
}

/** {@link AuthService.signOut} */
export async function signOut(
  { call, ...from }: Called & { call: SignOutCall },
  settings: Settings,
): Promise<RedirectAnswer> {
  const { fields, redirectTo, sender } = call
  const form = { ...fields, ...(redirectTo !== undefined && { callbackUrl: redirectTo }) }
  const incoming = incomingOf(from, { action: "signout", method: "POST", form, sender }, settings)
  return answerTo(await run(incoming, settings), from, call)
}

function answerTo(outcome: Outcome, from: Called, { onRefusal = "throw", onThrow }: SignOutCall): RedirectAnswer {
  if (outcome.error === undefined) return redirectOf(outcome, from)
  const refusal = asAuthError(outcome.context, outcome.error)
  const { result } = outcome
  if (onRefusal === "redirect" && result.reply.kind === "redirect" && !isForCaller(refusal)) {
    return { ...redirectOf(outcome, from), refusal }
  }
  onThrow?.(cookiesOf(outcome, from))
  throw refusal
}

/** Wrong credentials are shown by the form itself, faults by whatever the caller shows faults with. */
function isForCaller(error: AuthError): boolean {
  return isCredentialsSignin(error) || errorRow(error).fault
}

function redirectOf(outcome: Outcome, from: Called): RedirectAnswer {
  const { reply } = outcome.result
  const { origin } = outcome.context.incoming
  const isFit = reply.kind === "redirect" && mayFollow(reply.location, origin)
  return { redirect: isFit ? reply.location : origin, cookies: cookiesOf(outcome, from) }
}

function cookiesOf({ result, context }: Outcome, from: Called): readonly Cookie[] {
  return handOver(from, result.cookies, context)
}
