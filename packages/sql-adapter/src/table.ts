/** One table as operations see it: rows found, written, changed and removed. */
import type { Codec, Strays } from "./codec.js"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import type { TableLayout } from "./layout.js"
import type { Prepared } from "./prepared.js"
import type { Runner } from "./runner.js"
import type { Supplier } from "./supplies.js"

/** A row that is to be written. */
export interface Draft {
  readonly members: Row
  /** What becomes of members without a column. @default "refuse" */
  readonly strays?: Strays
}

/** A change of rows. */
export interface Change {
  readonly where: Row
  readonly to: Row
  /** @default "refuse" */
  readonly strays?: Strays
}

/** What changes rows that are there. Conditions are members; `AnyOf` means any of its values. */
export interface Changes {
  /** Changes rows and answers them. */
  update(runner: Runner, change: Change): Promise<Row[]>
  /** Removes rows and answers them: of several callers each row goes to one. */
  remove(runner: Runner, where: Row): Promise<Row[]>
  /** Removes rows and counts them. */
  drop(runner: Runner, where: Row): Promise<number>
}

/** One table, ready to be read and written. */
export interface Table extends Codec, Changes {
  readonly layout: TableLayout
  /** The statement that finds rows by these members. */
  finder(...by: string[]): Prepared
  find(runner: Runner, prepared: Prepared, values: Row): Promise<Row[]>
  insert(runner: Runner, draft: Draft): Promise<Row>
}

/** A table, and what is known about its keys. */
export interface TableParts {
  readonly layout: TableLayout
  readonly dialect: SqlDialect
  /** Fills what tables of other tools demand. */
  readonly supplier: Supplier
  /** Members that are part of a unique key: a change of theirs may meet another row. */
  readonly unique: readonly string[]
  /** Looks for a row that is in the way. Where no key of the table forbids it, this must be asked before each insert. */
  readonly guard?: { readonly lock: string; isTaken(runner: Runner, members: Row): Promise<boolean> }
}
