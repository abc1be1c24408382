/** Tables that the tools behind the adapters of Auth.js make on servers: after `migrate` they keep the whole contract. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { afterwards, newMariadb, newPostgresql, type TestDatabase } from "../support/databases.js"
import { alsoOnMysql, alsoOnPostgresql, onMysql, onPostgresql } from "../support/published/all.js"
import { keepsContract } from "../support/published/matrix.js"
import { typeormMysql, typeormPostgresql } from "../support/published/typeorm.js"
import { sharesRowsWithTypeorm, type TypeormGround } from "../support/typeorm-rows.js"

const withTables = (make: () => Promise<TestDatabase>): TypeormGround["make"] => {
  return async (tables) => {
    const database = await make()
    await database.run(...tables)
    return {
      ...database,
      adapter(names) {
        const adapter = sqlAdapter(database.url, { names })
        afterwards(() => adapter.close())
        return adapter
      },
    }
  }
}

describeServer("postgresql", (server) => {
  describe("the rows of TypeORM on PostgreSQL", () =>
    sharesRowsWithTypeorm({
      published: typeormPostgresql,
      q: (name) => `"${name}"`,
      make: withTables(() => newPostgresql(server)),
    }))
  describe.each([...onPostgresql, ...alsoOnPostgresql])("the tables of $tool on PostgreSQL", (published) => {
    keepsContract(published, async () => {
      const database = await newPostgresql(server)
      await database.run(...published.tables)
      return sqlAdapter(database.url, { names: published.names })
    })
  })
})

describeServer("mariadb", (server) => {
  describe("the rows of TypeORM on MariaDB", () =>
    sharesRowsWithTypeorm({
      published: typeormMysql,
      q: (name) => `\`${name}\``,
      make: withTables(() => newMariadb(server)),
    }))
  describe.each([...onMysql, ...alsoOnMysql])("the tables of $tool on MariaDB", (published) => {
    keepsContract(published, async () => {
      const database = await newMariadb(server)
      await database.run(...published.tables)
      return sqlAdapter(database.url, { names: published.names })
    })
  })
})
