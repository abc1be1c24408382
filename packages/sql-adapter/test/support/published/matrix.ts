/** The whole contract on tables that other tools made, but for what those tables cannot keep. */
import { contractCases, runCase } from "@latchkey/adapter-contract"
import type { SqlAdapter } from "@latchkey/sql-adapter"
import { afterAll, beforeAll, expect, it } from "vitest"
import { titled } from "../titled.js"
import type { PublishedTables } from "./tables.js"

/** Asks every case once, after `migrate`. */
export function keepsContract({ impossible }: PublishedTables, make: () => Promise<SqlAdapter>): void {
  let adapter: SqlAdapter
  beforeAll(async () => {
    adapter = await make()
    await adapter.migrate()
  })
  afterAll(async () => {
    await adapter?.close()
  })

  const reasonOf = ({ name }: { readonly name: string }): RegExp | undefined => impossible[name]
  const possible = contractCases.filter((it) => !reasonOf(it))
  // The last of them cut sign-ins off at every statement, which takes its time.
  it.each(titled(possible))("%s", { timeout: 120_000 }, (_, it) => runCase(it, adapter, 110_000))

  const impossibles = contractCases.filter((it) => reasonOf(it))
  it.each(titled(impossibles))("cannot hold what this case stores, and says so: %s", (_, it) =>
    expect(Promise.resolve(runCase(it, adapter))).rejects.toThrow(reasonOf(it)),
  )

  it("names cases that there are", () => {
    expect(impossibles.map(({ name }) => name).toSorted()).toEqual(Object.keys(impossible).toSorted())
  })

  it("has nothing to do when it is migrated again", async () => {
    expect(await adapter.migrate()).toEqual([])
  })
}
