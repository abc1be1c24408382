/** Operations on accounts. */
import type { AccountKey, Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { apply, type Step, untilSettled } from "../changes.js"
import { type Desk, rowAt, rowsOwned, textAt } from "../desk.js"
import type { Promised } from "../promised.js"
import { DamagedRowError, decode, encode, given } from "../values.js"

type AccountOperations = Promised<
  Pick<Adapter, "linkAccount" | "unlinkAccount" | "getAccount" | "listAccountsByUserId" | "updateAccount">
>

/** An account as it is stored: what names it is text. */
export function accountRow(account: AdapterAccount): AdapterAccount {
  const row = given(account)
  return {
    ...row,
    provider: String(account.provider),
    providerAccountId: String(account.providerAccountId),
  } as AdapterAccount
}

/** An account, or a passkey, whose owner is gone (lost with evicted keys) is free. The conditions that say so, if it is. */
export async function vacantRow(desk: Desk, key: string): Promise<readonly Step[] | undefined> {
  const text = await textAt(desk, key)
  if (text === null) return [["absent", key]]
  const owner = desk.keys.user(decode<AdapterAccount>(text, "account").userId)
  if (await textAt(desk, owner)) return undefined
  return [
    ["equals", key, text],
    ["absent", owner],
  ]
}

/**
 * The user of an account. One that the list of its user does not name (lost with evicted keys) signs nobody in: nothing that
 * goes by the list could remove it, such as the arrival of who owns the address.
 */
export function ownerOf(desk: Desk, { provider, providerAccountId }: AccountKey): Promise<AdapterUser | null> {
  const { keys, connection } = desk
  const key = keys.account(provider, providerAccountId)
  return untilSettled(async () => {
    const text = await textAt(desk, key)
    if (text === null) return { user: null }
    const { userId, type } = decode<AdapterAccount>(text, "account")
    const list = keys.accountsOf(userId)
    const [isNamed, user] = await Promise.all([
      connection.send({ key: list, args: ["SISMEMBER", list, key], isReading: true }),
      rowAt<AdapterUser>(desk, keys.user(userId), "user"),
    ])
    if (!user || Number(isNamed) === 1) return { user }
    if ((await textAt(desk, key)) !== text) return undefined
    if (type === "email") {
      // Nobody can have prepared it: it lets in whoever has just read a mail to that address.
      const named: readonly Step[] = [
        ["equals", key, text],
        ["add", list, key],
      ]
      await apply(connection, named)
      return undefined
    }
    throw new DamagedRowError("account", "the list of its user's accounts has lost it")
  }).then(({ user }) => user)
}

export function accountOperations(desk: Desk): AccountOperations {
  const { keys, connection } = desk
  const keyOf = ({ provider, providerAccountId }: AccountKey): string => keys.account(provider, providerAccountId)
  return {
    async linkAccount(account) {
      const row = accountRow(account)
      const [key, owner] = [keyOf(row), keys.user(row.userId)]
      let free: readonly Step[] = [["absent", key]]
      return untilSettled(async () => {
        const failed = await apply(connection, [
          ["present", owner],
          ...free,
          ["set", key, encode(row)],
          ["add", keys.accountsOf(row.userId), key],
        ])
        if (!failed) return row
        if (failed[1] === owner) throw new Error("There is no user with this id.")
        const vacant = await vacantRow(desk, key)
        if (!vacant) throw new Error("This account is linked already.")
        free = vacant
        return undefined
      })
    },
    async unlinkAccount(account) {
      const key = keyOf(account)
      const { row } = await untilSettled(async () => {
        const text = await textAt(desk, key)
        if (text === null) return { row: undefined }
        const found = decode<AdapterAccount>(text, "account")
        const failed = await apply(connection, [
          ["equals", key, text],
          ["del", key],
          ["remove", keys.accountsOf(found.userId), key],
        ])
        return failed ? undefined : { row: found }
      })
      return row
    },
    getAccount: (providerAccountId, provider) => rowAt(desk, keys.account(provider, providerAccountId), "account"),
    listAccountsByUserId: async (userId) =>
      rowsOwned<AdapterAccount>(desk, { list: keys.accountsOf(userId), userId, what: "account" }),
    async updateAccount({ userId: _, ...patch }) {
      const key = keyOf(patch)
      const { row } = await untilSettled(async () => {
        const text = await textAt(desk, key)
        if (text === null) return { row: null }
        const before = decode<AdapterAccount>(text, "account")
        const after = accountRow({ ...before, ...given(patch), userId: before.userId } as AdapterAccount)
        const failed = await apply(connection, [
          ["equals", key, text],
          ["set", key, encode(after)],
        ])
        return failed ? undefined : { row: after }
      })
      return row
    },
  }
}
