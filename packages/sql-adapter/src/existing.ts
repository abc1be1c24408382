/** What is there before a migration: tables of our own, or of another library, and which of their rows prevent a migration. */
import { sql } from "kysely"
import type { Column, IndexFound, Row } from "./dialects/dialect.js"
import { addressKey } from "./dialects/mysql-definitions.js"
import { indexOf } from "./indices-found.js"
import { columnsFound, SchemaError } from "./layout.js"
import { members, type TableKey } from "./names.js"
import { lacksOf, type Requirement } from "./requirements.js"
import type { Runner } from "./runner.js"
import { type ColumnPlan, primaryKeys, schema, uniqueKeys } from "./schema.js"
import { type Existing, ownedTables, ownerOf, type Plan } from "./statements.js"

/** What the first step leaves behind where nothing was before: for what is printed. */
export function afterTables({ dialect, names }: Plan): Existing {
  const keys = Object.keys(schema) as TableKey[]
  const made = (key: TableKey, ...columns: readonly string[]): IndexFound => ({
    name: "",
    isUnique: columns.join() === primaryKeys[key].join(),
    isValid: true,
    parts: columns.map((member) => names.column(key, member)),
    condition: "",
  })
  const indicesOf = (key: TableKey): IndexFound[] => [
    made(key, ...primaryKeys[key]),
    ...(dialect.definitions.indexesOwners && ownedTables.includes(key) ? [made(key, "userId")] : []),
  ]
  return {
    tables: new Set(keys),
    columns: new Map(),
    indices: new Map(keys.map((key) => [key, indicesOf(key)])),
    hasAddressColumn: false,
    owned: new Set(ownedTables),
  }
}

/** The columns of each table, as the database reports them. */
export type RowsFound = ReadonlyMap<TableKey, readonly Row[]>

/** Reads the columns of all five tables. */
export async function readColumns({ dialect, names }: Plan, runner: Runner): Promise<RowsFound> {
  const found = new Map<TableKey, readonly Row[]>()
  for (const key of Object.keys(members) as TableKey[]) {
    found.set(key, await runner.read(dialect.columnsOf(names.table(key))))
  }
  return found
}

function columnsOf({ names }: Plan, key: TableKey, rows: readonly Row[]): Map<string, Column> {
  const found = columnsFound(rows)
  const plans: Readonly<Record<string, ColumnPlan>> = schema[key]
  const columns = new Map<string, Column>()
  for (const member of members[key]) {
    const column = found.get(names.column(key, member))
    if (column) columns.set(member, { ...column, kind: plans[member]?.kind ?? "text" })
  }
  return columns
}

/** Looks at the tables. */
export async function readExisting(plan: Plan, runner: Runner, given?: RowsFound): Promise<Existing> {
  const { definitions } = plan.dialect
  const rows = given ?? (await readColumns(plan, runner))
  const tables = new Set([...rows].filter(([, found]) => found.length > 0).map(([key]) => key))
  const columns = new Map([...rows].map(([key, found]) => [key, columnsOf(plan, key, found)]))
  const indices = new Map<TableKey, readonly IndexFound[]>()
  for (const key of tables) {
    indices.set(key, (await runner.read(definitions.indicesOf(plan.names.table(key)))).map(indexOf))
  }
  const owned = new Set<TableKey>()
  for (const key of ownedTables) {
    const query = tables.has(key) && definitions.ownersOf?.(ownerOf(plan, key))
    if (query && (await runner.read(query)).length > 0) owned.add(key)
  }
  const userId = columns.get("users")?.get("id")?.declared
  const hasAddressColumn = (rows.get("users") ?? []).some(({ name }) => name === addressKey)
  return { tables, columns, indices, hasAddressColumn, owned, ...(userId ? { userId } : {}) }
}

async function countOf(runner: Runner, plan: Plan, query: ReturnType<typeof sql<Row>>): Promise<number> {
  const [row] = await runner.read(query.compile(plan.dialect.builder))
  return Number(row?.count ?? 0)
}

/** What is about to be added. */
type Lacks = readonly Requirement[]

/** Values that occur in more than one row although they must be unique. */
async function duplicates(plan: Plan, runner: Runner, lacks: Lacks): Promise<string[]> {
  const { names, dialect } = plan
  const isAdded = (key: TableKey): boolean => lacks.some(({ kind, table }) => kind === "unique" && table === key)
  const exactly = (column: string) =>
    dialect.definitions.makeExact ? sql`cast(${sql.ref(column)} as binary)` : sql.ref(column)
  const email = sql.ref(names.column("users", "email"))
  const lower = dialect.definitions.makeExact ? sql`cast(lower(${email}) as binary)` : sql`lower(${email})`
  const keys = [
    ...uniqueKeys
      .filter(({ table }) => isAdded(table))
      .map(({ table: key, members: keyMembers }) => ({
        table: names.table(key),
        list: sql.join(keyMembers.map((member) => exactly(names.column(key, member)))),
        shown: keyMembers.map((member) => names.column(key, member)).join(", "),
        where: sql`true`,
      })),
    ...["users" as const].filter(isAdded).map((key) => ({
      table: names.table(key),
      list: lower,
      shown: `lower(${names.column("users", "email")})`,
      where: sql`${email} <> ''`,
    })),
  ]
  const problems: string[] = []
  for (const { table, list, shown, where } of keys) {
    const count = await countOf(
      runner,
      plan,
      sql<Row>`select count(*) as count from (
        select 1 as one from ${sql.table(table)} where ${where} group by ${list} having count(*) > 1) as duplicates`,
    )
    if (count > 0) problems.push(`"${table}": ${count} value(s) of (${shown}) occur in more than one row`)
  }
  return problems
}

/** Rows whose user is gone, where a foreign key is to be added. */
async function orphans(plan: Plan, runner: Runner, lacks: Lacks): Promise<string[]> {
  const problems: string[] = []
  for (const { table: key } of lacks.filter(({ kind }) => kind === "owner")) {
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

/** Rows that a change of a column would not keep as they are. */
async function cut(plan: Plan, runner: Runner, lacks: Lacks): Promise<string[]> {
  const problems: string[] = []
  for (const { table: key, obstacle } of lacks) {
    if (!obstacle) continue
    const table = plan.names.table(key)
    const query = sql<Row>`select count(*) as count from ${sql.table(table)} where ${obstacle.where}`
    const count = await countOf(runner, plan, query)
    if (count > 0) problems.push(`"${table}": ${count} ${obstacle.name}`)
  }
  return problems
}

/**
 * Refuses existing rows that prevent keys. They are counted, never shown.
 * @throws SchemaError that says where and how many
 */
export async function refuseObstacles(plan: Plan, runner: Runner, existing: Existing): Promise<void> {
  const { tables } = existing
  const hasRows = ({ kind, table }: Requirement): boolean =>
    tables.has(table) && (kind !== "owner" || tables.has("users"))
  const lacks = lacksOf(plan, existing).filter(hasRows)
  const problems = [
    ...(await duplicates(plan, runner, lacks)),
    ...(await orphans(plan, runner, lacks)),
    ...(await cut(plan, runner, lacks)),
  ]
  if (problems.length > 0) throw new SchemaError(`Keys cannot be added. ${problems.join("; ")}.`)
}
