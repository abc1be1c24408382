/** Connections of a Kysely instance: SQLite files, and instances that the application made. */
import { CompiledQuery, type ControlledTransaction, type QueryResult } from "kysely"
import type { Builder, Row, SqlDialect, Tables } from "../dialects/dialect.js"
import { byStatements, type Connections, connectionOn, type TransactionControl } from "./connection.js"

type Execute = (query: CompiledQuery) => Promise<QueryResult<Row>>

/** Who begins and ends transactions: statements that we send, or methods of the driver. */
type Way = "statements" | "driver"

const unsupported =
  'The driver of this Kysely instance cannot begin a transaction. Where it has none, set "transactions: false".'

/** A connection, and transactions that the driver begins and ends: some send those elsewhere than single statements. */
function drivenBy(
  bound: Builder,
  { definesWriting, faults }: SqlDialect,
): { readonly execute: Execute; readonly control: TransactionControl } {
  let current: ControlledTransaction<Tables> | undefined
  const open = (): ControlledTransaction<Tables> => {
    if (!current) throw new Error("There is no open transaction.")
    return current
  }
  return {
    execute: (query) => (current ?? bound).executeQuery(query as CompiledQuery<Row>),
    control: {
      async begin() {
        const start = bound.startTransaction()
        try {
          current = await (definesWriting ? start : start.setIsolationLevel("read committed")).execute()
          // Some send the beginning along with the first statement: whoever has to wait, waits here.
          if (definesWriting) await current.executeQuery(CompiledQuery.raw("select 1"))
        } catch (error) {
          await current
            ?.rollback()
            .execute()
            .catch(() => {})
          current = undefined
          if (faults.isBusy(error) || faults.isConflict(error) || faults.isLost(error)) throw error
          const reason = (error as Error).message
          throw new Error(`${unsupported} The driver says: ${reason}`, { cause: error })
        }
      },
      async commit() {
        await open().commit().execute()
        current = undefined
      },
      async rollback() {
        const ended = open()
        current = undefined
        await ended.rollback().execute()
      },
    },
  }
}

/**
 * Does a transaction that was begun by a statement hold the statements after it? Drivers over HTTP give each statement a
 * connection of its own: the end of the transaction finds none.
 */
async function holdsTransactions(execute: Execute, { begin, faults }: SqlDialect): Promise<boolean> {
  const control = byStatements(execute)
  try {
    await control.begin(begin)
    await control.rollback()
    return true
  } catch (error) {
    // Another connection is writing: that reveals nothing about the driver.
    if (faults.isBusy(error)) throw error
    return false
  }
}

/** Transactions of a file of our own begin by statements: no driver sends "begin immediate". */
export function embeddedConnections(kysely: Builder): Connections {
  return {
    hold: (work, holding) =>
      kysely
        .connection()
        .execute((bound) => work(connectionOn((query) => bound.executeQuery(query as CompiledQuery<Row>), holding))),
  }
}

/** Statements run through Kysely, with what the application set up for its connections, and without its plugins. */
export function kyselyConnections(kysely: Builder, dialect: SqlDialect): Connections {
  // SQLite's drivers begin transactions without a write lock; where possible, we take it.
  let way: Way | undefined = dialect.definesWriting ? undefined : "driver"
  return {
    hold: (work, holding) =>
      kysely.connection().execute((bound) => {
        const plain: Execute = (query) => bound.executeQuery(query as CompiledQuery<Row>)
        const statements = byStatements(plain)
        const driver = drivenBy(bound, dialect)
        const control: TransactionControl = {
          async begin(texts) {
            way ??= (await holdsTransactions(plain, dialect)) ? "statements" : "driver"
            return (way === "driver" ? driver.control : statements).begin(texts)
          },
          commit: () => (way === "driver" ? driver.control : statements).commit(),
          rollback: () => (way === "driver" ? driver.control : statements).rollback(),
        }
        return work(connectionOn(driver.execute, holding, control))
      }),
  }
}
