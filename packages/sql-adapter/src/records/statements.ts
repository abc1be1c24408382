/** The statements on records, each one atomic step where the database answers what it wrote. */
import { type RawBuilder, sql } from "kysely"
import { type Codec, selection } from "../codec.js"
import type { SqlDialect } from "../dialects/dialect.js"
import type { TableLayout } from "../layout.js"
import { type Prepared, prepare } from "../prepared.js"

type Sql = RawBuilder<unknown>

/** What stands for a value that is given later. */
type Slot = (name: string) => Sql

/** Every statement, written when it is first needed. */
export interface RecordStatements {
  readonly get: () => Prepared
  readonly remove: () => Prepared
  /** Inserts, or replaces what has ended; where writes answer no rows, it only inserts. */
  readonly insert: () => Prepared
  /** Replaces what has ended. */
  readonly replaceEnded: () => Prepared
  /** Replaces a version that has not ended. */
  readonly replace: () => Prepared
  /** Adds to a counter, or begins it anew when it has ended. */
  readonly add: () => Prepared
  readonly takeBack: () => Prepared
  /** What a counter stands at, if it has not ended. */
  readonly readSum: () => Prepared
  /** What a counter stands at after an addition, where that answers the sum alone. */
  readonly readAdded: () => Prepared
}

/** Pieces that several statements are made of. */
interface Pieces {
  readonly table: Sql
  readonly ref: (member: string) => Sql
  /** All columns, as they are selected. */
  readonly all: Sql
  /** The columns of an insert; {@link sum} is the last one. */
  readonly names: Sql
  readonly returning: boolean
}

const members = ["kind", "key", "userId", "value", "version", "expires"] as const
const sum = sql.ref("sum")
/** The row that is there, where a row is inserted. */
const held = (column: Sql): Sql => sql`held.${column}`

const isKey = ({ ref }: Pieces, slot: Slot): Sql =>
  sql`${ref("kind")} = ${slot("kind")} and ${ref("key")} = ${slot("key")}`

const answering = ({ returning }: Pieces, columns: Sql): Sql => (returning ? sql` returning ${columns}` : sql``)

const onConflict = ({ ref }: Pieces, change: Sql): Sql =>
  sql` on conflict (${ref("kind")}, ${ref("key")}) do update set ${change}`

const into = ({ table, returning }: Pieces): Sql =>
  returning ? sql`insert into ${table} as held` : sql`insert into ${table}`

/** Everything but the key. */
const contents = ({ ref }: Pieces, slot: Slot): Sql =>
  sql.join([...members.slice(2).map((member) => sql`${ref(member)} = ${slot(member)}`), sql`${sum} = null`])

function insert(pieces: Pieces, slot: Slot): Sql {
  const { ref, names, returning } = pieces
  const values = sql.join([...members.map(slot), sql`null`])
  const isEnded = sql` where ${held(ref("expires"))} <= ${slot("now")}`
  const replacing = returning ? sql`${onConflict(pieces, contents(pieces, slot))}${isEnded}` : sql``
  return sql`${into(pieces)} (${names}) values (${values})${replacing}${answering(pieces, ref("version"))}`
}

/** What becomes of a counter that is there. */
function counting(pieces: Pieces, slot: Slot): Sql {
  const { ref, returning } = pieces
  const [end, now, add] = [ref("expires"), slot("now"), slot("add")]
  if (!returning) {
    // Assignments take effect one after the other: the sum has to see the end as it was. It is answered in the place of an id.
    return sql` on duplicate key update ${sum} = last_insert_id(if(${end} <= ${now}, ${add}, ${sum} + ${add})),
      ${end} = if(${end} <= ${now}, ${slot("expires")}, ${end})`
  }
  const hasEnded = sql`${held(end)} <= ${now}`
  return onConflict(
    pieces,
    sql`${sum} = case when ${hasEnded} then excluded.${sum} else ${held(sum)} + excluded.${sum} end,
      ${end} = case when ${hasEnded} then excluded.${end} else ${held(end)} end`,
  )
}

function add(pieces: Pieces, slot: Slot): Sql {
  const { ref, names } = pieces
  const values = sql.join([slot("kind"), slot("key"), sql`null`, sql`''`, sql`1`, slot("expires"), slot("add")])
  const answer = answering(pieces, sql`${sum}, ${ref("expires")}`)
  return sql`${into(pieces)} (${names}) values (${values})${counting(pieces, slot)}${answer}`
}

/** Writes the statements for one table. */
export function recordStatements(layout: TableLayout, dialect: SqlDialect, codec: Codec): RecordStatements {
  const ref = (member: string): Sql => sql.ref(codec.column(member))
  const table = sql.table(layout.table)
  const all = sql.join(selection(layout, dialect))
  const pieces: Pieces = { table, ref, all, names: sql.join([...members.map(ref), sum]), returning: dialect.returning }
  const lazily = (write: (slot: Slot) => Sql): (() => Prepared) => {
    let written: Prepared | undefined
    return () => {
      written ??= prepare((slot) => {
        const query = write((name) => sql`${slot(name)}`)
        return { compile: () => query.compile(dialect.builder) }
      })
      return written
    }
  }
  const counted = sql`${sum}, ${ref("expires")}`
  const update = (change: Sql): Sql => sql`update ${table} set ${change}`
  const isNow = (slot: Slot): Sql => sql`${ref("expires")} > ${slot("now")}`
  return {
    get: lazily((slot) => sql`select ${all} from ${table} where ${isKey(pieces, slot)}`),
    remove: lazily((slot) => {
      const isSame = pieces.returning ? sql`` : sql` and ${ref("version")} = ${slot("version")}`
      return sql`delete from ${table} where ${isKey(pieces, slot)}${isSame}${answering(pieces, all)}`
    }),
    insert: lazily((slot) => insert(pieces, slot)),
    replaceEnded: lazily(
      (slot) =>
        sql`${update(contents(pieces, slot))} where ${isKey(pieces, slot)} and ${ref("expires")} <= ${slot("now")}`,
    ),
    replace: lazily((slot) => {
      const isExpected = sql`${isKey(pieces, slot)} and ${ref("version")} = ${slot("expected")} and ${isNow(slot)}`
      return sql`${update(contents(pieces, slot))} where ${isExpected}${answering(pieces, ref("version"))}`
    }),
    add: lazily((slot) => add(pieces, slot)),
    takeBack: lazily((slot) => {
      const isWanted = sql`${isKey(pieces, slot)} and ${ref("expires")} = ${slot("expires")} and ${isNow(slot)}`
      return sql`${update(sql`${sum} = ${sum} + ${slot("add")}`)} where ${isWanted}${answering(pieces, counted)}`
    }),
    readSum: lazily((slot) => sql`select ${counted} from ${table} where ${isKey(pieces, slot)} and ${isNow(slot)}`),
    readAdded: lazily((slot) => sql`select ${counted} from ${table} where ${isKey(pieces, slot)}`),
  }
}
