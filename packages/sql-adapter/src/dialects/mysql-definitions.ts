/** How tables are made in MySQL and MariaDB. */
import {
  type CompiledQuery,
  type Expression,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type SqlBool,
  sql,
} from "kysely"
import type { ColumnPlan } from "../schema.js"
import type { Builder, Definitions } from "./dialect.js"
import { builderOf } from "./kysely-builder.js"
import { exactCollation, isExact } from "./mysql-texts.js"

/** Kysely that writes SQL for MySQL. */
export const builder: Builder = builderOf({
  createAdapter: () => new MysqlAdapter(),
  createIntrospector: (kysely) => new MysqlIntrospector(kysely),
  createQueryCompiler: () => new MysqlQueryCompiler(),
})

/**
 * The column behind the unique key on addresses: the address in lower case, or nothing where there is none. A computed
 * column, because not all versions can index an expression.
 */
export const addressKey = "latchkey_address"

const text = (length: number): string => `varchar(${length})`

function typeOf({ kind, length }: ColumnPlan): string {
  switch (kind) {
    // With a key of 640 characters beside it, this fills what an index can hold: 3,072 bytes.
    case "id":
      return text(128)
    case "text":
      return length === undefined ? "mediumtext" : text(length)
    case "time":
      return "datetime(3)"
    case "integer":
      return "bigint"
    case "boolean":
      return "boolean"
  }
}

/** A table in the information of the server: of this database, or of the one that its name begins with. */
function inTable(table: string): Expression<SqlBool> {
  const [name, schema] = table.split(".").reverse()
  const place = schema === undefined ? sql`database()` : sql.lit(schema)
  return sql<SqlBool>`table_schema = ${place} and table_name = ${sql.lit(name)}`
}

/** A default and a comment, as a declaration has them. MySQL tells the bare value of a default, MariaDB what was written. */
const attributes = sql`concat(
    case when column_default is null or column_default = 'NULL' then ''
      when version() like '%MariaDB%' then concat(' default ', column_default)
      when extra like '%DEFAULT_GENERATED%' then concat(' default (', column_default, ')')
      else concat(' default ', quote(column_default)) end,
    if(column_comment = '', '', concat(' comment ', quote(column_comment))))`

/** What there is to know of the columns of a table, see `SqlDialect.columnsOf`. */
export function columnsOf(table: string): CompiledQuery {
  return sql`select column_name as name,
        concat(column_type, if(collation_name is null, '', concat(' collate ', collation_name))) as type,
        ((column_default is not null and column_default <> 'NULL') or extra regexp 'GENERATED|auto_increment') as fills,
        (is_nullable = 'NO') as required, ${attributes} as attributes,
        (select engine from information_schema.tables where ${inTable(table)}) as engine
      from information_schema.columns where ${inTable(table)}
      order by ordinal_position`.compile(builder)
}

/** MySQL and MariaDB. */
export const definitions: Definitions = {
  typeOf,
  tableEnd: `engine = InnoDB default character set utf8mb4 collate ${exactCollation}`,
  skipsExisting: false,
  uniqueAddress({ name, table, column, hasColumn }) {
    const [ref, key] = [sql.id(column), sql.id(addressKey)]
    const computed = sql.raw(`varchar(640) character set utf8mb4 collate ${exactCollation}`)
    const added = sql`add column ${key} ${computed} generated always as (nullif(lower(${ref}), '')) virtual, `
    return [
      sql`alter table ${sql.table(table)} ${hasColumn ? sql`` : added}add unique index ${sql.id(name)} (${key})`.compile(
        builder,
      ),
    ]
  },
  indexesOwners: true,
  addressPart: () => addressKey,
  indicesOf: (table) =>
    sql`select index_name as name, (max(non_unique) = 0) as is_unique, 1 as is_valid,
        group_concat(if(sub_part is null, coalesce(column_name, '?'), concat(column_name, '(', sub_part, ')'))
          order by seq_in_index) as parts
      from information_schema.statistics where ${inTable(table)} group by index_name`.compile(builder),
  ownersOf: ({ table, column }) =>
    sql`select 1 as one from information_schema.key_column_usage
      where ${inTable(table)} and column_name = ${sql.lit(column)} and referenced_table_name is not null`.compile(
      builder,
    ),
  addOwner: ({ table, column, users, id }) =>
    sql`alter table ${sql.table(table)} add foreign key (${sql.id(column)}) references ${sql.table(users)} (${sql.id(id)}) on delete cascade`.compile(
      builder,
    ),
  cuts: ({ column: { name }, plan }) => sql`char_length(${sql.ref(name)}) > ${sql.lit(plan.length ?? null)}`,
  makeExact({ table, column: { name, declared, required, attributes = "" }, plan }) {
    if (isExact(declared)) return undefined
    const type = /^varchar\(\d+\)/.exec(declared)?.[0] ?? typeOf(plan)
    const exact = sql.raw(
      `${type} character set utf8mb4 collate ${exactCollation}${required ? " not null" : ""}${attributes}`,
    )
    return sql`alter table ${sql.table(table)} modify column ${sql.id(name)} ${exact}`.compile(builder)
  },
}
