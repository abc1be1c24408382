/** What differs between databases. A new database is one file that implements this. */
import type { CompiledQuery, DialectAdapter, Expression, Kysely, QueryResult, SqlBool } from "kysely"
import type { ColumnKind, ColumnPlan } from "../schema.js"

/** Tables whose names and columns are known at run time only. */
export type Tables = Record<string, Record<string, unknown>>

/** Kysely for writing SQL. */
export type Builder = Kysely<Tables>

/** A row as it comes from the driver, or as it goes there. */
export type Row = Record<string, unknown>

/** The type a column was declared with, lower case; empty where there is none. */
export type DeclaredType = string

/** One column as it is. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind | "other"
  readonly declared: DeclaredType
  /** A string that represents any JSON value. */
  readonly json?: boolean
  /** The database has a value for it when none is given. */
  readonly fills?: boolean
  /** It is declared `not null`. */
  readonly required?: boolean
  /** Of our own making: it holds milliseconds since 1970, where columns of others may hold seconds or another notation. */
  readonly holdsMilliseconds?: true
  /** Rows are found by it. */
  readonly isKey?: true
  /** It may compare different texts as equal, beyond what its type tells. */
  readonly isLoose?: true
  /** The rows of its table have no number of their own. */
  readonly isUnnumbered?: true
  /** What its declaration says beside that, where a change of the type has to say it again. */
  readonly attributes?: string
}

/** A lock by name, for what no key of the tables forbids. Held until the transaction ends. */
export interface Lock {
  /** Waits for the lock, at most `seconds`; the row has a member `taken` that is 0 when it was not got. */
  take(name: string, seconds: number): CompiledQuery
  /** Gives it back, where the end of the transaction does not. */
  readonly release?: (name: string) => CompiledQuery
}

/** What one database does when something goes wrong. */
export interface Faults {
  /** Another transaction holds a lock; retrying the statement soon may succeed. */
  isBusy(error: unknown): boolean
  /** The database aborted the transaction because of another one; retrying all of it may succeed. */
  isConflict(error: unknown): boolean
  /** A row with the same unique values exists already. */
  isDuplicate(error: unknown): boolean
  /** The connection is lost. */
  isLost(error: unknown): boolean
  /** A statement that fails aborts the transaction. */
  readonly endsTransaction: boolean
  /** A commit that meets a lock leaves the transaction open, and may be tried again. Elsewhere nothing is left to commit. */
  readonly canCommitAgain: boolean
}

/** How the tables are made. */
export interface Definitions {
  /** What a transaction that changes tables begins with. */
  readonly settings?: readonly string[]
  /** Types of new columns. */
  typeOf(plan: ColumnPlan): string
  /** What stands behind the type of a string that is ordered by the codes of its characters, where that is not so anyway. */
  readonly byCode?: string
  /** What stands at the end of `create table`. */
  readonly tableEnd?: string
  /** Can `create index` say "if not exists"? */
  readonly skipsExisting: boolean
  /** The unique key on addresses: nobody but users without one may share it. */
  uniqueAddress(key: AddressKey): CompiledQuery[]
  /** What that key is on, in the spelling of `IndexFound`. */
  addressPart(column: string): string
  /** The indices of a table, for `indexOf`. */
  indicesOf(table: string): CompiledQuery
  /** The names beside the table that its new indices cannot have, where a name counts for more than one table. */
  namesBeside?(table: string): CompiledQuery
  /** A foreign key makes an index of its own. */
  readonly indexesOwners?: boolean
  /** Adds the foreign key where there is none; on tables that had none from the beginning. */
  addOwner?(key: OwnerKey): CompiledQuery
  /** A row for each foreign key on the column. */
  ownersOf?(key: OwnerKey): CompiledQuery
  /** Where a table can give the number of a row that is gone to a later one. */
  readonly numbers?: Numbers
  /** Makes a column of an existing table compare exactly; nothing where it does already. */
  makeExact?(change: ExactChange): CompiledQuery | undefined
  /** True for rows whose value that change would cut, on a server that is not strict. */
  cuts?(change: ExactChange): Expression<SqlBool>
}

/** A key whose numbers the database gives. */
export interface NumberKey {
  readonly table: string
  readonly column: string
}

/** Numbers that the database gives to new rows. */
export interface Numbers {
  /** Rows with the `definition` of the table, where it gives numbers. */
  definitionOf(key: NumberKey): CompiledQuery
  /** Does a table with this definition give the number of a row that is gone to a later one? */
  areGivenAgain(definition: string): boolean
  /** The number of a new row in such a table, which no row had before. */
  unused(key: NumberKey): Expression<unknown>
}

