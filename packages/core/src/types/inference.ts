/**
 * The configuration as far as its own types say more than `AuthConfig` does: how sessions are kept, what callbacks
 * return, which providers there are. `createAuth` and the integrations infer all of it; nobody has to write it.
 */
import type { Adapter } from "./adapter.js"
import type { AuthConfig } from "./config.js"
import type {
  CallbacksOptions,
  RowSessionParams,
  SessionParamsOf,
  SessionStrategy,
  TokenSessionParams,
} from "./hooks.js"
import type { AdapterUser, Awaitable, User } from "./identity.js"
import type { Provider, UsualId } from "./provider.js"
import type { DefaultSession, Session } from "./session.js"
import type { JWT } from "./token.js"

/** A member of the user that `session.expose` may name. */
export type Exposable = keyof User & string

/**
 * The callbacks where the type knows how sessions are kept; where it does not, `session` is given all members. What
 * `jwt` returns is the `token` of `session`, when `jwt` is written first.
 */
export interface StrategyCallbacks<
  Strategy extends SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = Session | DefaultSession,
> extends Omit<CallbacksOptions, "session" | "jwt"> {
  session: (params: SessionParamsOf<Strategy, Token>) => Awaitable<Shown>
  jwt: (params: Parameters<CallbacksOptions["jwt"]>[0]) => Awaitable<Token | null>
}

/** The options of `session` where the strategy is known. */
type SessionOptionsOf<Strategy extends SessionStrategy> = Omit<NonNullable<AuthConfig["session"]>, "strategy"> & {
  strategy?: Strategy | undefined
}

/**
 * The configuration where its type knows how sessions are kept: by `session.strategy` as it is written. The `session`
 * callback is given what that strategy gives, and nothing else.
 */
export interface AuthConfigOf<
  Strategy extends SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = Session | DefaultSession,
  Id extends string = string,
> extends Omit<AuthConfig, "providers" | "session" | "callbacks"> {
  /** @default [] */
  providers?: Provider<UsualId<Id>>[] | undefined
  session?: SessionOptionsOf<Strategy> | undefined
  callbacks?: Partial<StrategyCallbacks<Strategy, Token, Shown>> | undefined
}

/** What a strategy cannot do without: sessions in the database need a data layer. */
export type NeedsOf<Strategy extends SessionStrategy> = [Strategy] extends ["database"]
  ? { adapter: Adapter }
  : { adapter?: Adapter | undefined }

/** Are these the same, each being as good as the other? */
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/**
 * The session that a client sees: what the `session` callback returns; without one, or where its type says no more than
 * that it is a session, the open `Session`. A callback that hands on what it was given shows the user, not the row.
 */
export type SessionOf<Strategy extends SessionStrategy, Shown> = [Shown] extends [never]
  ? Session
  : [DefaultSession] extends [Shown]
    ? Session
    : IsSame<Shown, RowSessionParams["session"]> extends true
      ? Session & { user: [Strategy] extends ["database"] ? AdapterUser : User }
      : IsSame<Shown, TokenSessionParams["session"]> extends true
        ? Session & { user: User }
        : Shown
