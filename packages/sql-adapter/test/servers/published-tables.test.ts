/** Tables that the tools behind the adapters of Auth.js make on servers: after `migrate` they keep the whole contract. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newMariadb, newPostgresql } from "../support/databases.js"
import { onMysql, onPostgresql } from "../support/published/all.js"
import { keepsContract } from "../support/published/matrix.js"

describeServer("postgresql", (server) => {
  describe.each([...onPostgresql])("the tables of $tool on PostgreSQL", (published) => {
    keepsContract(published, async () => {
      const database = await newPostgresql(server)
      await database.run(...published.tables)
      return sqlAdapter(database.url, { names: published.names })
    })
  })
})

describeServer("mariadb", (server) => {
  describe.each([...onMysql])("the tables of $tool on MariaDB", (published) => {
    keepsContract(published, async () => {
      const database = await newMariadb(server)
      await database.run(...published.tables)
      return sqlAdapter(database.url, { names: published.names })
    })
  })
})
