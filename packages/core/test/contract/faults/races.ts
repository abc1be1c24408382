/** What can be wrong when many call at once, and in transactions. */
import type { Adapter } from "../../../src/types/adapter.js"
import type { AdapterSession } from "../../../src/types/session.js"
import { type Fault, faulty, oneAtATime, pause, type TotalAdapter } from "./fault.js"

type Work = (adapter: Adapter) => Promise<unknown>
type Transaction = (work: Work) => Promise<unknown>
type Loose = (...args: unknown[]) => unknown

/** Changes what happens in a transaction. */
function inTransaction(transaction: (good: TotalAdapter) => Transaction): (good: TotalAdapter) => Partial<Adapter> {
  return (good) => ({ transaction: transaction(good) as TotalAdapter["transaction"] })
}

/** Calls of the operation survive a roll-back. */
function survives(
  operation: "updateUser" | "deleteUser" | "useVerificationToken",
): (good: TotalAdapter) => Partial<Adapter> {
  return inTransaction((good) => async (work) => {
    const calls: unknown[][] = []
    try {
      return await good.transaction((open) => {
        const original = open[operation] as Loose
        const recorded: Loose = (...args) => {
          calls.push(args)
          return original(...args)
        }
        return work({ ...open, [operation]: recorded })
      })
    } catch (error) {
      for (const args of calls) await (good[operation] as Loose)(...args)
      throw error
    }
  })
}

export const raceFaults: readonly Fault[] = [
  faulty("reads, then removes", ["of many who use a verification token at once, one gets it"], (good) => {
    const used = new Set<string>()
    return {
      async useVerificationToken(key) {
        const name = JSON.stringify([key.identifier, key.token])
        if (used.has(name)) return null
        await pause()
        used.add(name)
        return { ...key, expires: new Date("2099-01-01T00:00:00Z") }
      },
      createVerificationToken: good.createVerificationToken,
    }
  }),
  faulty("asks, then links", ["of many who link an account at once, one gets it"], (good) => ({
    async linkAccount(account) {
      if (await good.getUserByAccount(account)) throw new Error("taken")
      await pause()
      await good.unlinkAccount(account)
      return good.linkAccount(account)
    },
  })),
  faulty(
    "asks, then creates the user with the account",
    ["of many who create one user with one account at once, one does"],
    (good) => ({
      async createUserWithAccount(user, account) {
        if (await good.getUserByAccount(account as never)) throw new Error("taken")
        await pause()
        const stored = await good.createUser(user)
        await good.unlinkAccount(account as never)
        await good.linkAccount({ ...account, userId: stored.id } as never)
        return stored
      },
    }),
  ),
  faulty("asks, then creates the user", ["of many who create a user with one address at once, one does"], (good) => ({
    async createUser(user) {
      if (user.email && (await good.getUserByEmail(user.email))) throw new Error("taken")
      await pause()
      return (await good.getUserByEmail(user.email)) ?? good.createUser(user)
    },
  })),
  faulty("asks, then registers", ["of many who register one credential at once, one does"], (good) => ({
    async createAuthenticator(row) {
      if (await good.getAuthenticator(row.credentialID)) throw new Error("taken")
      await pause()
      return (await good.getAuthenticator(row.credentialID)) ?? good.createAuthenticator(row)
    },
  })),
  faulty("asks, then begins the session", ["of many who begin a session with one token at once, one does"], (good) => ({
    async createSession(row) {
      if (await good.getSessionAndUser(row.sessionToken)) throw new Error("taken")
      await pause()
      return (await good.getSessionAndUser(row.sessionToken))?.session ?? good.createSession(row)
    },
  })),
  faulty("refuses a second beginning at once", ["many sessions begin at once"], (good) => ({
    createSession: oneAtATime((row: AdapterSession) => good.createSession(row)),
  })),
  faulty(
    "refuses a second extension at once",
    ["many extend one session at once, and it ends at one of the times they gave"],
    (good) => ({ updateSession: oneAtATime((row) => good.updateSession(row)) }),
  ),
  faulty(
    "adds extensions up",
    ["many extend one session at once, and it ends at one of the times they gave"],
    (good) => ({
      async updateSession(patch) {
        const found = await good.getSessionAndUser(patch.sessionToken)
        return found && good.updateSession({ ...patch, expires: new Date(found.session.expires.getTime() + 1000) })
      },
    }),
  ),
  faulty(
    "writes back the session it has read",
    ["a session that is ended while others extend it stays ended"],
    (good) => ({
      async updateSession(patch) {
        const found = await good.getSessionAndUser(patch.sessionToken)
        if (!found) return null
        await pause()
        return (await good.updateSession(patch)) ?? good.createSession({ ...found.session, ...patch } as AdapterSession)
      },
    }),
  ),
  faulty("refuses a second count at once", ["many count one authenticator at once without an error"], (good) => ({
    updateAuthenticatorCounter: oneAtATime((id: string, count: number) => good.updateAuthenticatorCounter(id, count)),
  })),
]

