/** What an application gets: the handler, middleware for the session, and signing in and out from its own routes. */
import type { AnyText, Session, SignInView } from "@latchkey/core/types"
import type { Context, MiddlewareHandler } from "hono"
import type { RequireOptions, SignedIn } from "./guard.js"
import type { RouteCall } from "./route-call.js"
import type { HonoSessions } from "./sessions.js"

/** Where the person goes next. */
export interface SignResult {
  /** The address the person is sent to. */
  readonly redirect: string
}

/** Options of `signOut`. */
export interface SignOutOptions extends RouteCall {
  /** Where to go afterwards. @default the origin */
  readonly redirectTo?: string
  /** `false` returns the address in place of a response. @default true */
  readonly redirect?: boolean
}

/** Options of `signIn`. */
export interface SignInOptions<Id extends string = string> extends SignOutOptions {
  /** Id of the provider. Without it the person is sent to the sign-in page. */
  readonly provider?: Id | AnyText
  /** Parameters for the authorization request. */
  readonly params?: Readonly<Record<string, string>>
}

/** A call that returns the address, and leaves the response to its caller. */
type Quiet = { readonly redirect: false }

/**
 * The handler to mount, and its methods for routes. `S` is the session as the `session` callback shapes it, `Id` the ids of
 * the providers as far as types know them.
 *
 * Where something changes, the sender of the request is checked: pages of this application pass, by `Sec-Fetch-Site` or
 * `Origin`; others are refused with `MissingCSRF`, and requests that do not say where they come from as well, unless
 * `fields` holds the token of `/auth/csrf` as `csrfToken`.
 *
 * Cookies are added to the response of `c.json`, `c.redirect` and so on. A `new Response`, `Response.json` or
 * `Response.redirect` gets them only behind `load()` or `require()`: without these, a visitor stays signed in after
 * `signOut`.
 *
 * @example
 * const auth = HonoAuth({ providers: [GitHub] })
 * app.use("/auth/*", auth)
 * app.get("/me", auth.require({ redirectTo: "/auth/signin" }), (c) => c.json(c.var.session.user))
 * app.post("/logout", (c) => auth.signOut(c, { redirectTo: "/" }))
 */
export interface HonoAuthObject<S = Session, Id extends string = string> extends MiddlewareHandler {
  /**
   * Reads the session of a request, once, or anew after a second where the request has a body; adds the cookie of one that was
   * extended to the response. `null` means that the visitor is signed out; when that cannot be determined, an `AuthError` is
   * thrown.
   */
  session(c: Context): Promise<S | null>
  /** Makes middleware that puts the session, or `null`, into `c.var.session`. */
  load(): MiddlewareHandler<{ Variables: { session: S | null } }>
  /**
   * Makes middleware that lets only signed-in people pass, and puts their session into `c.var.session`. Everybody else is
   * redirected (303), or gets the status.
   * @default 401
   */
  require(options?: RequireOptions): MiddlewareHandler<{ Variables: { session: SignedIn<S> } }>
  /**
   * Begins a sign-in, for credentials completes it: adds the cookies and redirects (303). With `redirect: false`, answer
   * with a method of `c`: any other response gets the cookies only behind `load()` or `require()`. Throws an `AuthError`
   * when it fails, `CredentialsSignin` when the credentials are wrong.
   */
  signIn(c: Context, options: SignInOptions<Id> & Quiet): Promise<SignResult>
  signIn(c: Context, options?: SignInOptions<Id>): Promise<Response>
  /**
   * What a sign-in page of the application shows: ways to sign in with labels, marks and fields, what is wrong, and what
   * its forms post. Adds the cookies without which those forms are refused.
   */
  signInView(c: Context): Promise<SignInView>
  /**
   * Ends the session: adds the cookies and redirects (303). With `redirect: false`, answer with a method of `c`: any other
   * response gets the cookies only behind `load()` or `require()`. Throws an `AuthError` when the session could not be
   * removed; the cookie is cleared all the same.
   */
  signOut(c: Context, options: SignOutOptions & Quiet): Promise<SignResult>
  signOut(c: Context, options?: SignOutOptions): Promise<Response>
  /**
   * Passes data to the callbacks (`trigger: "update"`), adds the cookies and returns the session as it is then. Answer with
   * a method of `c`: any other response gets the cookies only behind `load()` or `require()`.
   */
  update(c: Context, data: unknown, options?: RouteCall): Promise<S | null>
  /**
   * Lists, ends and renews sessions, where `features` has `managedSessions()`. Adds the cookies; answer with a method of `c`, as
   * after `update`.
   */
  readonly sessions: HonoSessions
}
