/** The statements that tables of other libraries still need, printed and run by somebody else. */
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newMariadb, newPostgresql, opened, type TestDatabase } from "../support/databases.js"
import { foreignMariadb, foreignPostgresql } from "../support/foreign-tables.js"

function printsFor(make: () => Promise<TestDatabase>, tables: readonly string[]): void {
  it.each([
    ["none", []],
    ["those of another library", tables],
  ])("what is printed brings tables up to date: %s", async (_name, before) => {
    const database = await make()
    for (const statement of before) await database.run(statement)
    const adapter = opened(database.url, { migrate: "manual" })
    const printed = await adapter.print()
    expect((await adapter.check()).pending).not.toEqual([])
    for (const statement of printed.split(";\n")) if (statement !== "") await database.run(statement)
    expect(await adapter.check()).toMatchObject({ pending: [], problems: [] })
    expect(await adapter.print()).toBe("")
    expect(await adapter.migrate()).toEqual([])
  })
}

describeServer("postgresql", (server) => printsFor(() => newPostgresql(server), foreignPostgresql))
describeServer("mariadb", (server) => printsFor(() => newMariadb(server), foreignMariadb))
