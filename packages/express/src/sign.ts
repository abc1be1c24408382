/** Signing in and out from the application's own routes. These calls are trusted: the route protects itself against forged requests. */
import type { AuthService, AuthSource, RedirectAnswer } from "@latchkey/core"
import type { Session } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"
import { currentHeaders } from "./cookies.js"
import { originOf } from "./origin.js"
import { type AuthOrConfig, findAuth, serviceFrom, serviceOf } from "./service.js"
import { refreshSession, writeCookies } from "./session.js"

/** Where the person goes next. */
export interface SignResult {
  readonly redirect: string
}

/** What `signIn` is told. */
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

/** What `signOut` is told. */
export interface SignOutOptions {
  /** Where to go afterwards. @default the origin */
  readonly redirectTo?: string
  /** `false` leaves the answer to the caller. @default true */
  readonly redirect?: boolean
}

/**
 * Begins a sign-in, for credentials completes it: sets the cookies and redirects. Throws an `AuthError` when it
 * fails, `CredentialsSignin` when the credentials are wrong.
 *
 * The configuration needs `basePath` when the handler is not mounted at `/auth`.
 */
// biome-ignore lint/complexity/useMaxParams: request, response and configuration stand in the order of getSession
export async function signIn(
  req: ExpressRequest,
  res: ExpressResponse,
  auth: AuthOrConfig,
  options: SignInOptions = {},
): Promise<SignResult> {
  const { fields, params, provider, redirectTo } = options
  const service = await serviceOf(auth, req)
  const answer = await service.signIn(sourceOf(req, res, service), provider, {
    ...(fields && { fields }),
    ...(params && { params }),
    ...(redirectTo !== undefined && { redirectTo }),
  })
  return leave(res, answer, options.redirect)
}

/** Ends the session: sets the cookies and redirects; `res.locals.session` is `null` then. Throws an `AuthError` when the session could not be removed. */
// biome-ignore lint/complexity/useMaxParams: as signIn
export async function signOut(
  req: ExpressRequest,
  res: ExpressResponse,
  auth: AuthOrConfig,
  options: SignOutOptions = {},
): Promise<SignResult> {
  const found = await findAuth(auth, req)
  const service = serviceFrom(found)
  const { redirectTo } = options
  const answer = await service.signOut(sourceOf(req, res, service), redirectTo === undefined ? {} : { redirectTo })
  refreshSession(res, { auth, found }, null)
  return leave(res, answer, options.redirect)
}

/** Hands data to the callbacks as an update of the session, sets the cookies and answers the session as it is then. */
// biome-ignore lint/complexity/useMaxParams: as signIn
export async function update(
  req: ExpressRequest,
  res: ExpressResponse,
  auth: AuthOrConfig,
  data: unknown,
): Promise<Session | null> {
  const found = await findAuth(auth, req)
  const service = serviceFrom(found)
  const { cookies, session } = await service.update(sourceOf(req, res, service), data)
  writeCookies(cookies, res)
  refreshSession(res, { auth, found }, session)
  return session
}

function sourceOf(req: ExpressRequest, res: ExpressResponse, { origin }: AuthService): AuthSource {
  return { url: `${origin ?? originOf(req)}/`, headers: currentHeaders(req, res) }
}

function leave(res: ExpressResponse, answer: RedirectAnswer, mayRedirect = true): SignResult {
  writeCookies(answer.cookies, res)
  if (mayRedirect && !res.headersSent) res.redirect(answer.redirect)
  return { redirect: answer.redirect }
}
