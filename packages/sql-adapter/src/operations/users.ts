/** Operations on users. */
import { randomUUID } from "node:crypto"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { selection, unfindable } from "../codec.js"
import type { Desk } from "../desk.js"
import { holdsIntegers } from "../dialects/columns.js"
import type { Column, Row } from "../dialects/dialect.js"
import { DuplicateError } from "../duplicates.js"
import { SchemaError } from "../layout.js"
import { type Prepared, prepare } from "../prepared.js"
import type { Runner } from "../runner.js"
import type { Table } from "../table.js"

type UserOperations = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser">
>

/** A user as the service knows it: an address that is null in an existing table becomes the empty string. */
export function asUser(row: Row): AdapterUser {
  return { ...row, email: row.email ?? "" } as AdapterUser
}

/** No address is null, which unique keys allow any number of times; the empty string where the column is NOT NULL. */
function storedAddress({ layout }: Table, email: string | null | undefined): string | null {
  const address = email ?? ""
  return address === "" && !layout.columns.get("email")?.required ? null : address
}

/** Says why the second user without an address does not fit, if that is why. */
async function refuseSecondEmpty(users: Table, runner: Runner): Promise<void> {
  const [found] = await users.find(runner, users.finder("email"), { email: "" })
  if (!found) return
  const [table, column] = [users.layout.table, users.column("email")]
  throw new SchemaError(
    `"${table}" can hold one user without an address: "${column}" is unique and must not be null. Allow null in it.`,
  )
}

/** A new surrogate key: text is made here, integers by the database. */
export function newId(table: Table, given?: unknown): Row {
  const column = table.layout.columns.get("id")
  if (!column || holdsIntegers(column.declared)) return {}
  const isGiven = given !== undefined && given !== null && given !== "" && table.key("id", given) !== unfindable
  return { id: isGiven ? given : randomUUID() }
}

const emailColumn = ({ layout, column }: Table): Column =>
  layout.columns.get("email") ?? { name: column("email"), kind: "text", declared: "" }

/** The user with an address, by way of the unique key on addresses. */
function writeByAddress({ dialect, table }: Desk): Prepared {
  const users = table("users")
  return prepare((slot) =>
    dialect.builder
      .selectFrom(users.layout.table)
      .select(selection(users.layout, dialect))
      .where(dialect.isAddress(slot("email"), emailColumn(users), users.layout.hasAddressKey)),
  )
}

/** The owner of an account in one join. */
function writeByAccount({ dialect, table }: Desk): Prepared {
  const [users, accounts] = [table("users"), table("accounts")]
  return prepare((slot) =>
    dialect.builder
      .selectFrom(`${accounts.layout.table} as a`)
      .innerJoin(`${users.layout.table} as u`, `u.${users.column("id")}`, `a.${accounts.column("userId")}`)
      .select(selection(users.layout, dialect, { alias: "u" }))
      .where(accounts.isSame("provider", slot("provider"), "a"))
      .where(accounts.isSame("providerAccountId", slot("providerAccountId"), "a")),
  )
}

/** Tables made by others may have no foreign keys, so nothing is left to them. */
const owned = ["authenticators", "accounts", "sessions"] as const

export function userOperations(desk: Desk, runner: Runner): UserOperations {
  const users = (): Table => desk.table("users")
  return {
    async createUser({ id, ...members }) {
      const row = { ...members, email: storedAddress(users(), members.email), ...newId(users(), id) }
      try {
        return asUser(await users().insert(runner, { members: row, strays: "leave out" }))
      } catch (error) {
        if (error instanceof DuplicateError && row.email === "") await refuseSecondEmpty(users(), runner)
        throw error
      }
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
    async updateUser({ id, ...patch }) {
      const to = patch.email === undefined ? patch : { ...patch, email: storedAddress(users(), patch.email) }
      const [row] = await users().update(runner, { where: { id }, to })
      if (!row) throw new Error("There is no user with this id.")
      return asUser(row)
    },
    async deleteUser(id) {
      const steps = [
        ...owned.filter((key) => desk.has(key)).map((key) => (on: Runner) => desk.table(key).drop(on, { userId: id })),
        (on: Runner) => users().remove(on, { id }),
      ]
      const results = runner.together
        ? await runner.together<unknown>((within) => steps.map((step) => step(within)))
        : await runner.atomically(async (within) => {
            const done: unknown[] = []
            for (const step of steps) done.push(await step(within))
            return done
          })
      const [row] = results.at(-1) as Row[]
      return row ? asUser(row) : null
    },
  }
}