/** Rolls back although all went well. */
const alwaysRollsBack = inTransaction((good) => async (work) => {
  let result: unknown
  const reason = new Error("rolled back")
  try {
    await good.transaction(async (open) => {
      result = await work(open)
      throw reason
    })
  } catch (error) {
    if (error !== reason) throw error
  }
  return result
})

/** After one refusal, every further call in the transaction is refused. */
const poisoned = inTransaction(
  (good) => (work) =>
    good.transaction((open) => {
      let dead = false
      const guard =
        (operation: Loose): Loose =>
        async (...args) => {
          if (dead) throw new Error("the transaction is aborted")
          try {
            return await operation(...args)
          } catch (error) {
            dead = true
            throw error
          }
        }
      const guarded = Object.fromEntries(
        Object.entries(open).map(([name, operation]) => [name, guard(operation as Loose)]),
      )
      return work(guarded as Adapter)
    }),
)

/** Writes of others slip into the open transaction. */
function slipsIn(good: TotalAdapter): Partial<Adapter> {
  let open: Adapter | undefined
  return {
    createUser: (user) => ((open as TotalAdapter) ?? good).createUser(user),
    transaction: (work) =>
      good.transaction(async (adapter) => {
        open = adapter
        try {
          return await work(adapter)
        } finally {
          open = undefined
        }
      }),
  }
}

export const transactionFaults: readonly Fault[] = [
  faulty(
    "rolls back although all went well",
    [
      "a transaction keeps what it wrote and hands on what it returns",
      "a refusal inside a transaction can be caught, and the rest is kept",
      "many transactions at once all take effect",
    ],
    alwaysRollsBack,
  ),
  faulty(
    "reads beside the transaction",
    ["a transaction sees what it wrote"],
    inTransaction((good) => (work) => good.transaction((open) => work({ ...open, getUser: () => null }))),
  ),
  faulty(
    "has transactions in name only",
    [
      "a transaction that throws passes the error on and leaves nothing",
      "a transaction that throws brings back what it changed",
      "a transaction that throws brings back what it removed",
      "a transaction that throws gives a used verification token back",
    ],
    inTransaction((good) => (work) => work(good)),
  ),
  faulty(
    "passes on an error of its own",
    ["a transaction that throws passes the error on and leaves nothing"],
    inTransaction((good) => async (work) => {
      try {
        return await good.transaction(work)
      } catch (error) {
        throw new Error("transaction failed", { cause: error })
      }
    }),
  ),
  faulty(
    "keeps changes of a roll-back",
    ["a transaction that throws brings back what it changed"],
    survives("updateUser"),
  ),
  faulty(
    "keeps removals of a roll-back",
    ["a transaction that throws brings back what it removed"],
    survives("deleteUser"),
  ),
  faulty(
    "keeps tokens used in a roll-back",
    ["a transaction that throws gives a used verification token back"],
    survives("useVerificationToken"),
  ),
  faulty(
    "aborts the transaction at the first refusal",
    ["a refusal inside a transaction can be caught, and the rest is kept"],
    poisoned,
  ),
  faulty(
    "lets writes of others into the transaction",
    ["writes of others are not rolled back with a transaction"],
    slipsIn,
  ),
  faulty(
    "refuses a second transaction at once",
    ["many transactions at once all take effect"],
    inTransaction((good) => oneAtATime((work: Work) => good.transaction(work))),
  ),
  faulty(
    "has no isolation and no unique keys",
    ["of many first sign-ins of one person at once, one creates the user"],
    inTransaction(
      (good) => (work) =>
        work({
          ...good,
          async linkAccount(account) {
            await pause()
            await good.unlinkAccount(account)
            return good.linkAccount(account)
          },
        }),
    ),
  ),
]
