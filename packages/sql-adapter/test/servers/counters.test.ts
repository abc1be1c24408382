/** Counters on MySQL and MariaDB where the answer to an addition is not what the sum is. */
import { sqlRecords } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlKysely, mysqlPool, newMariadb } from "../support/databases.js"

const key = { kind: "limit", key: "k" }
const given = () => ({ add: 1, expires: new Date(Date.now() + 60_000), now: new Date() })

describeServer("mariadb", (server) => {
  it.each([
    ["a pool", mysqlPool],
    ["a Kysely instance of the application", mysqlKysely],
  ])("a table that numbers its rows is counted in through %s", async (_, source) => {
    const { url, run } = await newMariadb(server)
    const records = sqlRecords(source(url))
    await records.migrate()
    await run(
      "alter table latchkey_records add column number int not null auto_increment unique",
      "alter table latchkey_records auto_increment = 900",
    )
    const sums: number[] = []
    for (let count = 0; count < 3; count++) sums.push((await records.countRecord(key, given())).sum)
    expect(sums).toEqual([1, 2, 3])
  })
})
