/** The methods of the handler, for routes of the application: the session, a guard, signing in and out. */
import { senderOf } from "@latchkey/core"
import type { AnyText, Session, SignInView } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express"
import { type RequireSessionOptions, requireSession } from "./guard.js"
import { originOf } from "./origin.js"
import type { RouteCall, RouteUpdateOptions } from "./route-call.js"
import type { AuthSourceOf, HoldsGiven } from "./service.js"
import { authSession, getSession } from "./session.js"
import { type ExpressSessions, sessionsWith } from "./sessions.js"
import {
  beginSignIn,
  endSession,
  type SignCall,
  type SignInOptions,
  type SignOutOptions,
  type SignResult,
  showSignIn,
  updateSession,
} from "./sign.js"

/** Options of `auth.signIn`. */
export interface RouteSignInOptions<Id extends string = string> extends Omit<SignInOptions, "provider">, RouteCall {
  /** Id of the provider. Without it the person is sent to the sign-in page. */
  readonly provider?: Id | AnyText
}

/** Options of `auth.signOut`. */
export interface RouteSignOutOptions extends SignOutOptions, RouteUpdateOptions {}

/**
 * The handler to mount, and the methods for routes. Where something changes, the sender of the request is checked:
 * pages of this application pass, by `Sec-Fetch-Site` or `Origin`; others are refused with `MissingCSRF`, and requests
 * that do not say where they come from as well, unless `fields` holds the token of `/auth/csrf` as `csrfToken`.
 *
 * @example
 * const auth = ExpressAuth({ providers: [GitHub] })
 * app.use("/auth", auth)
 * app.get("/inside", auth.require({ redirectTo: "/auth/signin" }), (req, res) => res.json(res.locals.session))
 * app.post("/logout", (req, res) => auth.signOut(req, res, { redirectTo: "/" }))
 */
export interface ExpressAuthObject<S = Session, Id extends string = string> extends RequestHandler, HoldsGiven {
  /**
   * Reads the session of a request and writes its cookie when it was extended. `null` means that the visitor is signed out;
   * when that cannot be determined, an `AuthError` is thrown.
   */
  session(req: ExpressRequest, res?: ExpressResponse): Promise<S | null>
  /**
   * Makes middleware that lets only signed-in people pass, and puts their session into `res.locals.session`. Everybody
   * else is redirected, or gets the status.
   * @default 401
   */
  require(options?: RequireSessionOptions): RequestHandler
  /** Begins a sign-in, for credentials completes it: sets the cookies and redirects. Throws an `AuthError` when it fails. */
  signIn(req: ExpressRequest, res: ExpressResponse, options?: RouteSignInOptions<Id>): Promise<SignResult>
  /**
   * What a sign-in page of the application shows: ways to sign in with labels, marks and fields, what is wrong, and what
   * its forms post. Sets the cookies without which those forms are refused.
   */
  signInView(req: ExpressRequest, res: ExpressResponse): Promise<SignInView>
  /** Ends the session: sets the cookies and redirects. Throws an `AuthError` when the session could not be removed. */
  signOut(req: ExpressRequest, res: ExpressResponse, options?: RouteSignOutOptions): Promise<SignResult>
  /** Passes data to the callbacks as an update of the session and answers the session as it is then. */
  update(req: ExpressRequest, res: ExpressResponse, data: unknown, options?: RouteUpdateOptions): Promise<S | null>
  /** Lists, ends and renews sessions, where `features` has `managedSessions()`; sets the cookies. */
  readonly sessions: ExpressSessions
}

/** The members of the object beside the handler; the type of the session follows from the configuration. */
export function membersFor<S, Id extends string>(
  auth: AuthSourceOf,
): Pick<ExpressAuthObject<S, Id>, "session" | "require" | "signIn" | "signInView" | "signOut" | "update" | "sessions"> {
  const read = authSession(auth)
  const typed = (session: Promise<Session | null>): Promise<S | null> =>
    session as Promise<unknown> as Promise<S | null>
  return {
    session: (req, res = req.res) => typed(res ? getSession(req, res, auth) : getSession(req, auth)),
    require: (options) => behind(read, requireSession(options)),
    signIn: (req, res, options = {}) => beginSignIn({ req, res, auth, sender: senderFor(req, options) }, options),
    signInView: (req, res) => showSignIn({ req, res, auth }),
    signOut: (req, res, options = {}) => endSession({ req, res, auth, sender: senderFor(req, options) }, options),
    update: (req, res, ...[data, options = {}]) =>
      typed(updateSession({ req, res, auth, sender: senderFor(req, options) }, data, options)),
    sessions: sessionsWith((req, res, options) => ({ req, res, auth, sender: senderFor(req, options) })),
  }
}

function behind(read: RequestHandler, guard: RequestHandler): RequestHandler {
  return (req, res, next) =>
    read(req, res, (error?: unknown) => (error === undefined ? guard(req, res, next) : next(error)))
}

/** Asked where the service is known, because `AUTH_URL` may say which origin is ours. */
function senderFor(req: ExpressRequest, { trusted = false }: RouteCall): SignCall["sender"] {
  return trusted ? undefined : ({ origin }) => senderOf(req.headers, [origin ?? originOf(req)])
}
