/** Signing in and out: as form actions, and called from the application's own code. */
import type { RedirectAnswer } from "@latchkey/core"
import { type RequestEvent, redirect } from "@sveltejs/kit"
import { setCookies } from "./cookies.js"
import { actionSource } from "./event.js"
import { type AuthForm, fromPage, readForm, returnAddress } from "./form.js"
import { senderOf } from "./sender.js"
import type { FindService } from "./service.js"
import type { SessionReader } from "./session-reader.js"

/** Where the person goes next. */
export interface SignResult {
  readonly redirect: string
}

/** What `signOut` is told by code instead of a form. */
export interface SignOutOptions {
  /** Where to go afterwards. @default the page the request came from, else home */
  readonly redirectTo?: string
  /** `false` leaves the answer to the caller. @default true */
  readonly redirect?: boolean
}

/** What `signIn` is told by code instead of a form. */
export interface SignInOptions extends SignOutOptions {
  /** Id of the provider. Without it the person is sent to the sign-in page. */
  readonly provider?: string
  /** Fields of the form: `email`, or those of the credentials. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Parameters for the authorization request. */
  readonly params?: Readonly<Record<string, string>>
}

/**
 * Begins a sign-in, for credentials completes it: sets the cookies and redirects with 303. As a form action it reads
 * the form: `providerId`, `redirectTo`, `redirect`, `authorizationParams-*`, and fields of the provider. With options
 * nothing is read and the caller is trusted to have protected itself against forged requests.
 *
 * Throws an `AuthError` when the sign-in fails, `CredentialsSignin` when the credentials are wrong.
 */
export type SignInAction = (event: RequestEvent, options?: SignInOptions) => Promise<SignResult>

/**
 * Ends the session: sets the cookies and redirects with 303. As a form action it reads the form: `redirectTo` and
 * `redirect`. With options nothing is read and the caller is trusted.
 *
 * Throws an `AuthError` when the session could not be removed.
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
  const { findService, home } = parts
  return {
    async signIn(event, options) {
      const service = await findService(event)
      const call = options ?? (await readForm(event))
      const { provider, fields = {}, params = {} } = call
      const redirectTo = fromPage(event, call.redirectTo ?? returnAddress(event, home), options ? "code" : "form")
      const sender = options
        ? {}
        : { sender: senderOf(event.request, [service.settings.fixedOrigin, event.url.origin]) }
      const given = { fields, params, redirectTo, ...sender }
      return leave(parts, event, { answer: await service.signIn(actionSource(event), provider, given), call })
    },
    async signOut(event, options) {
      const service = await findService(event)
      const form = options ? undefined : await readForm(event)
      const call = options ?? form ?? {}
      const redirectTo = fromPage(event, call.redirectTo ?? returnAddress(event, home), options ? "code" : "form")
      const sender = form && senderOf(event.request, [service.settings.fixedOrigin, event.url.origin])
      const given = { redirectTo, ...(form && { fields: form.fields }), ...(sender && { sender }) }
      return leave(parts, event, { answer: await service.signOut(actionSource(event), given), call })
    },
  }
}

function leave(
  { readerOf }: SignParts,
  event: RequestEvent,
  { answer, call }: { readonly answer: RedirectAnswer; readonly call: Pick<AuthForm, "redirect"> | SignOutOptions },
): SignResult {
  setCookies(event, answer.cookies)
  readerOf(event).forget()
  // ASCII only, or the header could not be written.
  const location = new URL(answer.redirect, event.url.origin).href
  if (call.redirect === false) return { redirect: location }
  return seeOther(location)
}

/** The address was judged by the service; providers live elsewhere, and SvelteKit 3 has to be told that this is meant. */
function seeOther(location: string): never {
  const leaveFor: (status: 303, location: string, options: { external: boolean }) => never = redirect
  return leaveFor(303, location, { external: true })
}
