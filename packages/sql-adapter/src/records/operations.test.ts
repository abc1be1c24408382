/** What a counter stands at where writes answer no rows: only as far as the driver says so. */
import { expect, it } from "vitest"
import { mysql } from "../dialects/mysql.js"
import type { TableLayout } from "../layout.js"
import type { Runner } from "../runner.js"
import { createRecordTable } from "./operations.js"

const members = { kind: "varchar(32)", key: "varchar(64)", userId: "text", value: "text", version: "bigint" }
const columns = Object.entries({ ...members, expires: "bigint" }).map(
  ([name, declared]) => [name, { name, declared, kind: declared === "bigint" ? "integer" : "text" }] as const,
)
const layout = { table: "records", columns: new Map(columns), hasAddressKey: false } as unknown as TableLayout

const [now, expires] = [new Date(0), new Date(60_000)]
const counter = { kind: "limit", key: "k" }

/** A counter that stands at 7, in a database whose driver answers so. */
function counted(answer: { readonly insertId?: bigint; readonly numAffectedRows?: bigint }) {
  const reads: string[] = []
  const runner = {
    write: async () => ({ rows: [], ...answer }),
    read: async ({ sql }: { sql: string }) => {
      reads.push(sql)
      return [{ sum: 7, expires: 60_000 }]
    },
  } as unknown as Runner
  const store = createRecordTable(layout, mysql).on(runner)
  return store.countRecord(counter, { add: 1, expires, now })
}

it.each([
  ["a new counter", { numAffectedRows: 1n }, 1],
  ["one that was there", { numAffectedRows: 2n, insertId: 5n }, 5],
  ["a driver that does not pass the sum on", { numAffectedRows: 2n }, 7],
  ["a driver that says nothing", {}, 7],
  ["a new counter in a table that numbers its rows", { numAffectedRows: 1n, insertId: 5000n }, 7],
] as const)("%s", async (_, answer, sum) => {
  expect(await counted(answer)).toEqual({ sum, expires })
})
