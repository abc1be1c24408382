/** What a data layer offers. Every operation is optional; one that is missing fails when it is needed. */

import type { Authenticator, VerificationToken } from "./credential.js"
import type { Account, AdapterUser, Awaitable, ProviderType } from "./identity.js"
import type { RecordStore } from "./records.js"
import type { AdapterSession } from "./session.js"

/** The account types an adapter stores. */
export type AdapterAccountType = Extract<ProviderType, "oauth" | "oidc" | "email" | "webauthn">

/** An account as an adapter stores it. */
export interface AdapterAccount extends Account {
  userId: string
  /** The type of the provider; accounts of credentials are never stored. */
  type: AdapterAccountType
}

/** An account that is about to be stored: its owner is filled in by whoever stores it. */
export interface AccountDraft extends Account {
  /** The type of the provider. */
  type: AdapterAccountType
}

/** A WebAuthn authenticator as an adapter stores it. */
export interface AdapterAuthenticator extends Authenticator {
  /** Id of the user who owns the authenticator. */
  userId: string
}

/** Names an account: the two values that are unique together. */
export type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

/** How many rows an adapter has removed because their time had passed. */
export interface ExpiredRows {
  /** How many sessions were removed. */
  sessions: number
  /** How many verification tokens were removed. */
  verificationTokens: number
  /** Left out by adapters that keep no records. */
  records?: number
}

/** Options for the removal of expired rows. */
export interface DeleteExpiredOptions {
  /** Called after each step with what has been removed so far. An adapter that removes everything at once may leave it out. */
  readonly onProgress?: (removed: Readonly<ExpiredRows>) => void
}

/**
 * A data layer. Rows use camelCase names, OAuth values snake_case ones. The seven operations of a {@link RecordStore} are
 * optional additions, offered together or not at all; inside `transaction` they take part in it.
 */
export interface Adapter extends Partial<RecordStore> {
  /**
   * How a user without an address is passed to the adapter. `true`: as the empty string, and any number of such users
   * can be stored. Otherwise as `null`, which a unique key allows any number of times. What is read may be either.
   * @default false
   */
  emptyEmail?: boolean
  /**
   * Does the store tell ids apart that differ by capitals, accents, spaces or the script of digits? Where this is not `true`, no
   * account is made whose id is a number in digits of another script or with letters that nobody sees; and where there is a
   * `getAccount`, it is asked for the account of a user that `getUserByAccount` has found at a sign-in with OAuth or OpenID
   * Connect, and a user found by the id of another account counts as not found.
   * @default false
   */
  comparesExactly?: boolean
  /** Stores a user and returns it as stored; the returned `id` counts, the given one may be ignored. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  /** Returns `null` for an unknown id. */
  getUser?(id: string): Awaitable<AdapterUser | null>
  /** Compares the address exactly (it arrives normalised). Never called with an empty address. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  /** Returns the user who owns the account, or `null`. */
  getUserByAccount?(key: AccountKey): Awaitable<AdapterUser | null>
  /** Changes the given members and returns the whole user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>
  /** Removes the user with its accounts, sessions and authenticators. */
  deleteUser?(userId: string): Awaitable<void | AdapterUser | null | undefined>
  /** Refuses (throws) when the account exists already. */
  linkAccount?(account: AdapterAccount): Awaitable<void | AdapterAccount | null | undefined>
  /** Removes the account. Removing an absent one is no error. */
  unlinkAccount?(key: AccountKey): Awaitable<void | AdapterAccount | undefined>
  /** Returns the account with this `providerAccountId` at the provider, or `null`. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  /** Stores a session and returns it. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** One call for both, so that one round trip serves. Returns `null` when either is missing. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  /** Changes the given members of the session with this token and returns it; nothing, or `null`, where there is none. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined>
  /** Removes the session; returning the removed row is preferred. Removing an absent one is no error. */
  deleteSession?(sessionToken: string): Awaitable<void | AdapterSession | null | undefined>
  /** Stores a pending e-mail link. */
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>
  /** Consumes: returns the row and removes it in ONE atomic step, so that of two callers only one gets it. Needs both values to match. */
  useVerificationToken?(key: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  /** Throws on failure. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  /** Returns the authenticator with this credential id, or `null`. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  /** Returns an empty list for an unknown user; throws on any other failure. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  /**
   * Throws on failure, also for an unknown credential. The stored counter is read and compared right before, in the same
   * `transaction`. Where transactions do not lock what they read, two responses of a passkey and its copy that overlap there
   * may both be accepted; a store that keeps the greater of the two counters leaves the copy refused afterwards.
   */
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>

  /** Optional addition: runs `work` on an adapter whose writes become visible together or not at all. A throw in `work` rolls back and is passed on. */
  transaction?<T>(work: (adapter: Adapter) => Promise<T>): Promise<T>
  /**
   * Optional addition: stores a user, its first account and, where one is given, the authenticator of that account in
   * one atomic step, and returns the user as stored. `userId` of the others is filled by the adapter.
   */
  createUserWithAccount?(
    user: AdapterUser,
    account: AccountDraft,
    authenticator?: Authenticator,
  ): Awaitable<AdapterUser>
  /**
   * Optional addition: lists the accounts of a user, an empty list for an unknown one. Needed to remove what a stranger
   * linked to a user before the owner of the address arrives.
   */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /** Optional addition: ends every session of a user. Needed to end those of a stranger when the owner of the address arrives. */
  deleteSessionsByUserId?(userId: string): Awaitable<unknown>
  /** Optional addition: lists the sessions of a user. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>
  /**
   * Optional addition: changes the given members of an account and leaves all others. Called at every further sign-in
   * with OAuth or OpenID Connect, with the tokens that came and that the provider's `account` callback keeps.
   */
  updateAccount?(account: Partial<AdapterAccount> & AccountKey): Awaitable<AdapterAccount | null | undefined>
  /**
   * Optional addition: removes sessions, verification tokens and records that ended before `now`, and says how many. A
   * store that others use meanwhile removes them in small steps and lets the others through in between.
   */
  deleteExpired?(now: Date, options?: DeleteExpiredOptions): Awaitable<ExpiredRows>
}
