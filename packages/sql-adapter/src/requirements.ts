/** What tables must have beside their columns: each point is compared with what is there, whatever it is called. */
import { type CompiledQuery, type Expression, type SqlBool, sql } from "kysely"
import type { Column, IndexFound, OwnerKey } from "./dialects/dialect.js"
import { shortened, type TableKey } from "./names.js"
import { type ColumnPlan, indices, schema, uniqueKeys } from "./schema.js"
import { createTable, type Existing, ownedTables, ownerOf, type Plan } from "./statements.js"

/** One point. */
export interface Requirement {
  readonly kind: "table" | "comparison" | "unique" | "index" | "owner"
  readonly table: TableKey
  /** What is missing, as a sentence without its full stop. */
  readonly lack: string
  readonly isMet: boolean
  /** Rows that prevent it, and what they are. */
  readonly obstacle?: { readonly where: Expression<SqlBool>; readonly name: string }
  /** What brings it about. */
  readonly statements: () => CompiledQuery[]
}

/** The name, or another one where something else has it. */
function freeName(base: string, { indices: found, namesBeside }: Existing): string {
  const taken = new Set([...found.values()].flat().map(({ name }) => name))
  const name = shortened(base)
  return taken.has(name) || namesBeside?.has(name) ? shortened(`${base}_latchkey`) : name
}

const isFit = ({ isUnique, isValid, condition }: IndexFound, mustBeUnique: boolean): boolean =>
  isValid && (isUnique || !mustBeUnique) && condition === ""

function tables(plan: Plan, existing: Existing): Requirement[] {
  return (Object.keys(schema) as TableKey[]).map((key) => ({
    kind: "table",
    table: key,
    lack: `there is no table "${plan.names.table(key)}"`,
    isMet: existing.tables.has(key),
    statements: () => [createTable(plan, key, existing)],
  }))
}

/** The columns by which rows are found must compare exactly. */
function comparisons({ dialect, names }: Plan, { columns }: Existing): Requirement[] {
  const { makeExact, cuts } = dialect.definitions
  if (!makeExact) return []
  const users = { table: "users" as const, members: ["email"] }
  const tokens = { table: "verificationTokens" as const, members: ["identifier", "token"] }
  return [...uniqueKeys, users, tokens].flatMap(({ table: key, members }) =>
    members.flatMap((member): Requirement[] => {
      const column: Column | undefined = columns.get(key)?.get(member)
      const plan = (schema[key] as Readonly<Record<string, ColumnPlan>>)[member]
      const change = column && plan && { table: names.table(key), column, plan }
      const statement = change && makeExact(change)
      if (!statement) return []
      // A text of a limited length keeps that.
      const where = /^varchar/.test(column.declared) ? undefined : cuts?.(change)
      const obstacle = where && {
        where,
        name: `value(s) of "${column.name}" are longer than ${plan.length} characters`,
      }
      const lack = `"${names.table(key)}" compares "${column.name}" loosely`
      return [
        {
          kind: "comparison",
          table: key,
          lack,
          isMet: false,
          ...(obstacle && { obstacle }),
          statements: () => [statement],
        },
      ]
    }),
  )
}

function uniqueAddress({ dialect, names }: Plan, existing: Existing): Requirement {
  const { definitions } = dialect
  const [table, column] = [names.table("users"), names.column("users", "email")]
  const found = existing.indices.get("users") ?? []
  const wanted = definitions.addressPart(column)
  const isMet = found.some(
    ({ isUnique, isValid, parts, condition }) =>
      isUnique && isValid && parts.join() === wanted && ["", `${column}<>''`].includes(condition),
  )
  const name = freeName(`${names.bare("users")}_${column}_lower_key`, existing)
  return {
    kind: "unique",
    table: "users",
    lack: `"${table}" has no unique key on lower(${column})`,
    isMet,
    statements: () => definitions.uniqueAddress({ name, table, column, hasColumn: existing.hasAddressColumn }),
  }
}

interface IndexPlan {
  readonly table: TableKey
  readonly members: readonly string[]
  readonly isUnique: boolean
}

function index(plan: Plan, { table: key, members, isUnique }: IndexPlan, existing: Existing): Requirement {
  const [table, columns] = [plan.names.table(key), members.map((member) => plan.names.column(key, member))]
  const found = (existing.indices.get(key) ?? []).filter((it) => isFit(it, isUnique))
  const isMet = found.some(({ parts }) =>
    isUnique ? parts.toSorted().join() === columns.toSorted().join() : columns.every((name, at) => parts[at] === name),
  )
  const { definitions, builder } = plan.dialect
  return {
    kind: isUnique ? "unique" : "index",
    table: key,
    lack: `"${table}" has no ${isUnique ? "unique key" : "index"} on (${columns.join(", ")})`,
    isMet,
    statements() {
      const name = freeName(`${plan.names.bare(key)}_${columns.join("_")}_${isUnique ? "key" : "idx"}`, existing)
      const create = builder.schema.createIndex(name)
      const on = (definitions.skipsExisting ? create.ifNotExists() : create).on(table)
      const parts = members.map((member, at) => partOf(columns[at] as string, existing.columns.get(key)?.get(member)))
      const start = isUnique ? on.columns(columns) : on.expression(sql.join(parts))
      return [(isUnique ? start.unique() : start).compile()]
    },
  }
}

/** Of a long text, an index that only finds needs the beginning: keys of MySQL have 3,072 bytes. */
function partOf(name: string, column: Column | undefined) {
  const length = Number(/^varchar\((\d+)\) collate/.exec(column?.declared ?? "")?.[1] ?? 0)
  return length > 384 ? sql`${sql.ref(name)}(384)` : sql.ref(name)
}

/** Foreign keys to the users, where the database can add them to a table. */
function owners(plan: Plan, existing: Existing): Requirement[] {
  const { addOwner } = plan.dialect.definitions
  if (!addOwner) return []
  return ownedTables.map((key) => {
    const owner: OwnerKey = ownerOf(plan, key)
    return {
      kind: "owner",
      table: key,
      lack: `"${owner.table}" has no foreign key to "${owner.users}"`,
      isMet: existing.owned.has(key),
      statements: () => [addOwner(owner)],
    }
  })
}

/** Everything that must be, in the order in which it can be brought about. */
export function requirementsOf(plan: Plan, existing: Existing): readonly Requirement[] {
  return [
    ...tables(plan, existing),
    ...comparisons(plan, existing),
    uniqueAddress(plan, existing),
    ...uniqueKeys.map((key) => index(plan, { ...key, isUnique: true }, existing)),
    ...indices.map((key) => index(plan, { ...key, isUnique: false }, existing)),
    ...owners(plan, existing),
  ]
}

/** The points that are not met. */
export function lacksOf(plan: Plan, existing: Existing): readonly Requirement[] {
  return requirementsOf(plan, existing).filter(({ isMet }) => !isMet)
}
