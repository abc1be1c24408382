/** What `transaction` promises: all or nothing, without the writes of other callers. */
import type { Adapter } from "@latchkey/core/adapters"
import { type ContractCase, group, type Kit } from "./case.js"
import { absent, fail, fulfilled, holds, present, refuses, same, sameId, settle, succeed } from "./check.js"
import { accountKey } from "./keys.js"
import { crowd, draftAccount, draftUser, newAccount, newSession, newToken, newUser } from "./samples.js"

/** The kit, on the adapter of an open transaction. */
const inside = (kit: Kit, adapter: Adapter): Kit => ({
  ...kit,
  fresh: kit.fresh,
  adapter: adapter as Required<Adapter>,
})

/** Runs `work` in a transaction that is rolled back. */
async function rollBack(kit: Kit, work: (kit: Kit) => Promise<void>): Promise<void> {
  const reason = new Error("rolled back on purpose")
  const [outcome] = await settle([
    () =>
      kit.adapter.transaction(async (adapter) => {
        await work(inside(kit, adapter))
        throw reason
      }),
  ])
  if (outcome?.status !== "rejected") fail("the transaction did not pass the error on")
  else if (outcome.reason !== reason) fail(`the transaction passed on another error: ${String(outcome.reason)}`)
}

export const transactionCases: readonly ContractCase[] = group("transactions", {
  "a transaction keeps what it wrote and hands on what it returns": [
    ["transaction", "createUser", "linkAccount", "createSession", "getUserByAccount", "getSessionAndUser"],
    async (kit) => {
      const written = await kit.adapter.transaction(async (adapter) => {
        const user = await newUser(inside(kit, adapter))
        const account = await newAccount(inside(kit, adapter), user.id)
        return { user, account, session: await newSession(inside(kit, adapter), user.id) }
      })
      const owner = present(await kit.adapter.getUserByAccount(accountKey(written.account)), "getUserByAccount")
      sameId(owner.id, written.user.id, "the owner")
      const found = present(await kit.adapter.getSessionAndUser(written.session.sessionToken), "getSessionAndUser")
      sameId(found.user.id, written.user.id, "the user of the session")
    },
  ],
  "a transaction sees what it wrote": [
    ["transaction", "createUser", "linkAccount", "getUser", "getUserByAccount"],
    (kit) =>
      kit.adapter.transaction(async (adapter) => {
        const user = await newUser(inside(kit, adapter))
        present(await inside(kit, adapter).adapter.getUser(user.id), "getUser")
        const account = await newAccount(inside(kit, adapter), user.id)
        present(await inside(kit, adapter).adapter.getUserByAccount(accountKey(account)), "getUserByAccount")
      }),
  ],
  "a transaction that throws passes the error on and leaves nothing": [
    [
      "transaction",
      "createUser",
      "linkAccount",
      "createSession",
      "getUserByEmail",
      "getUserByAccount",
      "getSessionAndUser",
    ],
    async (kit) => {
      const draft = draftUser(kit)
      const account = draftAccount(kit, "")
      const sessionToken = kit.fresh("session")
      await rollBack(kit, async (within) => {
        const user = await within.adapter.createUser(draft)
        await within.adapter.linkAccount({ ...account, userId: user.id })
        await newSession(within, user.id, { sessionToken })
      })
      absent(await kit.adapter.getUserByEmail(draft.email), "the user")
      absent(await kit.adapter.getUserByAccount(accountKey(account)), "the account")
      absent(await kit.adapter.getSessionAndUser(sessionToken), "the session")
    },
  ],
  "a transaction that throws brings back what it changed": [
    ["transaction", "createUser", "updateUser", "getUser", "createSession", "updateSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const session = await newSession(kit, user.id)
      await rollBack(kit, async ({ adapter }) => {
        await adapter.updateUser({ id: user.id, name: "changed" })
        await adapter.updateSession({ sessionToken: session.sessionToken, expires: new Date("2100-01-01T00:00:00Z") })
      })
      holds(present(await kit.adapter.getUser(user.id), "getUser"), { name: user.name }, "the user")
      const found = present(await kit.adapter.getSessionAndUser(session.sessionToken), "getSessionAndUser")
      holds(found.session, { expires: session.expires }, "the session")
    },
  ],
  "a transaction that throws brings back what it removed": [
    ["transaction", "createUser", "linkAccount", "deleteUser", "getUserByAccount", "getUserByEmail"],
    async (kit) => {
      const user = await newUser(kit)
      const account = await newAccount(kit, user.id)
      await rollBack(kit, async ({ adapter }) => {
        await adapter.deleteUser(user.id)
      })
      sameId(
        present(await kit.adapter.getUserByAccount(accountKey(account)), "getUserByAccount").id,
        user.id,
        "the owner",
      )
      sameId(present(await kit.adapter.getUserByEmail(user.email), "getUserByEmail").id, user.id, "by address")
    },
  ],
  "a transaction that throws gives a used verification token back": [
    ["transaction", "createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const { identifier, token } = await newToken(kit)
      await rollBack(kit, async ({ adapter }) => {
        present(await adapter.useVerificationToken({ identifier, token }), "inside the transaction")
      })
      present(await kit.adapter.useVerificationToken({ identifier, token }), "after the transaction")
    },
  ],
  "a refusal inside a transaction can be caught, and the rest is kept": [
    ["transaction", "createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      const taken = await newAccount(kit, (await newUser(kit)).id)
      const kept = await kit.adapter.transaction(async (adapter) => {
        const user = await newUser(inside(kit, adapter))
        await refuses(() => inside(kit, adapter).adapter.linkAccount({ ...taken, userId: user.id }), "linkAccount")
        return newAccount(inside(kit, adapter), user.id)
      })
      present(await kit.adapter.getUserByAccount(accountKey(kept)), "the account linked after the refusal")
    },
  ],
  "writes of others are not rolled back with a transaction": [
    ["transaction", "createUser", "getUserByEmail"],
    async (kit) => {
      const others: Promise<{ email: string }>[] = []
      const draft = draftUser(kit)
      await rollBack(kit, async (within) => {
        await within.adapter.createUser(draft)
        others.push(...crowd.map(() => newUser(kit)))
        await within.adapter.createUser(draftUser(kit))
      })
      for (const { email } of await Promise.all(others)) {
        present(await kit.adapter.getUserByEmail(email), "a user that another request created meanwhile")
      }
      absent(await kit.adapter.getUserByEmail(draft.email), "the user of the transaction")
    },
  ],
  "many transactions at once all take effect": [
    ["transaction", "createUser", "linkAccount", "createSession", "getSessionAndUser", "getUserByAccount"],
    async (kit) => {
      const works = crowd.map(
        () => () =>
          kit.adapter.transaction(async (adapter) => {
            const user = await newUser(inside(kit, adapter))
            const account = await newAccount(inside(kit, adapter), user.id)
            return { user, account, session: await newSession(inside(kit, adapter), user.id) }
          }),
      )
      for (const { user, account, session } of await succeed(works, "transaction")) {
        sameId(present(await kit.adapter.getUserByAccount(accountKey(account)), "an account").id, user.id, "the owner")
        present(await kit.adapter.getSessionAndUser(session.sessionToken), "a session")
      }
    },
  ],
  "of many first sign-ins of one person at once, one creates the user": [
    ["transaction", "createUser", "linkAccount", "getUserByAccount", "getUserByEmail"],
    async (kit) => {
      const account = draftAccount(kit, "")
      const drafts = crowd.map(() => draftUser(kit))
      const works = drafts.map(
        (draft) => () =>
          kit.adapter.transaction(async (open) => {
            const { adapter } = inside(kit, open)
            const owner = await adapter.getUserByAccount(accountKey(account))
            if (owner) return owner
            const user = await adapter.createUser(draft)
            await adapter.linkAccount({ ...account, userId: user.id })
            return user
          }),
      )
      const outcomes = await settle(works)
      if (fulfilled(outcomes) === 0) fail("nobody came in")
      const owner = present(await kit.adapter.getUserByAccount(accountKey(account)), "getUserByAccount")
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") sameId(outcome.value.id, owner.id, "the user of one sign-in")
      }
      const found = await Promise.all(drafts.map(({ email }) => kit.adapter.getUserByEmail(email)))
      same(found.filter(Boolean).length, 1, "how many users there are")
    },
  ],
})
