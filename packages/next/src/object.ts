/** What an application gets for its configuration. */
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { AnyText, Session, SignInView } from "@latchkey/core/types"
import type { NextFetchEvent, NextRequest } from "next/server.js"

/** A request of Next with the session that was read for it. */
export interface NextAuthRequest<S = Session> extends NextRequest {
  /** The session; `null` when the visitor is signed out. */
  readonly auth: S | null
}

/** What Next hands to a route handler beside the request. */
export interface RouteContext {
  /** The parameters of the dynamic segments of the path. */
  readonly params: Promise<Record<string, string | string[] | undefined>>
}

/** A request of the Pages Router, as far as it is read. */
export interface PagesRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A response of the Pages Router, as far as it is written. */
export interface PagesResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string | readonly string[]): unknown
}

/** What a wrapped handler returns; nothing lets the request of a proxy go on. */
export type Answered = Response | undefined | void | Promise<Response | undefined | void>

/**
 * Reads the session, wherever it is called. `null` means that the visitor is signed out; when that cannot be
 * determined, an `AuthError` is thrown.
 */
export interface AuthFunction<S = Session> {
  /**
   * In server components, server actions and route handlers, as earlier calls in the same request have left it. No cookie is
   * written, so nothing is extended. A route handler that answers with it has to say `Cache-Control: private, no-store`.
   */
  (): Promise<S | null>
  /**
   * Around a route handler, or the proxy: the session is in `request.auth`, and its cookie on the response when it was
   * extended. What the handler does to the session takes precedence.
   */
  <Context = RouteContext>(
    handler: (request: NextAuthRequest<S>, context: Context) => Answered,
  ): (request: NextRequest, context: Context) => Promise<Response>
  /** As the proxy itself: asks the callback `authorized`, and extends sessions. */
  (request: NextRequest, event?: NextFetchEvent): Promise<Response>
  /** In API routes of the Pages Router. */
  (request: PagesRequest, response: PagesResponse): Promise<S | null>
  /** In `getServerSideProps`. */
  (context: { readonly req: PagesRequest; readonly res: PagesResponse }): Promise<S | null>
}

/** Options of `signOut`. */
export interface SignOutOptions {
  /** Where to go afterwards. @default the page the form was on */
  readonly redirectTo?: string
  /** `false` returns the address. @default true */
  readonly redirect?: boolean
}

/** Options of `signIn`: fields of the form beside them, `email` or those of the credentials. */
export interface SignInOptions extends SignOutOptions {
  readonly [field: string]: unknown
}

/** Parameters for the authorization request, in any of the shapes that `URLSearchParams` takes. */
export type AuthorizationParams =
  | string
  | readonly (readonly string[])[]
  | Readonly<Record<string, string>>
  | URLSearchParams

type Quiet = { readonly redirect: false }

/**
 * Begins a sign-in, for credentials completes it: sets the cookies and redirects. For server actions, which Next protects
 * against other sites, and route handlers, which have to be protected. Throws an `AuthError` when it fails,
 * `CredentialsSignin` when the credentials are wrong; without a provider, or with one that does not exist, the person is
 * sent to the sign-in page.
 */
export interface SignInFunction<Id extends string = string> {
  (provider: Id | AnyText | undefined, options: SignInOptions & Quiet, params?: AuthorizationParams): Promise<string>
  (provider?: Id | AnyText, options?: FormData | SignInOptions, params?: AuthorizationParams): Promise<never>
}

/** The parameters of an address, as Next hands them to a page. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Ends the session: sets the cookies and redirects. Called where {@link SignInFunction} is. */
export interface SignOutFunction {
  (options: SignOutOptions & Quiet): Promise<string>
  (options?: SignOutOptions): Promise<never>
}

/**
 * A sign-in page as data, without the fields that only a form posting to the service itself needs: a server component
 * cannot set the cookie that such a form is compared with.
 */
export interface NextSignInView extends Omit<SignInView, "hidden"> {
  /** Where the person wants to go: an address of this application, for the option of `signIn` of that name. */
  readonly redirectTo: string
}

/**
 * The service in an application. `S` is the session as the `session` callback shapes it, `Id` the ids of the providers as
 * far as types know them.
 *
 * @example
 * export const { handlers, auth, signIn, signOut } = NextAuth({ providers: [GitHub] })
 * // app/api/auth/[...auth]/route.ts: export const { GET, POST } = handlers
 * // app/page.tsx: const session = await auth()
 */
export interface NextAuthResult<S = Session, Id extends string = string> {
  /** For `app/api/auth/[...auth]/route.ts`. */
  readonly handlers: {
    readonly GET: (request: Request) => Promise<Response>
    readonly POST: (request: Request) => Promise<Response>
  }
  /** Reads the session, wherever it is called. */
  readonly auth: AuthFunction<S>
  /** For `proxy.ts`, and as `middleware` for `middleware.ts`: `auth` as it is called there. */
  readonly proxy: (request: NextRequest, event?: NextFetchEvent) => Promise<Response>
  /** Begins a sign-in, for credentials completes it. */
  readonly signIn: SignInFunction<Id>
  /**
   * What a sign-in page of the application shows, for its server component: ways to sign in with labels, marks and fields,
   * and what is wrong. `searchParams` is what Next hands to the page: `error`, `callbackUrl` and `cancelled` are read.
   * Its forms are server actions that call `signIn`. Throws an `AuthError` when the configuration cannot be used.
   */
  readonly signInView: (searchParams?: SearchParams | Promise<SearchParams>) => Promise<NextSignInView>
  /** Ends the session. */
  readonly signOut: SignOutFunction
  /** Passes data to the callbacks (`trigger: "update"`), sets the cookies and returns the session as it is then. */
  readonly update: (data: unknown) => Promise<S | null>
  /** The name of `update` in next-auth. */
  readonly unstable_update: (data: unknown) => Promise<S | null>
  /**
   * Lists, ends and renews the sessions of whoever sent the request, where `features` has `managedSessions()`; sets the
   * cookies. Listing works in server components, too; changes belong in server actions and route handlers. A route handler
   * that answers with a list has to say `Cache-Control: private, no-store`.
   */
  readonly sessions: SessionsOfRoute<[]>
}
