/** The object an application holds, as its compiler sees it. What makes it is in `service.ts`. */
import type { AuthError } from "../errors.js"
import type { HeaderSource, RequestHead, Sender } from "../http/incoming.js"
import type { ServerResponse } from "../http/outgoing.js"
import type { Cookie } from "../types/config.js"
import type { AnyText } from "../types/provider.js"
import type { Session } from "../types/session.js"

/**
 * Where a call in this process comes from: a request, or its address and headers. `secure` gives the scheme where there is no
 * address. Calls for one object with a `Cookie` header count as calls for one request: each reads what those before it have set.
 */
export type AuthSource = Request | { url?: string; secure?: boolean; headers: HeaderSource }

/** A session, and the cookies to set when it was extended or has ended. */
export interface SessionAnswer<S = Session> {
  /** The session, as clients may see it; `null` when the visitor is signed out. */
  readonly session: S | null
  /** The cookies to set on the response; empty when nothing has changed. */
  readonly cookies: readonly Cookie[]
}

/** Where the person goes next, and the cookies to set. */
export interface RedirectAnswer {
  /** The address to send the browser to. */
  readonly redirect: string
  /** Why, where a refusal is answered with a redirect. */
  readonly refusal?: AuthError
  /** The cookies to set on the response. */
  readonly cookies: readonly Cookie[]
}

/** What a sign-in in this process may say. */
export interface SignInCall {
  /** Fields of the form: `email`, or those of the credentials. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Parameters for the authorization request. */
  readonly params?: Readonly<Record<string, string>>
  /** Where to go afterwards. */
  readonly redirectTo?: string
  /** Who sent the form behind the call. With it the call is checked like a request; without, the caller is trusted. */
  readonly sender?: Sender
  /**
   * The address the request behind the call came from: tries are counted by its network. `null`: the other end has ended the
   * connection, so that nobody knows any more; what would be counted by network is refused.
   *
   * @default unknown
   */
  readonly address?: string | null | undefined
  /**
   * `redirect`: what a visitor can cause is answered with the address of the page that says so, as a request would be.
   * Wrong credentials, faults, and what has no page of its own are thrown all the same.
   *
   * @default "throw"
   */
  readonly onRefusal?: "throw" | "redirect"
  /**
   * Is given the cookies to set when the call throws. The jwt callback may have changed the token of the person who is
   * signed in before the call failed: a refresh token that it used up works once, and the new one stands in the cookie. A
   * sign-out whose session could not be removed clears the cookie all the same.
   */
  readonly onThrow?: (cookies: readonly Cookie[]) => void
}

/** What a sign-out in this process may say. */
export type SignOutCall = Pick<SignInCall, "fields" | "redirectTo" | "sender" | "onRefusal" | "onThrow">

/** What an update of the session in this process may say. */
export type UpdateCall = Pick<SignInCall, "fields" | "sender" | "onThrow">

/** What an integration knows about a request it hands over. */
export interface HandleOptions {
  /** Who sent it. What this application sent needs no CSRF token. @default unknown */
  readonly sender?: Sender
  /** The address it came from, for limits; `null` where the other end has ended the connection, as in {@link SignInCall}. @default unknown */
  readonly address?: string | null | undefined
}

export type { ServerResponse } from "../http/outgoing.js"

/** A request as a server has it. */
export interface ServerRequest extends RequestHead {
  /** Makes the request of the web, with its body. Called at most once, where a body is read. */
  readonly toRequest: () => Request
}

/** How a session is read. */
export interface SessionOptions {
  /** `false`: the answer cannot set cookies any more, so nothing is extended. @default true */
  readonly extend?: boolean
  /**
   * Is given the cookies to set when reading throws after the jwt callback has changed the token, as in `SignInCall`. Not
   * called where `extend` is `false`.
   */
  readonly onThrow?: (cookies: readonly Cookie[]) => void
}

/**
 * The members of the object an application holds. All of them but `handle` throw an `AuthError` when they fail.
 *
 * `S` is the session as the `session` callback shapes it, `Id` the ids of the providers as far as types know them.
 */
export interface AuthService<S = Session, Id extends string = string> {
  /** The path below which the actions are served: begins with a slash, ends without one; empty for the root. */
  readonly basePath: string
  /** The origin that `AUTH_URL` fixes, such as `https://app.example.com`; `undefined` where it follows from each request. */
  readonly origin: string | undefined
  /**
   * The names of the cookies, on http and on https. A suffix may follow: the number of a part, where a session is too long
   * for one cookie (`.0`), or the mark of a pending sign-in, which is eight characters long.
   */
  readonly cookieNames: readonly string[]
  /** Everything that is wrong with the configuration, in the order it was found; empty when nothing is. */
  problems(): readonly AuthError[]
  /** Answers a request for the service. Never throws. */
  handle(request: Request, options?: HandleOptions): Promise<Response>
  /**
   * Answers a request for the service on a server without web objects: what {@link AuthService.handle} answers, as plain
   * values. Never throws.
   */
  respond(request: ServerRequest, options?: HandleOptions): Promise<ServerResponse>
  /** Is the path one of ours: below the base path, beginning with a known action? */
  isOwn(pathname: string): boolean
  /**
   * Reads the session that the headers carry, without building a request. `null` means that the visitor is signed out; when
   * that cannot be determined, an `AuthError` is thrown.
   */
  session(source: AuthSource, options?: SessionOptions): Promise<SessionAnswer<S>>
  /** Passes data to the callbacks (`trigger: "update"`) and reads the session. */
  update(source: AuthSource, data: unknown, call?: UpdateCall): Promise<SessionAnswer<S>>
  /** Begins a sign-in; for credentials, completes it. Without a provider: the sign-in page. */
  signIn(source: AuthSource, provider?: Id | AnyText, call?: SignInCall): Promise<RedirectAnswer>
  /** Ends the session. Throws a `SignOutError` when it could not be removed, so that a copy of the cookie still opens it. */
  signOut(source: AuthSource, call?: SignOutCall): Promise<RedirectAnswer>
}
