/** Instants in zones with daylight saving: the hour that comes twice is two hours, whatever zone the connection is in. */
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { Kysely, MysqlDialect } from "kysely"
import { beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlPool, newMariadb, newPostgresql, pgPool } from "../support/databases.js"

/** In Berlin, clocks show 02:30 twice on that day, and 02:00 as well. */
const instants = ["00:30:00.000", "01:30:00.000", "00:59:59.999", "01:00:00.000", "23:30:00.000"].map(
  (time) => new Date(`2026-10-25T${time}Z`),
)

const user = (id: string, emailVerified: Date | null) => ({ id, email: `${id}@example.test`, emailVerified })

async function roundTrips(adapter: SqlAdapter): Promise<void> {
  await adapter.createUser(user("ada", null))
  for (const [index, instant] of instants.entries()) {
    const id = `u${index}`
    expect((await adapter.createUser(user(id, instant))).emailVerified).toEqual(instant)
    await adapter.createSession({ sessionToken: id, userId: "ada", expires: instants[0] as Date })
    await adapter.updateSession({ sessionToken: id, expires: instant })
    await adapter.transaction((within) =>
      Promise.resolve(within.createVerificationToken?.({ identifier: id, token: "t", expires: instant })),
    )
    expect((await adapter.getUser(id))?.emailVerified).toEqual(instant)
    expect((await adapter.getSessionAndUser(id))?.session.expires).toEqual(instant)
    expect((await adapter.useVerificationToken({ identifier: id, token: "t" }))?.expires).toEqual(instant)
  }
}

/** What has not expired yet stays, also when its clock shows the same time as what has. */
async function keepsUnexpired(adapter: SqlAdapter): Promise<void> {
  await adapter.createUser(user("eve", null))
  await adapter.createSession({ sessionToken: "first", userId: "eve", expires: new Date("2026-10-25T00:30:00Z") })
  await adapter.createSession({ sessionToken: "second", userId: "eve", expires: new Date("2026-10-25T01:30:00Z") })
  await adapter.deleteExpired(new Date("2026-10-25T00:45:00Z"))
  expect(await adapter.getSessionAndUser("second")).not.toBeNull()
  await adapter.deleteExpired(new Date("2026-10-25T01:15:00Z"))
  expect(await adapter.getSessionAndUser("second")).not.toBeNull()
  await adapter.deleteExpired(new Date("2026-10-25T03:00:00Z"))
  expect(await adapter.listSessionsByUserId("eve")).toEqual([])
}

/** The zone of Berlin as MariaDB keeps it, from 2025 to 2036: servers have no zones by name until they are given some. */
function berlin(): readonly string[] {
  const lastSunday = (year: number, month: number): number => {
    const last = new Date(Date.UTC(year, month + 1, 0, 1))
    return last.getTime() / 1000 - last.getUTCDay() * 86_400
  }
  const years = Array.from({ length: 12 }, (_, index) => 2025 + index)
  const changes = years.flatMap((year) => [`(@zone, ${lastSunday(year, 2)}, 1)`, `(@zone, ${lastSunday(year, 9)}, 0)`])
  return [
    "insert into mysql.time_zone (Use_leap_seconds) values ('N')",
    "set @zone = last_insert_id()",
    "insert ignore into mysql.time_zone_name values ('Europe/Berlin', @zone)",
    "insert into mysql.time_zone_transition_type values (@zone, 0, 3600, 0, 'CET'), (@zone, 1, 7200, 1, 'CEST')",
    `insert into mysql.time_zone_transition values ${changes.join()}`,
  ]
}

describeServer("postgresql", (server) => {
  it.each([
    ["timestamptz", "Europe/Berlin"],
    ["timestamp", "Europe/Berlin"],
    ["timestamp(3)", "Europe/Berlin"],
    ["timestamptz", "Pacific/Pago_Pago"],
    ["timestamp", "Pacific/Pago_Pago"],
    ["timestamptz", "Pacific/Kiritimati"],
    ["timestamp", "Pacific/Kiritimati"],
  ])(
    "instants in columns of the type %s round-trip in a session in %s",
    { tags: ["threat:FD-20", "threat:SF-10"] },
    async (type, zone) => {
      const { url, run } = await newPostgresql(server)
      await sqlAdapter(pgPool(url), { migrate: "auto" }).migrate()
      const columns = [
        ["users", "emailVerified"],
        ["sessions", "expires"],
        ["verification_token", "expires"],
      ]
      await run(
        ...columns.map(([table, column]) => `alter table ${table} alter column "${column}" type ${type}`),
        `alter database ${new URL(url).pathname.slice(1)} set timezone = '${zone}'`,
      )
      const adapter = sqlAdapter(pgPool(url))
      await roundTrips(adapter)
      await keepsUnexpired(adapter)
    },
  )
})

describeServer("mariadb", (server) => {
  const inBerlin = "set time_zone = 'Europe/Berlin'"

  beforeAll(async () => {
    const { run } = await newMariadb(server)
    await run(...berlin())
  })

  async function withTimestamps(): Promise<string> {
    const { url, run } = await newMariadb(server)
    await sqlAdapter(mysqlPool(url)).migrate()
    await run(
      "alter table users modify column emailVerified timestamp(3) null, add column seen datetime default current_timestamp",
      "alter table sessions modify column expires timestamp(3) not null default '2000-01-01 00:00:00'",
      "alter table verification_token modify column expires timestamp(3) not null default '2000-01-01 00:00:00'",
    )
    return url
  }

  describe("instants in columns of the type timestamp", { tags: ["threat:FD-20", "threat:SF-10"] }, () => {
    it("round-trip on a pool in Berlin, which stays there", async () => {
      const pool = mysqlPool(await withTimestamps(), { connectionLimit: 1 }, inBerlin)
      const adapter = sqlAdapter(pool)
      await roundTrips(adapter)
      await keepsUnexpired(adapter)
      await expect(adapter.createUser(user("ada", instants[1] as Date))).rejects.toThrow("already")
      const [rows] = await pool.promise().query("select @@session.time_zone as zone")
      expect(rows).toEqual([{ zone: "Europe/Berlin" }])
    })

    it("round-trip on a connection that the application sets to Berlin between two uses", async () => {
      const pool = mysqlPool(await withTimestamps(), { connectionLimit: 1 }, "set time_zone = '+00:00'")
      const adapter = sqlAdapter(pool)
      await adapter.createUser(user("eve", instants[0] as Date))
      await pool.promise().query(inBerlin)
      await roundTrips(adapter)
    })

    it("round-trip on a Kysely instance in Berlin", async () => {
      const pool = mysqlPool(await withTimestamps(), {}, inBerlin)
      const adapter = sqlAdapter(new Kysely<unknown>({ dialect: new MysqlDialect({ pool: pool as never }) }))
      await roundTrips(adapter)
      await keepsUnexpired(adapter)
    })

    it("leave the clock of the application's own columns alone in every other hour", async () => {
      const pool = mysqlPool(await withTimestamps(), { connectionLimit: 1 }, inBerlin)
      const adapter = sqlAdapter(pool)
      await adapter.createUser(user("ada", new Date("2026-07-01T12:00:00Z")))
      const [rows] = await pool.promise().query("select timestampdiff(minute, seen, now()) as minutes from users")
      expect(rows).toEqual([{ minutes: 0 }])
    })
  })
})
