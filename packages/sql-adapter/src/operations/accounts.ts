/** Operations on accounts. */
import type { AccountKey, Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import type { Desk } from "../desk.js"
import type { Row } from "../dialects/dialect.js"
import type { Runner } from "../runner.js"
import type { Table } from "../table.js"
import { credentialOperations } from "./credentials.js"
import { newId, userOperations } from "./users.js"

type AccountOperations = Required<
  Pick<
    Adapter,
    "linkAccount" | "unlinkAccount" | "getAccount" | "listAccountsByUserId" | "updateAccount" | "createUserWithAccount"
  >
>

const keyOf = ({ provider, providerAccountId }: AccountKey): Row => ({ provider, providerAccountId })

/** Providers hand out members of their own; those without a column are left out. */
async function link(accounts: Table, runner: Runner, account: Row): Promise<AdapterAccount> {
  const { id: _, ...rest } = account
  const members = { ...rest, ...newId(accounts) }
  return (await accounts.insert(runner, { members, strays: "leave out" })) as unknown as AdapterAccount
}

/** In a batch, the id of the user has to be known before its row is there. */
async function insertTogether(
  desk: Desk,
  { together }: Required<Pick<Runner, "together">>,
  [user, account, authenticator]: Parameters<AccountOperations["createUserWithAccount"]>,
): Promise<AdapterUser> {
  const { id: userId } = newId(desk.table("users"), user.id) as { id?: string }
  if (userId === undefined) {
    throw new TypeError("The database generates the ids of users here. Without transactions they have to be strings.")
  }
  const accounts = desk.table("accounts")
  const [stored] = await together<unknown>((within) => [
    userOperations(desk, within).createUser({ ...user, id: userId }) as Promise<unknown>,
    link(accounts, within, { ...account, userId }),
    ...(authenticator
      ? [credentialOperations(desk, within).createAuthenticator({ ...authenticator, userId }) as Promise<unknown>]
      : []),
  ])
  return stored as AdapterUser
}

export function accountOperations(desk: Desk, runner: Runner): AccountOperations {
  const accounts = (): Table => desk.table("accounts")
  return {
    linkAccount: (account) => link(accounts(), runner, account),
    async unlinkAccount(key) {
      const [row] = await accounts().remove(runner, keyOf(key))
      return row as AdapterAccount | undefined
    },
    async getAccount(providerAccountId, provider) {
      const byKey = desk.statement("account", () => accounts().finder("provider", "providerAccountId"))
      const [row] = await accounts().find(runner, byKey, { provider, providerAccountId })
      return (row as AdapterAccount | undefined) ?? null
    },
    async listAccountsByUserId(userId) {
      const byUser = desk.statement("accounts by user", () => accounts().finder("userId"))
      return (await accounts().find(runner, byUser, { userId })) as unknown as AdapterAccount[]
    },
    async updateAccount({ id: _, userId: __, provider, providerAccountId, ...to }) {
      const where = { provider, providerAccountId }
      const [row] = await accounts().update(runner, { where, to, strays: "leave out" })
      return (row as AdapterAccount | undefined) ?? null
    },
    async createUserWithAccount(user, account, authenticator) {
      if (runner.together) return insertTogether(desk, { together: runner.together }, [user, account, authenticator])
      return runner.atomically(async (within) => {
        const stored = await userOperations(desk, within).createUser(user)
        const { id: userId } = stored
        await link(accounts(), within, { ...account, userId })
        if (authenticator) await credentialOperations(desk, within).createAuthenticator({ ...authenticator, userId })
        return stored
      })
    },
  }
}
