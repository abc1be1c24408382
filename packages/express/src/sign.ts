/** Signing in and out from the application's own routes: as functions, which trust their caller, and for the object, which checks the sender of the request. */
import {
  type AuthService,
  type AuthSource,
  keepPrivate,
  type RedirectAnswer,
  type Sender,
  type SignInCall,
  signInView,
} from "@latchkey/core"
import type { Session, SignInView } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"
import { clientAddress } from "./client-address.js"
import { currentHeaders } from "./cookies.js"
import { splitTarget } from "./mount.js"
import { originOf } from "./origin.js"
import { type AuthOrConfig, type AuthSourceOf, type Found, findAuth, serviceFrom, sourceIn } from "./service.js"
import { refreshSession, writeCookies } from "./session.js"

/** Where the person goes next. */
export interface SignResult {
  /** The address the person is sent to. */
  readonly redirect: string
}

/** Options of `signIn`. */
export interface SignInOptions {
  /** Id of the provider. Without it the person is sent to the sign-in page. */
  readonly provider?: string
  /** Fields of the form: `email`, or those of the credentials. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Parameters for the authorization request. */
  readonly params?: Readonly<Record<string, string>>
  /** Where to go afterwards. @default the origin */
  readonly redirectTo?: string
  /** `false` leaves the answer to the caller. @default true */
  readonly redirect?: boolean
}

/** Options of `signOut`. */
export interface SignOutOptions {
  /** Where to go afterwards. @default the origin */
  readonly redirectTo?: string
  /** `false` leaves the answer to the caller. @default true */
  readonly redirect?: boolean
}

/** A call from a route. */
export interface SignCall {
  readonly req: ExpressRequest
  readonly res: ExpressResponse
  readonly auth: AuthSourceOf
  /** Who sent the request; absent: the caller is trusted. */
  readonly sender?: ((service: AuthService) => Sender) | undefined
}

/** What a route passes besides. */
interface SignFields {
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Begins a sign-in, for credentials completes it: sets the cookies and redirects. Throws an `AuthError` when it
 * fails, `CredentialsSignin` when the credentials are wrong.
 *
 * The configuration needs `basePath` when the handler is not mounted at `/auth`.
 */
// biome-ignore lint/complexity/useMaxParams: published with the order of getSession: request, response and configuration come first
export function signIn(
  req: ExpressRequest,
  res: ExpressResponse,
  auth: AuthOrConfig,
  options: SignInOptions = {},
): Promise<SignResult> {
  return beginSignIn({ req, res, auth: sourceIn(auth) }, options)
}

/** As {@link signIn}. */
export async function beginSignIn(call: SignCall, options: SignInOptions): Promise<SignResult> {
  const { params, provider } = options
  const { service } = await openOf(call)
  const answer = await service.signIn(callSource(call, service), provider, {
    ...callOf(call, options, service),
    ...(params && { params }),
  })
  return leave(call.res, answer, options.redirect)
}

/** What a sign-in page of the application shows; sets the cookies that go with it. */
export async function showSignIn(call: SignCall): Promise<SignInView> {
  const { service } = await openOf(call)
  const { url, headers } = callSource(call, service)
  // The query alone: a target that begins with two slashes would name another host (RFC 3986 §4.2).
  const { search } = splitTarget(call.req.originalUrl)
  const { view, cookies } = await signInView(service, { url: `${url}${search}`, headers })
  writeCookies(cookies, call.res)
  // Also without cookies it holds the token of this browser's forms.
  if (!call.res.headersSent) keepPrivate(call.res)
  return view
}

/** Ends the session: sets the cookies and redirects; `res.locals.session` is `null` then. Throws an `AuthError` when the session could not be removed; the cookie is cleared all the same. */
// biome-ignore lint/complexity/useMaxParams: published with the order of getSession: request, response and configuration come first
export function signOut(
  req: ExpressRequest,
  res: ExpressResponse,
  auth: AuthOrConfig,
  options: SignOutOptions = {},
): Promise<SignResult> {
  return endSession({ req, res, auth: sourceIn(auth) }, options)
}

/** As {@link signOut}. */
export async function endSession(call: SignCall, options: SignOutOptions & SignFields): Promise<SignResult> {
  const { found, service } = await openOf(call)
  const showSignedOut = (): void => refreshSession(call.res, { auth: call.auth, found }, null)
  const given = callOf(call, options, service)
  const answer = await service.signOut(callSource(call, service), {
    ...given,
    onThrow(cookies) {
      given.onThrow?.(cookies)
      // Where the session could not be removed, the cookie is gone all the same.
      if (cookies.length > 0) showSignedOut()
    },
  })
  showSignedOut()
  return leave(call.res, answer, options.redirect)
}

/** Hands data to the callbacks as an update of the session, sets the cookies and answers the session as it is then. */
// biome-ignore lint/complexity/useMaxParams: published with the order of getSession: request, response and configuration come first
export function update(
  req: ExpressRequest,
  res: ExpressResponse,
  auth: AuthOrConfig,
  data: unknown,
): Promise<Session | null> {
  return updateSession({ req, res, auth: sourceIn(auth) }, data)
}

/** As {@link update}. */
export async function updateSession(call: SignCall, data: unknown, options: SignFields = {}): Promise<Session | null> {
  const { found, service } = await openOf(call)
  const { cookies, session } = await service.update(callSource(call, service), data, callOf(call, options, service))
  if (session) keepPrivate(call.res, { unlessSaid: true })
  writeCookies(cookies, call.res)
  refreshSession(call.res, { auth: call.auth, found }, session)
  return session
}

/** The service that a call is for. */
export async function openOf({
  auth,
  req,
}: SignCall): Promise<{ readonly found: Found; readonly service: AuthService }> {
  const found = await findAuth(auth, req)
  return { found, service: serviceFrom(found) }
}

/** What functions and object pass to the service. */
function callOf(
  { req, res, sender }: SignCall,
  { fields, redirectTo }: SignFields & Pick<SignOutOptions, "redirectTo">,
  service: AuthService,
): SignInCall {
  return {
    ...(fields && { fields }),
    ...(redirectTo !== undefined && { redirectTo }),
    ...(sender && { sender: sender(service) }),
    address: clientAddress(req),
    onThrow: (cookies) => writeCookies(cookies, res),
  }
}

/** Where a call comes from, with the cookies as they are by now. */
export function callSource(
  { req, res }: SignCall,
  { origin }: AuthService,
): { url: string; headers: AuthSource["headers"] } {
  return { url: `${origin ?? originOf(req)}/`, headers: currentHeaders(req, res) }
}

function leave(res: ExpressResponse, answer: RedirectAnswer, mayRedirect = true): SignResult {
  writeCookies(answer.cookies, res)
  if (mayRedirect && !res.headersSent) res.redirect(answer.redirect)
  return { redirect: answer.redirect }
}
