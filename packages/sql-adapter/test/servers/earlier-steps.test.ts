/** Databases on servers that took earlier steps of the migrations. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { afterwards, newMariadb, newPostgresql, type TestDatabase } from "../support/databases.js"
import { type EarlierGround, earlierSteps } from "../support/earlier.js"

const on = (make: () => Promise<TestDatabase>): EarlierGround["make"] => {
  return async () => {
    const { url, run } = await make()
    return {
      run,
      adapter() {
        const adapter = sqlAdapter(url, { connections: 2 })
        afterwards(() => adapter.close())
        return adapter
      },
    }
  }
}

describeServer("postgresql", (server) => {
  describe("tables of an earlier version on PostgreSQL", () =>
    earlierSteps({ dialect: "postgresql", make: on(() => newPostgresql(server)) }))
})

describeServer("mariadb", (server) => {
  describe("tables of an earlier version on MariaDB", () =>
    earlierSteps({ dialect: "mysql", make: on(() => newMariadb(server)) }))
})
