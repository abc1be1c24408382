/** What runs SQL, as operations see it: single statements, and works that take effect together or not at all. */
import type { CompiledQuery, QueryResult } from "kysely"
import type { Row } from "./dialects/dialect.js"

/** How a statement that changes nothing is run. */
export interface ReadOptions {
  /** There is one row at most. */
  readonly isSingle?: boolean
}

/** How a statement is run. */
export interface WriteOptions {
  /** It may meet a row with the same unique values: inside a transaction, that must not end it. */
  readonly mayCollide?: boolean
}

/** How a work is run. */
export interface WorkOptions {
  /** It may take its time: statements are waited for without an end. */
  readonly isSlow?: boolean
}

/** What an open database offers. */
export interface Runner {
  /** Runs a statement that changes nothing. */
  read(query: CompiledQuery, options?: ReadOptions): Promise<Row[]>
  /** Runs a statement that changes something. */
  write(query: CompiledQuery, options?: WriteOptions): Promise<QueryResult<Row>>
  /**
   * Runs works that take effect together or not at all. Inside one, begins another that may fail by itself. When the
   * database gives the transaction up because of another one (deadlock, serialization failure), the work runs again.
   */
  atomically<T>(work: (runner: Runner) => Promise<T>, options?: WorkOptions): Promise<T>
  /**
   * Runs works of one statement each as a batch, all of them or none, on databases without transactions. Absent
   * elsewhere.
   */
  together?<T>(works: (within: Runner) => readonly Promise<T>[]): Promise<T[]>
  /** Reads are answered inside this process: a second question costs less than a longer first one. */
  readonly isNear?: true
  /** Statements run in such a batch: one that does nothing must be an error, or the others would take effect without it. */
  readonly isBatch?: true
  /** Runs a work in a transaction that holds the lock of this name until it ends; in an open one, in that one. */
  locked<T>(name: string, work: (runner: Runner) => Promise<T>, options?: WorkOptions): Promise<T>
}
