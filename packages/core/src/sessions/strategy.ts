/**
 * What the two strategies are asked: to read a session, begin and end it (`select.ts` chooses between them), and what else can
 * be done to sessions (`control.ts` does).
 */
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import type { SessionRecord } from "../ledger/session.js"
import type { AuthEvent } from "../ports/events.js"
import type { Store } from "../ports/store.js"
import type { Account, AdapterUser, Awaitable, Profile, User } from "../types/identity.js"
import type { AdapterSession, Session, SessionUpdate } from "../types/session.js"
import type { SessionFacts } from "../types/session-facts.js"

/** The session that the cookie of the request stands for, and its user. */
export interface CurrentSession {
  /** jwt: from the store by `sub` where there is an adapter, else from the claims. */
  readonly user: AdapterUser
  /** database: the row. */
  readonly session: AdapterSession | undefined
  /** database: what the cookie carries. */
  readonly token?: string
  /** A digest of the account that began the session, where the address of the user was unproven then. */
  readonly unprovenAccount?: string
}

/** The user of the session, for pages that show a name. */
export interface SessionUser {
  readonly user: User
  /** `peek` finds the user too: an account that is proven now would be added to it. */
  readonly isStored: boolean
}

/** A person who was admitted. */
export interface Login {
  readonly user: User | AdapterUser
  /** `null`: somebody acts for the user, who proved nothing. */
  readonly account: Account | null
  readonly profile?: Profile
  /** When the provider last asked the person itself, in seconds, as its id_token says. */
  readonly authTime?: number
  /** What `authorize` returned, where `user` is a copy of it. */
  readonly answered?: User
  /** The adapter created the user in this sign-in; `undefined` without an adapter. */
  readonly isNew: boolean | undefined
  /** A digest of the account, where the address of the user is unproven; the session ends once the owner of the address signs in. */
  readonly unprovenAccount?: string
  /** Who acts for the user: their id. */
  readonly actor?: string
  /** They stand in the store. */
  readonly isActorStored?: true
  /** When they began, in seconds, where they have acted for somebody else until now. */
  readonly actingSince?: number
  /** The account was added to the user of the request's session. It proves nothing of them: whoever has the session may add one. */
  readonly addsAccount?: true
}

/** A session that was read. */
export interface Checked {
  /** What the client may see; `null` when there is no session. */
  readonly session: Session | null
  readonly cookies: readonly CookieChange[]
  readonly events: readonly AuthEvent[]
}

/** A change of a session: begun or ended. */
export interface Changed {
  readonly cookies: readonly CookieChange[]
  readonly events: readonly AuthEvent[]
  /** No session has begun: the one that it goes on from has ended meanwhile. */
  readonly isOver?: true
  /** database: to be called once the transaction in which the session began is committed; what has changed is what it gives. Does not throw. */
  readonly settle?: () => Promise<Changed>
}

/** How a session is kept. Faults of store and callbacks are thrown (SessionTokenError, JWTSessionError, AdapterError). */
export interface Strategy {
  /** `begin` writes to the store and belongs into the transaction of the admission. */
  readonly beginsInStore: boolean
  /**
   * The current user. A broken or ended session gives none, and so does one that the jwt callback ends. Calls that callback once
   * for a request; {@link leaves} says what it did to the token.
   */
  peek(context: Context): Promise<CurrentSession | null>
  /** The user of the session, whether the store has the user or not. Writes nothing and asks no callback. */
  sessionUser(context: Context): Promise<SessionUser | null>
  /**
   * The session cookie as the jwt callback changed it, to be set by a response that neither begins nor ends a session: what
   * `peek` did, or a reading that failed after the callback.
   */
  leaves(context: Context): Awaitable<readonly CookieChange[]>
  /** Reads the session, extends it when due unless `fixed` says that no cookie can be set any more. */
  check(context: Context, fixed?: boolean): Awaitable<Checked>
  /** Passes what the client sent to the callbacks and reads. */
  update(context: Context, data: SessionUpdate | undefined): Awaitable<Checked>
  /** Makes a new session, always with a new token, and ends the one of the request. */
  begin(context: Context, login: Login, store: Store): Promise<Changed>
  /**
   * Ends the session of the request. Clears the cookie also when the store fails: then `failure` holds the SignOutError. Also with
   * a token that has been replaced: whoever signs out in one tab while another gets a new token has to be signed out, and a copy
   * of the earlier token gains nothing by it.
   */
  end(context: Context): Promise<Changed & { readonly failure?: Error }>
}

/** The session of the request. */
export interface SessionHere {
  readonly userId: string
  readonly facts: SessionFacts
  /** The same for the sessions that go on from it with an account added; another one once it has a new token. */
  readonly chainId: string
  /** The keys of its records; none for a token from before sessions were managed. */
  readonly keys: readonly string[]
  /** Its token has been replaced by another one, and is still believed for a moment. It changes nothing, except that it signs out. */
  readonly isReplaced: boolean
  /** The id of whoever holds it, who may be acting for its user, as the store gave it. None where they may never have stood there. */
  readonly holderId?: string
}

/** What can be done to sessions beside reading them. */
export interface SessionControl {
  /** The session of the request; `null` when there is none. */
  current(context: Context): Promise<SessionHere | null>
  /** Gives the session of the request a new token; `null`: it has ended, or another request did. */
  rotate(context: Context): Promise<readonly CookieChange[] | null>
  /** The records of a user's sessions that live, those of the other strategy included: an instance that still has it believes them. */
  list(context: Context, userId: string): Promise<readonly SessionRecord[]>
  /** Is a session shown to its user? */
  isShown(record: SessionRecord): boolean
  /** Ends the session of a record. */
  end(context: Context, record: SessionRecord): Promise<void>
  /** Ends all sessions of a user, and says how many had records. */
  endAll(context: Context, userId: string): Promise<number>
  /** Ends all sessions of a user that have no record. `except`: the one that ends them. */
  endEarlier(context: Context, userId: string, except?: SessionFacts): Promise<void>
  /** Ends the sessions of a user whose record no secret opens, and at once those that have none, as far as the store can. Those whose record opens stay. */
  endUnknown(context: Context, userId: string): Promise<void>
}

/** Changes that take the session cookie away, with all its chunks. */
export const clearSession: readonly CookieChange[] = Object.freeze([{ role: "sessionToken", clear: true } as const])

/** What a request without a session cookie comes to. */
export const noSession: Checked = Object.freeze({
  session: null,
  cookies: Object.freeze([]),
  events: Object.freeze([]),
})

/** The answer to a session cookie that does not open, or whose session has ended. */
export const ended: Checked = Object.freeze({ ...noSession, cookies: clearSession })
