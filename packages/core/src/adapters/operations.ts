/** The operations of the in-memory adapter, each in one synchronous step. Transactions are made around them. */
import type { AccountKey, Adapter, AdapterAccount, AdapterAuthenticator } from "../types/adapter.js"
import type { VerificationToken } from "../types/credential.js"
import type { AdapterUser } from "../types/identity.js"
import type { AdapterSession } from "../types/session.js"
import { dropWhere, endedBefore, type RecordRow, recordOperations } from "./records.js"
import { copy, createJournal, createTable, given, type Journal, type Table } from "./tables.js"

/** Everything the adapter keeps. `addresses` leads from an address to the user's key. */
export interface Memory {
  readonly journal: Journal
  readonly users: Table<AdapterUser>
  readonly addresses: Table<string>
  readonly accounts: Table<AdapterAccount>
  readonly sessions: Table<AdapterSession>
  readonly tokens: Table<VerificationToken>
  readonly authenticators: Table<AdapterAuthenticator>
  readonly records: Table<RecordRow>
}

/** All operations but `transaction`. */
export type Operations = Required<Omit<Adapter, "transaction" | "emptyEmail" | "comparesExactly">>

export function createMemory(): Memory {
  const journal = createJournal()
  return {
    journal,
    users: createTable(journal),
    addresses: createTable(journal),
    accounts: createTable(journal),
    sessions: createTable(journal),
    tokens: createTable(journal),
    authenticators: createTable(journal),
    records: createTable(journal),
  }
}

/** Ids of existing data may be numbers; keys are strings. A list or an object would be converted to the string that it holds. */
function keyOf(id: unknown): string {
  if (typeof id === "string" || typeof id === "number" || typeof id === "bigint") return String(id)
  throw new TypeError(`Expected an id, received a ${typeof id}.`)
}
/** Two strings as one key that no other pair shares. */
const pair = (first: string, second: string): string => JSON.stringify([first, second])
const accountKey = (key: AccountKey): string => pair(key.provider, key.providerAccountId)
const ownedBy = (userId: unknown) => (row: { userId: unknown }) => keyOf(row.userId) === keyOf(userId)

function rowsOf<Row extends { userId: unknown }>(table: Table<Row>, userId: unknown): Row[] {
  return table
    .entries()
    .map(([, row]) => row)
    .filter(ownedBy(userId))
}

/** Adds a row; throws what `taken` says when there is one under this key. */
function insert<Row>(table: Table<Row>, key: string, { row, taken }: { row: Row; taken: string }): Row {
  if (table.has(key)) throw new Error(taken)
  table.put(key, row)
  return copy(row)
}

/** Changes the members of the patch. A row that was removed meanwhile stays removed: then `null` is returned. */
function change<Row extends object>(table: Table<Row>, key: string, patch: Partial<Row>): Row | null {
  const before = table.get(key)
  if (!before) return null
  const row = { ...before, ...given(patch) }
  table.put(key, row)
  return copy(row)
}

function mustKnowUser(memory: Memory, userId: unknown): void {
  if (!memory.users.has(keyOf(userId))) throw new Error("There is no user with this id.")
}

function userOperations(memory: Memory) {
  const { users, addresses } = memory
  /** Claims the address for the user, and gives up the one it had. */
  const claim = (id: string, email: string, before = ""): void => {
    if (email === before) return
    if (email !== "" && addresses.has(email)) throw new Error("Another user has this address.")
    if (before !== "") addresses.drop(before)
    if (email !== "") addresses.put(email, id)
  }
  const createUser = (user: AdapterUser): AdapterUser => {
    const id = user.id || globalThis.crypto.randomUUID()
    if (users.has(keyOf(id))) throw new Error("There is a user with this id already.")
    const row = { ...user, id, email: user.email ?? "", emailVerified: user.emailVerified ?? null }
    claim(keyOf(id), row.email)
    users.put(keyOf(id), row)
    return copy(row)
  }
  return {
    createUser,
    getUser: (id: string) => users.get(keyOf(id)) ?? null,
    getUserByEmail(email: string): AdapterUser | null {
      const id = addresses.get(email)
      return id === undefined ? null : (users.get(id) ?? null)
    },
    updateUser(patch: Partial<AdapterUser> & Pick<AdapterUser, "id">): AdapterUser {
      const before = users.get(keyOf(patch.id))
      if (!before) throw new Error("There is no user with this id.")
      const row = { ...before, ...given(patch), id: before.id }
      claim(keyOf(row.id), row.email, before.email)
      users.put(keyOf(row.id), row)
      return copy(row)
    },
    deleteUser(userId: string): AdapterUser | null {
      const row = users.drop(keyOf(userId))
      if (!row) return null
      if (row.email !== "") addresses.drop(row.email)
      dropWhere(memory.accounts, ownedBy(userId))
      dropWhere(memory.sessions, ownedBy(userId))
      dropWhere(memory.authenticators, ownedBy(userId))
      return copy(row)
    },
  }
}

