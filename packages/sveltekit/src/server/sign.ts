/** Signing in and out: as form actions, and called from the application's own code. */
import type { AnyText, AuthService, RedirectAnswer, SignInCall } from "@latchkey/core"
import { type AuthError, isAuthError } from "@latchkey/core/errors"
import { error as kitError, type RequestEvent, redirect } from "@sveltejs/kit"
import { actionSource, addressOf } from "./event.js"
import { fromPage, readForm, returnAddress } from "./form.js"
import { noteRefusal } from "./refusals.js"
import { checkedCall, type RouteCall, type RouteUpdateOptions, senderAt } from "./route-call.js"
import type { FindService } from "./service.js"
import type { SessionReader } from "./session-reader.js"

/** Where the person goes next. */
export interface SignResult {
  /** The address the person is sent to. */
  readonly redirect: string
}

interface Leaving {
  /** Where to go afterwards. @default the page the request came from, else home */
  readonly redirectTo?: string
  /** `false` leaves the answer to the caller. @default true */
  readonly redirect?: boolean
}

/** Options of `signOut` where code calls it, not a form. */
export interface SignOutOptions extends Leaving, RouteUpdateOptions {}

/** Options of `signIn` where code calls it, not a form. */
export interface SignInOptions<Id extends string = string> extends Leaving, RouteCall {
  /** Id of the provider. Without it the person is sent to the sign-in page. */
  readonly provider?: Id | AnyText
  /** Fields of the form: `email`, or those of the credentials. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Parameters for the authorization request. */
  readonly params?: Readonly<Record<string, string>>
}

/**
 * Begins a sign-in, for credentials completes it: sets the cookies and redirects with 303. As a form action it reads
 * the form: `providerId`, `redirectTo`, `redirect`, `authorizationParams-*`, and fields of the provider. With options
 * nothing is read; the sender of anything but a GET is checked, unless they say `trusted: true`.
 *
 * As a form action it throws `CredentialsSignin` when the credentials are wrong, and an `AuthError` for a fault; what
 * else a visitor can cause leads to the page that says so, a provider that does not exist to the sign-in page. With
 * options every failure is thrown as an `AuthError`.
 */
export type SignInAction<Id extends string = string> = (
  event: RequestEvent,
  options?: SignInOptions<Id>,
) => Promise<SignResult>

/**
 * Ends the session: sets the cookies and redirects with 303. As a form action it reads the form: `redirectTo` and
 * `redirect`, and leads to the page that says so when the form is refused. With options nothing is read; the
 * sender of anything but a GET is checked, unless they say `trusted: true`.
 *
 * Throws an `AuthError` when the session could not be removed; the cookie is cleared all the same.
 */
export type SignOutAction = (event: RequestEvent, options?: SignOutOptions) => Promise<SignResult>

/** What the actions work with. */
export interface SignParts {
  readonly findService: FindService
  readonly readerOf: (event: RequestEvent) => SessionReader
  /** The address of the application's first page. */
  readonly home: string
}

/** Makes both actions. */
export function createActions(parts: SignParts): { signIn: SignInAction; signOut: SignOutAction } {
  return {
    async signIn(event, options) {
      const { provider, fields, params, ...ask } = await questionOf(parts, event, options)
      const { service, given, call } = ask
      const source = actionSource(event)
      try {
        const answer = await service.signIn(source, provider, { ...given, fields, params })
        return leave(parts, event, { answer, call })
      } catch (error) {
        if (options || !isUnknownProvider(error)) throw thrownBy(error, options)
        // A form may name any provider: a wrong one leads to the choice on the sign-in page.
        return leave(parts, event, { answer: await service.signIn(source, undefined, given), call })
      }
    },
    async signOut(event, options) {
      const { service, given, call, fields } = await questionOf(parts, event, options)
      try {
        const answer = await service.signOut(actionSource(event), { ...given, fields })
        return leave(parts, event, { answer, call })
      } catch (error) {
        throw thrownBy(error, options)
      }
    },
  }
}

interface Question extends Pick<SignInOptions, "provider"> {
  readonly service: AuthService
  readonly fields: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
  readonly call: Pick<Leaving, "redirect">
  readonly given: Pick<SignInCall, "address" | "onRefusal" | "onThrow" | "redirectTo" | "sender">
}

/** What is asked: a call by code, which gets errors thrown, or a form, whose sender is shown a page. */
async function questionOf(
  { findService, home, readerOf }: SignParts,
  event: RequestEvent,
  options: SignInOptions | undefined,
): Promise<Question> {
  const service = await findService(event)
  const call = options ?? (await readForm(event))
  const { provider, fields = {}, params = {} } = call
  const redirectTo = fromPage(event, call.redirectTo ?? returnAddress(event, home), options ? "code" : "form")
  const asked = options
    ? checkedCall(event, service, options)
    : { sender: senderAt(event, service), onRefusal: "redirect" as const }
  const onThrow: SignInCall["onThrow"] = (cookies) => readerOf(event).write(cookies)
  const given = { redirectTo, onThrow, address: addressOf(event), ...asked }
  return { service, fields, params, call, given, ...(provider !== undefined && { provider }) }
}

function isUnknownProvider(error: unknown): boolean {
  return isAuthError(error) && error.type === "InvalidProvider"
}

/** A form that cannot be read has no page that says so but the application's own. */
function thrownBy(error: unknown, options: object | undefined): unknown {
  if (options || !isAuthError(error) || error.type !== "UnreadableRequest") return error
  const { status = 400 } = error as { status?: number }
  return kitError(status, "The form cannot be read.")
}

function leave(
  { readerOf }: SignParts,
  event: RequestEvent,
  { answer, call }: { readonly answer: RedirectAnswer; readonly call: Pick<Leaving, "redirect"> },
): SignResult {
  readerOf(event).change(answer.cookies)
  // ASCII only, or the header could not be written.
  const location = new URL(answer.redirect, event.url.origin).href
  const { refusal } = answer
  if (call.redirect === false) {
    const result = { redirect: location }
    return refusal ? noteRefusal(result, refusal) : result
  }
  return refusal ? leaveRefused(location, refusal) : seeOther(location)
}

function leaveRefused(location: string, refusal: AuthError): never {
  try {
    return seeOther(location)
  } catch (redirection) {
    throw noteRefusal(redirection as object, refusal)
  }
}

/** The service has checked the address; providers are at other origins, which SvelteKit 3 allows only when asked. */
function seeOther(location: string): never {
  const leaveFor: (status: 303, location: string, options: { external: boolean }) => never = redirect
  return leaveFor(303, location, { external: true })
}
