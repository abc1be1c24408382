/** What is there before a migration: tables of our own, or of another library, and what stands in the way in them. */
import { sql } from "kysely"
import type { Column, Row } from "./dialects/dialect.js"
import { SchemaError } from "./layout.js"
import { members, type TableKey } from "./names.js"
import type { Runner } from "./runner.js"
import { type ColumnPlan, schema, uniqueKeys } from "./schema.js"
import { type Existing, ownedTables, ownerOf, type Plan } from "./statements.js"

/** Nothing is there yet: for what is printed. */
export const nothing: Existing = {
  indices: new Set(),
  owned: new Set(ownedTables),
  columns: new Map(),
}

async function columnsOf({ dialect, names }: Plan, runner: Runner, key: TableKey): Promise<Map<string, Column>> {
  const rows = await runner.read(dialect.columnsOf(names.table(key)))
  const declared = new Map(rows.map(({ name, type }) => [String(name), String(type ?? "").toLowerCase()]))
  const plans: Readonly<Record<string, ColumnPlan>> = schema[key]
  const columns = new Map<string, Column>()
  for (const member of members[key]) {
    const name = names.column(key, member)
    const type = declared.get(name)
    if (type !== undefined) columns.set(member, { name, kind: plans[member]?.kind ?? "text", declared: type })
  }
  return columns
}

/** Looks at the tables. */
export async function readExisting(plan: Plan, runner: Runner): Promise<Existing> {
  const { definitions } = plan.dialect
  const columns = new Map<TableKey, Map<string, Column>>()
  const indices = new Set<string>()
  const owned = new Set<TableKey>()
  for (const key of Object.keys(members) as TableKey[]) {
    columns.set(key, await columnsOf(plan, runner, key))
    const found = definitions.indicesOf && (await runner.read(definitions.indicesOf(plan.names.table(key))))
    for (const { name } of found ?? []) indices.add(String(name))
  }
  for (const key of ownedTables) {
    const query = definitions.ownersOf?.(ownerOf(plan, key))
    if (query && (await runner.read(query)).length > 0) owned.add(key)
  }
  const userId = columns.get("users")?.get("id")?.declared
  return { columns, indices, owned, ...(userId ? { userId } : {}) }
}

async function countOf(runner: Runner, plan: Plan, query: ReturnType<typeof sql<Row>>): Promise<number> {
  const [row] = await runner.read(query.compile(plan.dialect.builder))
  return Number(row?.count ?? 0)
}

/** Values that stand in more than one row although they must be unique. */
async function duplicates(plan: Plan, runner: Runner, { columns }: Existing): Promise<string[]> {
  const { names, dialect } = plan
  const users = columns.get("users")?.get("email")
  const exactly = (column: string) =>
    dialect.definitions.makeExact ? sql`cast(${sql.ref(column)} as binary)` : sql.ref(column)
  const email = sql.ref(names.column("users", "email"))
  const lower = dialect.definitions.makeExact ? sql`cast(lower(${email}) as binary)` : sql`lower(${email})`
  const keys = [
    ...uniqueKeys.map(({ table: key, members: keyMembers }) => ({
      table: names.table(key),
      list: sql.join(keyMembers.map((member) => exactly(names.column(key, member)))),
      shown: keyMembers.map((member) => names.column(key, member)).join(", "),
      where: sql`true`,
    })),
    {
      table: names.table("users"),
      list: lower,
      shown: `lower(${users?.name ?? names.column("users", "email")})`,
      where: sql`${email} <> ''`,
    },
  ]
  const problems: string[] = []
  for (const { table, list, shown, where } of keys) {
    const count = await countOf(
      runner,
      plan,
      sql<Row>`select count(*) as count from (
        select 1 as one from ${sql.table(table)} where ${where} group by ${list} having count(*) > 1) as duplicates`,
    )
    if (count > 0) problems.push(`"${table}": ${count} value(s) of (${shown}) stand in more than one row`)
  }
  return problems
}

/** Rows whose user is gone, where a foreign key is to be added. */
async function orphans(plan: Plan, runner: Runner, { owned }: Existing): Promise<string[]> {
  if (!plan.dialect.definitions.addOwner) return []
  const problems: string[] = []
  for (const key of ownedTables.filter((table) => !owned.has(table))) {
    const { table, column, users, id } = ownerOf(plan, key)
    const count = await countOf(
      runner,
      plan,
      sql<Row>`select count(*) as count from ${sql.table(table)} as o
        where not exists (select 1 from ${sql.table(users)} as u where ${sql.ref(`u.${id}`)} = ${sql.ref(`o.${column}`)})`,
    )
    if (count > 0) problems.push(`"${table}": ${count} row(s) belong to no user`)
  }
  return problems
}

/**
 * Refuses existing rows that stand in the way of keys. They are counted, never shown.
 * @throws SchemaError that says where and how many
 */
export async function refuseObstacles(plan: Plan, runner: Runner, existing: Existing): Promise<void> {
  const problems = [...(await duplicates(plan, runner, existing)), ...(await orphans(plan, runner, existing))]
  if (problems.length > 0) throw new SchemaError(`Keys cannot be added. ${problems.join("; ")}.`)
}