function accountOperations(memory: Memory) {
  const { accounts } = memory
  return {
    linkAccount(account: AdapterAccount): AdapterAccount {
      mustKnowUser(memory, account.userId)
      return insert(accounts, accountKey(account), { row: account, taken: "This account is linked already." })
    },
    unlinkAccount: (key: AccountKey) => accounts.drop(accountKey(key)),
    getAccount: (providerAccountId: string, provider: string) =>
      accounts.get(pair(provider, providerAccountId)) ?? null,
    getUserByAccount(key: AccountKey): AdapterUser | null {
      const account = accounts.get(accountKey(key))
      return account ? (memory.users.get(keyOf(account.userId)) ?? null) : null
    },
    listAccountsByUserId: (userId: string) => rowsOf(accounts, userId),
    updateAccount({ userId: _, ...patch }: Partial<AdapterAccount> & AccountKey): AdapterAccount | null {
      return change(accounts, accountKey(patch), patch)
    },
  }
}

function sessionOperations(memory: Memory) {
  const { sessions } = memory
  return {
    createSession(session: AdapterSession): AdapterSession {
      mustKnowUser(memory, session.userId)
      const taken = "There is a session with this token already."
      return insert(sessions, session.sessionToken, { row: session, taken })
    },
    getSessionAndUser(sessionToken: string): { session: AdapterSession; user: AdapterUser } | null {
      const session = sessions.get(sessionToken)
      const user = session && memory.users.get(keyOf(session.userId))
      return session && user ? { session, user } : null
    },
    updateSession(patch: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">): AdapterSession | null {
      return change(sessions, patch.sessionToken, patch)
    },
    deleteSession: (sessionToken: string) => sessions.drop(sessionToken) ?? null,
    deleteSessionsByUserId: (userId: string) => dropWhere(sessions, ownedBy(userId)),
    listSessionsByUserId: (userId: string) => rowsOf(sessions, userId),
  }
}

function credentialOperations(memory: Memory) {
  const { tokens, authenticators } = memory
  return {
    createVerificationToken(token: VerificationToken): VerificationToken {
      tokens.put(pair(token.identifier, token.token), token)
      return copy(token)
    },
    useVerificationToken: (key: { identifier: string; token: string }) =>
      tokens.drop(pair(key.identifier, key.token)) ?? null,
    createAuthenticator(authenticator: AdapterAuthenticator): AdapterAuthenticator {
      mustKnowUser(memory, authenticator.userId)
      const taken = "This credential is registered already."
      return insert(authenticators, authenticator.credentialID, { row: authenticator, taken })
    },
    getAuthenticator: (credentialID: string) => authenticators.get(credentialID) ?? null,
    listAuthenticatorsByUserId: (userId: string) => rowsOf(authenticators, userId),
    updateAuthenticatorCounter(credentialID: string, counter: number): AdapterAuthenticator {
      const row = change(authenticators, credentialID, { counter })
      if (!row) throw new Error("There is no such credential.")
      return row
    },
  }
}

/** Every operation on the given memory. */
export function createOperations(memory: Memory): Operations {
  const users = userOperations(memory)
  const accounts = accountOperations(memory)
  const credentials = credentialOperations(memory)
  return {
    ...users,
    ...accounts,
    ...sessionOperations(memory),
    ...credentials,
    ...recordOperations(memory.records),
    createUserWithAccount(user, account, authenticator) {
      const savepoint = memory.journal.savepoint()
      try {
        const stored = users.createUser(user)
        accounts.linkAccount({ ...account, userId: stored.id } as AdapterAccount)
        if (authenticator) credentials.createAuthenticator({ ...authenticator, userId: stored.id })
        return stored
      } catch (error) {
        memory.journal.rollbackTo(savepoint)
        throw error
      }
    },
    deleteExpired: (now) => ({
      sessions: dropWhere(memory.sessions, endedBefore(now)),
      verificationTokens: dropWhere(memory.tokens, endedBefore(now)),
      records: dropWhere(memory.records, endedBefore(now)),
    }),
  }
}
