/** What one database does differently from the others. A new database is one file that fills this in. */
import type { CompiledQuery, DialectAdapter, Expression, Kysely, RawBuilder, SqlBool } from "kysely"
import type { ColumnKind } from "../schema.js"

/** Tables whose names and columns are known at run time only. */
export type Tables = Record<string, Record<string, unknown>>

/** Kysely for writing SQL. */
export type Builder = Kysely<Tables>

/** A row as it comes from the driver, or as it goes there. */
export type Row = Record<string, unknown>

/** The type a column was declared with, lower case; empty where there is none. */
export type DeclaredType = string

/** What one database does differently. */
export interface SqlDialect {
  readonly name: string
  /** Schemes of connection URLs, without the colon. */
  readonly schemes: readonly string[]
  /** Is a Kysely instance with this adapter of this dialect? */
  recognises(adapter: DialectAdapter): boolean
  /** Kysely that writes SQL and runs nothing. */
  readonly builder: Builder
  /** Types of new columns. */
  readonly types: Readonly<Record<ColumnKind, string>>
  /** Begins a transaction that will write. */
  readonly begin: string
  /** Rows with `name` and `type` of the table's columns; none when there is no such table. */
  columnsOf(table: string): CompiledQuery
  /** Turns a value into what the column takes. Throws where the database cannot hold it exactly. */
  toColumn(value: unknown, kind: ColumnKind | "other", declared: DeclaredType): unknown
  /** Turns what the column holds into a value of the service. */
  fromColumn(value: unknown, kind: ColumnKind | "other"): unknown
  /** True for rows whose time lies before the given one, whatever notation they were written in. */
  isBefore(column: string, time: Date): Expression<SqlBool>
  /** True for the row with exactly this address, by way of the unique key. */
  isAddress(column: string, address: RawBuilder<unknown>): Expression<SqlBool>
  /** The unique key on addresses: nobody but users without one may share it. */
  uniqueAddress(name: string, table: string, column: string): CompiledQuery
  /** Somebody else holds a lock; trying again soon may succeed. */
  isBusy(error: unknown): boolean
}
