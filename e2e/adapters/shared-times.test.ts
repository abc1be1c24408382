/** Times that tools write in notations of their own, on tables that ours shares with them. */
import { describe, expect, inject, it } from "vitest"
import { ours, theirs, withTables } from "./grounds.js"
import { findPeople, writePeople } from "./people.js"
import { keyOf, type SharedTables, sharedTables } from "./shared-tables.data.js"

function tablesOf(key: string): SharedTables {
  const found = sharedTables.find((shared) => keyOf(shared) === key)
  if (!found) throw new Error(`Expected tables called ${key}.`)
  return found
}

const exact = { precision: 0 }

describe.each(["Prisma, the schema of Auth.js 5 sqlite", "Prisma, the schema of next-auth 4 sqlite"])(
  "milliseconds, as Prisma wrote them to SQLite before version 7: %s",
  (key) => {
    const shared = tablesOf(key)
    const options = { timestampFormat: "unixepoch-ms" }
    const required = key.includes("Auth.js 5")

    it("are read by ours, and what ours writes is read by Prisma", async () => {
      const ground = await withTables(shared)
      const { adapter: published } = await theirs(shared, ground, options)
      const before = await writePeople(published, "before", required)
      const adapter = ours(shared, ground, { sessionTokens: "plain" })
      await adapter.migrate()
      await findPeople(adapter, before, exact)
      await findPeople(published, await writePeople(adapter, "ours", required), exact)
    })

    it("are swept when they have passed", async () => {
      const ground = await withTables(shared)
      const { adapter: published } = await theirs(shared, ground, options)
      const people = await writePeople(published, "before", required)
      const adapter = ours(shared, ground)
      await adapter.migrate()
      const end = new Date(Math.max(...people.map(({ link }) => link.expires.getTime())) + 1)
      expect(await adapter.deleteExpired(new Date())).toMatchObject({ sessions: 0, verificationTokens: 0 })
      const all = people.length
      expect(await adapter.deleteExpired(end)).toMatchObject({ sessions: all, verificationTokens: all })
    })
  },
)

// Left out only where `LATCHKEY_WITHOUT` names the server, and counted as skipped then.
describe.skipIf(inject("mariadb") === "")("instants that Drizzle wrote in a session that is not in UTC", () => {
  const shared = tablesOf("Drizzle mariadb")

  it("are off by the zone, until they are moved by it", async () => {
    const ground = await withTables(shared)
    const { adapter: published } = await theirs(shared, ground, { zone: "+05:45" })
    const [ada] = await writePeople(published, "before", true)
    if (!ada) throw new Error("Expected somebody.")
    const adapter = ours(shared, ground)
    await adapter.migrate()
    const endOf = async () =>
      (await adapter.getSessionAndUser(ada.session.sessionToken))?.session.expires.getTime() ?? 0
    const off = ada.session.expires.getTime() - (await endOf())
    expect(Math.round(off / 60_000)).toBe(5 * 60 + 45)
    await ground.run(
      "set time_zone = '+05:45'",
      "update session set expires = convert_tz(expires, '+00:00', @@session.time_zone)",
    )
    expect(Math.abs(ada.session.expires.getTime() - (await endOf()))).toBeLessThanOrEqual(1000)
  })
})
