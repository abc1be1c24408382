/** Keys on servers are compared with what they have to be. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { afterwards, newMariadb, newPostgresql, type TestDatabase } from "../support/databases.js"
import { type DefinitionsGround, definitions } from "../support/definitions.js"
import { prismaMysql, prismaPostgresql } from "../support/published/prisma.js"

const on = (make: () => Promise<TestDatabase>): DefinitionsGround["make"] => {
  return async () => {
    const { url, run } = await make()
    return {
      run,
      adapter(options) {
        const adapter = sqlAdapter(url, { connections: 2, ...options })
        afterwards(() => adapter.close())
        return adapter
      },
    }
  }
}

describeServer("postgresql", (server) => {
  describe("definitions on PostgreSQL", () =>
    definitions({
      published: prismaPostgresql[0],
      q: (name) => `"${name}"`,
      dropAddressKey: ["drop index users_email_lower_key"],
      make: on(() => newPostgresql(server)),
    }))
})

describeServer("mariadb", (server) => {
  describe("definitions on MariaDB", () =>
    definitions({
      published: prismaMysql[0],
      q: (name) => `\`${name}\``,
      dropAddressKey: ["alter table users drop column latchkey_address"],
      make: on(() => newMariadb(server)),
    }))
})
