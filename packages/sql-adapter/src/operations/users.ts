/** Operations on users. */
import { randomUUID } from "node:crypto"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { sql } from "kysely"
import { selection, unfindable } from "../codec.js"
import type { Desk } from "../desk.js"
import type { Row } from "../dialects/dialect.js"
import { type Prepared, prepare } from "../prepared.js"
import type { Table } from "../rows.js"
import type { Runner } from "../runner.js"

type UserOperations = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser">
>

/** A user as the service knows it: an address that is null in an existing table is the empty text. */
export function asUser(row: Row): AdapterUser {
  return { ...row, email: row.email ?? "" } as AdapterUser
}

/** A new surrogate key: text is made here, integers by the database. */
export function newId(table: Table, given?: unknown): Row {
  const column = table.layout.columns.get("id")
  if (!column || column.declared.includes("int")) return {}
  return { id: given === undefined || given === null || given === "" ? randomUUID() : given }
}

/** The user with an address, by way of the unique key on addresses. */
function writeByAddress({ dialect, table }: Desk): Prepared {
  const users = table("users")
  return prepare((slot) =>
    dialect.builder
      .selectFrom(users.layout.table)
      .select(selection(users.layout))
      .where(dialect.isAddress(users.column("email"), sql`${slot("email")}`)),
  )
}

/** The owner of an account in one join. */
function writeByAccount({ dialect, table }: Desk): Prepared {
  const [users, accounts] = [table("users"), table("accounts")]
  return prepare((slot) =>
    dialect.builder
      .selectFrom(`${accounts.layout.table} as a`)
      .innerJoin(`${users.layout.table} as u`, `u.${users.column("id")}`, `a.${accounts.column("userId")}`)
      .select(selection(users.layout, "u"))
      .where(`a.${accounts.column("provider")}`, "=", slot("provider"))
      .where(`a.${accounts.column("providerAccountId")}`, "=", slot("providerAccountId")),
  )
}

/** Tables made by others may have no foreign keys, so nothing is left to them. */
const owned = ["authenticators", "accounts", "sessions"] as const

export function userOperations(desk: Desk, runner: Runner): UserOperations {
  const users = (): Table => desk.table("users")
  return {
    async createUser({ id, ...members }) {
      const row = { ...members, email: members.email ?? "", ...newId(users(), id) }
      return asUser(await users().insert(runner, row, "leave out"))
    },
    async getUser(id) {
      const byId = desk.statement("user by id", () => users().finder("id"))
      const [row] = await users().find(runner, byId, { id })
      return row ? asUser(row) : null
    },
    async getUserByEmail(email) {
      const byAddress = desk.statement("user by address", () => writeByAddress(desk))
      const [row] = await users().find(runner, byAddress, { email })
      return row ? asUser(row) : null
    },
    async getUserByAccount({ provider, providerAccountId }) {
      const accounts = desk.table("accounts")
      const byAccount = desk.statement("user by account", () => writeByAccount(desk))
      const values = {
        provider: accounts.key("provider", provider),
        providerAccountId: accounts.key("providerAccountId", providerAccountId),
      }
      if (Object.values(values).includes(unfindable)) return null
      const [row] = await runner.read(byAccount(values))
      return row ? asUser(users().toMembers(row)) : null
    },
    async updateUser({ id, ...to }) {
      const [row] = await users().update(runner, { where: { id }, to })
      if (!row) throw new Error("There is no user with this id.")
      return asUser(row)
    },
    deleteUser: (id) =>
      runner.atomically(async (within) => {
        for (const key of owned) {
          if (desk.has(key)) await desk.table(key).remove(within, { userId: id })
        }
        const [row] = await users().remove(within, { id })
        return row ? asUser(row) : null
      }),
  }
}
