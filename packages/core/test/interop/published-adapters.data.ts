/** Cases of the contract that adapters published for Auth.js do not keep. The run fails when one of them passes. */
import type { Excuse } from "@latchkey/adapter-contract"

/** What is known of a published adapter. */
export interface Published {
  readonly name: "@auth/unstorage-adapter" | "@auth/kysely-adapter"
  readonly excuses: readonly Excuse[]
}

/** One reason for several cases. */
function because(reason: string, evidence: string, cases: readonly string[]): Excuse[] {
  return cases.map((name) => ({ case: name, reason, evidence }))
}

const datesByGuess = (evidence: string): Excuse[] =>
  because("every text that looks like a date becomes a date", evidence, ["texts that look like dates stay texts"])

const listsAsTexts = (evidence: string): Excuse[] =>
  because("a list of one text is taken for the text", evidence, [
    "a list or an object in place of a string finds nothing and removes nothing",
  ])

const unstorage: readonly Excuse[] = [
  ...because(
    "writes overwrite what is there: nothing is unique",
    "index.js: setAccount, setSession, setUser, setAuthenticator call setItem",
    [
      "createUser refuses an address that another user has",
      "updateUser refuses an address that another user has",
      "linkAccount refuses an account that another user has",
      "linkAccount refuses an account that the same user has",
      "createSession refuses a token that is there already",
      "createAuthenticator refuses a credential that is there already",
      "of many who link an account at once, one gets it",
      "of many who create a user with one address at once, one does",
      "of many who register one credential at once, one does",
      "of many who begin a session with one token at once, one does",
    ],
  ),
  ...because("an update writes the row whether it was there or not", "index.js: updateUser spreads a missing user", [
    "updateUser of an unknown id is refused",
    "updateUser of an unknown id makes no user",
  ]),
  ...because(
    "the index of addresses is never cleared",
    "index.js: setUser writes the new address and leaves the old one",
    ["updateUser moves a user to another address"],
  ),
  ...because("an update reads, then writes", "index.js: updateSession awaits getSession before setSession", [
    "a session that is ended while others extend it stays ended",
  ]),
  ...because("a token is read, then removed", "index.js: useVerificationToken awaits getItem before removeItem", [
    "of many who use a verification token at once, one gets it",
  ]),
  ...because(
    "a user without both an account and a session cannot be removed, and of several only the last one goes",
    "index.js: deleteUser calls removeItem(null) where there is none",
    [
      "deleteUser removes the user",
      "deleteUser removes the user's accounts",
      "an account of a removed user is free again",
      "deleteUser ends the user's sessions",
      "deleteUser removes the user's authenticators",
      "an address of a removed user is free again",
    ],
  ),
  ...because("keys are joined by a colon", 'index.js: provider + ":" + providerAccountId, identifier + ":" + token', [
    "accounts are distinguished by two values, not by one joined string",
    "verification tokens are distinguished by two values, not by one joined string",
  ]),
  ...listsAsTexts("index.js: keys are joined by +"),
  ...datesByGuess("index.js: hydrateDates"),
]

const kysely: readonly Excuse[] = [
  ...because("a missing row is an error", "index.js: updateSession ends in executeTakeFirstOrThrow", [
    "updateSession of an ended session answers null",
  ]),
  ...listsAsTexts('index.js: where(column, "=", value) hands the list to the driver'),
  ...because("a value that is no string goes to a text column as it is", "index.js: linkAccount inserts the account", [
    "session_state of any JSON value comes back as it went in",
  ]),
  ...datesByGuess("index.js: format.from"),
]

export const published: readonly Published[] = [
  { name: "@auth/unstorage-adapter", excuses: unstorage },
  { name: "@auth/kysely-adapter", excuses: kysely },
]
