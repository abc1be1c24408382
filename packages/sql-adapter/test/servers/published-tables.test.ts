/** Tables that the tools behind the adapters of Auth.js make on servers: after `migrate` they keep the whole contract. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { afterwards, newMariadb, newPostgresql, type TestDatabase } from "../support/databases.js"
import { alsoOnMysql, alsoOnPostgresql, onMysql, onPostgresql } from "../support/published/all.js"
import { keepsContract } from "../support/published/matrix.js"
import type { PublishedTables } from "../support/published/tables.js"
import { typeormMysql, typeormPostgresql } from "../support/published/typeorm.js"
import { sharesRowsWithTypeorm, type TypeormGround } from "../support/typeorm-rows.js"

const byTool = (...lists: readonly (readonly PublishedTables[])[]) => lists.flat().map((it) => [it.tool, it] as const)

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
      indicesOf: (table) =>
        `select substring(indexdef from '[(](.*)[)]') as parts from pg_indexes where tablename = '${table}'`,
      make: withTables(() => newPostgresql(server)),
    }))
  describe.each(byTool(onPostgresql, alsoOnPostgresql))("the tables of %s on PostgreSQL", (_, published) => {
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
      indicesOf: (table) =>
        `select group_concat(column_name order by seq_in_index) as parts from information_schema.statistics
          where table_schema = database() and table_name = '${table}' group by index_name`,
      make: withTables(() => newMariadb(server)),
    }))
  describe.each(byTool(onMysql, alsoOnMysql))("the tables of %s on MariaDB", (_, published) => {
    keepsContract(published, async () => {
      const database = await newMariadb(server)
      await database.run(...published.tables)
      return sqlAdapter(database.url, { names: published.names })
    })
  })
})