/** The unique key on addresses, to be made. */
export interface AddressKey {
  readonly name: string
  readonly table: string
  readonly column: string
  /** The computed column behind it is there already. */
  readonly hasColumn: boolean
}

/** An index as it is, whatever it is called. */
export interface IndexFound {
  readonly name: string
  readonly isUnique: boolean
  /** It is complete and used. */
  readonly isValid: boolean
  /** Columns and expressions, without quotes and casts. */
  readonly parts: readonly string[]
  /** The rows it is for; empty when it is for all. */
  readonly condition: string
}

/** A foreign key to the users, with cascade. */
export interface OwnerKey {
  readonly table: string
  readonly column: string
  readonly users: string
  readonly id: string
}

/** A column that is to compare exactly. */
export interface ExactChange {
  readonly table: string
  readonly column: Column
  readonly plan: ColumnPlan
}

/** Which rows are removed in one step. */
export interface SomeExpired {
  /** Rows whose time lies before this. */
  readonly time: Date
  /** The column that holds the time. */
  readonly column: Column
  /** How many rows. */
  readonly most: number
}

/** How a connection is set up, where a setting of the application's pool can change what is stored. */
export interface Session {
  readonly query: CompiledQuery
  /** What is wrong with it, in words. */
  misfit(row: Row): string | undefined
}

/** What runs statements, one after the other. */
export interface Channel {
  execute(query: CompiledQuery): Promise<QueryResult<Row>>
  /** A statement was given up: what comes next may wait for ever. */
  isStuck(): boolean
}

/** What one database does differently. */
export interface SqlDialect {
  readonly name: string
  /** Tables can be in a schema whose name comes before theirs. */
  readonly hasSchemas: boolean
  /** Further names it is called by. */
  readonly aliases: readonly string[]
  /** Schemes of connection URLs, without the colon. */
  readonly schemes: readonly string[]
  /** Is a Kysely instance with this adapter of this dialect? */
  recognises(adapter: DialectAdapter): boolean
  /** Kysely that writes SQL and runs nothing. */
  readonly builder: Builder
  /** Statements that begin a transaction that will write. */
  readonly begin: readonly string[]
  /** A transaction has to say at its beginning that it will write. */
  readonly definesWriting: boolean
  /** Do statements that write answer the rows? */
  readonly returning: boolean
  /** Can an insert pass over rows that are there already, without an error? */
  readonly passesOver: boolean
  /** Locks by name; none where a transaction that writes is alone anyway. */
  readonly lock?: Lock
  readonly faults: Faults
  readonly definitions: Definitions
  readonly session?: Session
  /** Runs statements so that they write exactly what they were given, whatever the application set for the connection. */
  readonly exactly?: () => (channel: Channel, query: CompiledQuery) => Promise<QueryResult<Row>>
  /**
   * Rows with `name`, `type`, `fills` and `required` of the table's columns, `loose` where they may compare so,
   * `unnumbered` where rows have no number, their `attributes` where a change of the type would lose them, and the `engine` of the table where there are several; none
   * when there is no such table.
   */
  columnsOf(table: string): CompiledQuery
  /** Turns a value into what the column takes. Throws where the database cannot hold it exactly. */
  toColumn(value: unknown, column: Column): unknown
  /** Turns what the column holds into a value of the service. */
  fromColumn(value: unknown, column: Column): unknown
  /** How the column is read, so that no setting of server, session or driver changes what comes. */
  selected(ref: string, column: Column): Expression<unknown>
  /** The text of this, which compares code by code. No index helps with it. */
  exactText(value: Expression<unknown>): Expression<unknown>
  /** True for exactly this value, or for any value of a list, by way of an index on the column. */
  isSame(ref: string, value: unknown, column: Column): Expression<SqlBool>
  /** True for rows whose time lies before the given one, whatever notation they were written in. */
  isBefore(ref: string, time: Date, column: Column): Expression<SqlBool>
  /** Removes some of the rows that {@link isBefore} is true for, by way of the index on the column. */
  deleteSome(table: string, some: SomeExpired): CompiledQuery
  /** True for the row with exactly this address, by way of the unique key, if there is one. */
  isAddress(address: unknown, column: Column, hasKey: boolean): Expression<SqlBool>
}
