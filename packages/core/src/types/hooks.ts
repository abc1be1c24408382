/** Functions of the application: callbacks decide, event handlers are called afterwards, the logger takes messages. */
import type { Account, AdapterUser, Awaitable, Profile, User } from "./identity.js"
import type { AdapterSession, DefaultSession, Session, SessionUpdate } from "./session.js"
import type { JWT } from "./token.js"

/**
 * What is known of the request behind a callback or an event: its second argument, for functions that name a second
 * parameter. Read where it is needed, never copied.
 */
export interface RequestDetails {
  /** The request, as it came. */
  readonly request: {
    /** The whole address. It may hold a code or a token: nothing for a log. */
    readonly url: string
    /** Its headers; names in any case. */
    readonly headers: { get(name: string): string | null }
    /** The address it came from, where that is known: see the guide on limits. */
    readonly address: string | undefined
  }
  /** The id that the log and the page name if this request fails. */
  readonly incident: string
  /** Id of the provider that the path names. */
  readonly provider: string | undefined
}

/** Decisions of the application. Each has a default. One that names a second parameter gets the details of the request. */
export interface CallbacksOptions<P = Profile, A = Account> {
  /**
   * May this person sign in? `true` goes on; `false` or any throw, an AuthError included, stops and shows the error page
   * with `AccessDenied`; a string is the address to redirect to. Nothing returned is a refusal as well, and the log says so.
   * @default allows
   */
  signIn: (
    params: {
      user: User | AdapterUser
      account?: A | null
      /** What the provider said, for oauth and oidc. */
      profile?: P
      /** For e-mail: `verificationRequest` is true while the link is asked for, absent when it is followed. */
      email?: { verificationRequest?: boolean }
      /** For credentials: what the form held. */
      credentials?: Record<string, unknown>
    },
    details?: RequestDetails,
  ) => Awaitable<boolean | string>
  /**
   * Where a person may be sent after sign-in and sign-out: asked about every return address, the origin included where
   * nobody named one; not about configured pages, providers, and the address a `signIn` callback returns. A callback of the
   * service is no return address, whatever it answers.
   * @default only addresses of the application's own origin
   */
  redirect: (
    params: {
      /** What the client asked for; the origin when it asked for nothing, or for nothing that can be an address. */
      url: string
      /** The origin of the application. */
      baseUrl: string
    },
    details?: RequestDetails,
  ) => Awaitable<string>
  /**
   * What the client sees of a session. @default name, email and image of the user
   */
  session: (
    params: {
      /** jwt: `user` and `expires` only. database: the stored row as well. */
      session: Session & Omit<AdapterSession, "expires"> & { user: AdapterUser }
      /** database strategy only. */
      user: AdapterUser
      /** jwt strategy only. */
      token: JWT
      /** What the client sent with an update: validate it. */
      newSession?: SessionUpdate
      trigger?: "update"
    },
    details?: RequestDetails,
  ) => Awaitable<Session | DefaultSession>
  /**
   * What a session token holds (jwt strategy): called at sign-in, at each access and at each update. `null` ends the session.
   * @default the token as it is
   */
  jwt: (params: JWTSignInParams | JWTUpdateParams | JWTAccessParams, details?: RequestDetails) => Awaitable<JWT | null>
}

/** The jwt callback at sign-in. */
export interface JWTSignInParams {
  /** The claims so far: name, email, picture and `sub` of the user. */
  token: JWT
  /** The user who signed in. */
  user: User | AdapterUser
  /** The account of the sign-in, with its tokens. */
  account: Account | null
  /** What the provider said, for oauth and oidc. */
  profile?: Profile
  /** `signUp`: the adapter created the user in this sign-in. */
  trigger: "signIn" | "signUp"
  /** Whether the adapter created the user in this sign-in. @deprecated use `trigger === "signUp"` */
  isNewUser?: boolean
  /** Never given at sign-in. */
  session?: never
}

/** The jwt callback when a client updates its session. */
export interface JWTUpdateParams {
  /** The claims of the token. */
  token: JWT
  /** `update`: a client called `update`. */
  trigger: "update"
  /** What the client sent: validate it. */
  session?: SessionUpdate
  /** Never given at an update. */
  user?: never
  /** Never given at an update. */
  account?: never
  /** Never given at an update. */
  profile?: never
  /** Never given at an update. */
  isNewUser?: never
}

