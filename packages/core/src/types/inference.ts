/**
 * The configuration as far as its own types say more than `AuthConfig` does: how sessions are kept, what callbacks
 * return, which providers there are. `createAuth` and the integrations infer all of it; nobody has to write it.
 */
import type { Adapter } from "./adapter.js"
import type { AuthConfig } from "./config.js"
import type {
  CallbacksOptions,
  RequestDetails,
  RowSessionParams,
  SessionParamsOf,
  SessionStrategy,
  TokenSessionParams,
} from "./hooks.js"
import type { AdapterUser, Awaitable, User } from "./identity.js"
import type { Provider, UsualId } from "./provider.js"
import type { DefaultSession, Exposable, Session } from "./session.js"
import type { JWT } from "./token.js"

/**
 * The callbacks where the type knows how sessions are kept; where it does not, `session` is given all members. What
 * `jwt` returns is the `token` of `session`, when `jwt` is written first.
 */
export interface StrategyCallbacks<
  Strategy extends SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = Session | DefaultSession,
> extends Omit<CallbacksOptions, "session" | "jwt"> {
  /** Shapes the session that clients see. */
  session: (params: SessionParamsOf<Strategy, Token>, details?: RequestDetails) => Awaitable<Shown>
  /** Shapes the claims of the session token; `null` ends the session. */
  jwt: (params: Parameters<CallbacksOptions["jwt"]>[0], details?: RequestDetails) => Awaitable<Token | null>
}

/** The options of `session` where strategy and exposed members are known. */
type SessionOptionsOf<Strategy extends SessionStrategy, Expose extends Exposable> = Omit<
  NonNullable<AuthConfig["session"]>,
  "strategy" | "expose"
> & { strategy?: Strategy | undefined; expose?: readonly Expose[] | undefined }

/**
 * The configuration where its type knows how sessions are kept: by `session.strategy` as it is written. The `session`
 * callback is given what that strategy gives, and nothing else.
 */
export interface AuthConfigOf<
  Strategy extends SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = Session | DefaultSession,
  Id extends string = string,
  Expose extends Exposable = Exposable,
> extends Omit<AuthConfig, "providers" | "session" | "callbacks"> {
  /** Ways to sign in: provider objects, or functions that make one. @default [] */
  providers?: Provider<UsualId<Id>>[] | undefined
  /** How sessions are kept. */
  session?: SessionOptionsOf<Strategy, Expose> | undefined
  /** Functions that decide: who may sign in, where to redirect, what tokens and sessions hold. */
  callbacks?: Partial<StrategyCallbacks<Strategy, Token, Shown>> | undefined
}

/**
 * The same where `satisfies AuthConfig` has typed the callbacks beforehand: they were written without knowing the
 * strategy, so `session` takes all members.
 */
export interface TypedConfigOf<
  Strategy extends SessionStrategy,
  Id extends string = string,
  Expose extends Exposable = Exposable,
> extends Omit<AuthConfigOf<Strategy, JWT, Session, Id, Expose>, "callbacks"> {
  /** Functions that decide: who may sign in, where to redirect, what tokens and sessions hold. */
  callbacks: Partial<CallbacksOptions>
}

/** What a strategy cannot do without: sessions in the database need a data layer. */
export type NeedsOf<Strategy extends SessionStrategy> = [Strategy] extends ["database"]
  ? { adapter: Adapter }
  : { adapter?: Adapter | undefined }

/** The session without a callback: with the id of the user where it is exposed. */
type ExposedSession<Expose> = [Expose] extends [never]
  ? Session
  : Session & { user: "id" extends Expose ? User & { id: string } : User }

/** Are these the same, each being as good as the other? */
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/**
 * The session that a client sees: what the `session` callback returns; without one the open `Session`
 * with what `session.expose` adds, and the open `Session` where a type says no more than that it is one. A callback that hands on what it was given shows the user, not the row.
 */
export type SessionOf<Strategy extends SessionStrategy, Shown, Expose = never> = [Shown] extends [never]
  ? ExposedSession<Expose>
  : [DefaultSession] extends [Shown]
    ? Session
    : IsSame<Shown, RowSessionParams["session"]> extends true
      ? Session & { user: [Strategy] extends ["database"] ? AdapterUser : User }
      : IsSame<Shown, TokenSessionParams["session"]> extends true
        ? Session & { user: User }
        : Shown