/** The jwt callback at each other access to the session. */
export interface JWTAccessParams {
  /** The claims of the token. */
  token: JWT
  /** Never given at an access. */
  trigger?: never
  /** Never given at an access. */
  session?: never
  /** Never given at an access. */
  user?: never
  /** Never given at an access. */
  account?: never
  /** Never given at an access. */
  profile?: never
  /** Never given at an access. */
  isNewUser?: never
}

/** How sessions are kept. */
export type SessionStrategy = "jwt" | "database"

/** The `session` callback when a client updates its session. */
interface WhenUpdated {
  trigger: "update"
  /** What the client sent: validate it. */
  newSession?: SessionUpdate
}

/** The `session` callback whenever a session is read. */
interface WhenRead {
  trigger?: never
  newSession?: never
}

/** What the session callback is given of a token. */
interface OfToken<Token> {
  session: Session & { user: User }
  token: Token
  user?: never
}

/** What the session callback is given of a row. */
interface OfRow {
  session: Session & Omit<AdapterSession, "expires"> & { user: AdapterUser }
  user: AdapterUser
  token?: never
}

/** The session callback where sessions are kept in tokens. */
export type TokenSessionParams<Token = JWT> = OfToken<Token> & (WhenRead | WhenUpdated)

/** The session callback where sessions are kept in the database. */
export type RowSessionParams = OfRow & (WhenRead | WhenUpdated)

/** The session callback by strategy; where that is not known, all members are there. */
export type SessionParamsOf<Strategy, Token = JWT> = [Strategy] extends ["jwt"]
  ? TokenSessionParams<Token>
  : [Strategy] extends ["database"]
    ? RowSessionParams
    : Omit<Parameters<CallbacksOptions["session"]>[0], "token"> & { token: Token }

/** Notices of what has happened, with the details of the request. Awaited in order; a failing handler is logged and changes nothing. */
export interface EventCallbacks {
  /** A user signed in. */
  signIn: (
    message: { user: User; account: Account | null; profile?: Profile; isNewUser?: boolean },
    details?: RequestDetails,
  ) => Awaitable<void>
  /** A user signed out. Carries the session that ended (database) or the claims of its token (jwt). */
  signOut: (
    message: { session: AdapterSession | null | undefined | void } | { token: JWT | null },
    details?: RequestDetails,
  ) => Awaitable<void>
  /** The adapter created a user. */
  createUser: (message: { user: User }, details?: RequestDetails) => Awaitable<void>
  /** The adapter changed a user. */
  updateUser: (message: { user: User }, details?: RequestDetails) => Awaitable<void>
  /**
   * An account was linked to a user, of whatever provider, or a passkey. It says nothing of the address: whoever sets
   * `emailVerified` here takes every address for proven, and what a stranger has added at it stays when its owner comes.
   */
  linkAccount: (
    message: { user: User | AdapterUser; account: Account; profile: User | AdapterUser },
    details?: RequestDetails,
  ) => Awaitable<void>
  /** A session was read. Carries `session` (database) or `token` (jwt), never both. */
  session: (
    message: { session: Session; token?: never } | { token: JWT; session?: never },
    details?: RequestDetails,
  ) => Awaitable<void>
}

/** Codes of warnings. */
export type WarningCode =
  | "debug-enabled"
  | "csrf-disabled"
  | "skip-csrf-check-ignored"
  | "experimental-webauthn"
  | "env-url-basepath-redundant"
  | "env-url-basepath-mismatch"
  | "secret-too-short"
  | "insecure-requests"
  | "nothing-checked"
  | "person-unknown"
  | "secure-cookies-mismatch"
  | "account-owned-by-other"
  | "id-given-again"
  | "session-not-saved"
  | "address-unknown"
  | "claim-dropped"
  | "email-verified-by-event"
  | "linking-of-unverified-email"
  | "accounts-of-unverified-email"
  | "id-of-several-issuers"
  | "redirect-proxy-origins"
  | "unknown-option"
  | "page-leads-to-itself"
  | "policy-out-of-reach"
  | "forwarded-header-ignored"
  | "doctor-finding"

/** Where messages go. Methods that are missing are the default logger's. */
export interface LoggerInstance {
  /** Gets every error, with its cause. @default the console */
  error: (error: Error) => void
  /**
   * Gets the codes of warnings. A second argument, a text, says what it is about where the code alone does not: which
   * providers, for instance.
   * @default the console
   */
  warn: (code: WarningCode) => void
  /** Gets the steps of each request, where debug messages are wanted. */
  debug: (message: string, metadata?: unknown) => void
}
