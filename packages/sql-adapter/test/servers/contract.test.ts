/** The adapter keeps the whole contract on real servers, whatever it was handed. */
import { type ContractCase, contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "@latchkey/sql-adapter"
import pg from "pg"
import { afterAll, beforeAll, describe, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import {
  mysqlKysely,
  mysqlPool,
  mysqlPromisePool,
  newMariadb,
  newPostgresql,
  pgKysely,
  pgPool,
} from "../support/databases.js"
import { foreignPostgresql } from "../support/foreign-tables.js"
import { titled } from "../support/titled.js"

type Make = (server: string) => Promise<SqlAdapter>

const auto: SqlAdapterOptions = { migrate: "auto" }

/** Pools of our own refuse whoever waits longer; a thousand calls at once do so on a busy machine. */
const patient: SqlAdapterOptions = { ...auto, busyTimeout: 30_000 }

const onUrl = {
  postgresql: async (server: string) => sqlAdapter((await newPostgresql(server)).url, patient),
  mariadb: async (server: string) => sqlAdapter((await newMariadb(server)).url.replace("mysql:", "mariadb:"), patient),
}

const onPostgresql: Readonly<Record<string, Make>> = {
  "a pool": async (server) => sqlAdapter(pgPool((await newPostgresql(server)).url), auto),
  "a Kysely instance": async (server) => sqlAdapter(pgKysely((await newPostgresql(server)).url), auto),
  "a URL, with plain session tokens, without prepared statements": async (server) =>
    sqlAdapter(
      { url: (await newPostgresql(server)).url },
      { ...patient, sessionTokens: "plain", preparedStatements: false },
    ),
}

const onMariadb: Readonly<Record<string, Make>> = {
  "a pool": async (server) => sqlAdapter(mysqlPool((await newMariadb(server)).url), auto),
  "a pool with promises": async (server) => sqlAdapter(mysqlPromisePool((await newMariadb(server)).url), auto),
  "a Kysely instance": async (server) => sqlAdapter(mysqlKysely((await newMariadb(server)).url), auto),
}

/** Sessions far from UTC, with notations of their own. */
const elsewhereOnPostgresql: Readonly<Record<string, Make>> = {
  "a database in another time zone, with other notations": async (server) => {
    const database = await newPostgresql(server)
    const name = new URL(database.url).pathname.slice(1)
    await database.run(
      `alter database ${name} set timezone = 'America/St_Johns'`,
      `alter database ${name} set datestyle = 'German, DMY'`,
    )
    const types = { getTypeParser: () => (text: string) => `as it came: ${text}` } as unknown as pg.CustomTypesConfig
    // The application has its own ideas about times, and nothing else.
    const getTypeParser = (oid: number, format: "text") =>
      oid === 1184 ? types.getTypeParser(oid, format) : pg.types.getTypeParser(oid, format)
    return sqlAdapter(pgPool(database.url, { types: { getTypeParser } as pg.CustomTypesConfig }), auto)
  },
  "tables with times without a zone": async (server) => {
    const database = await newPostgresql(server)
    await database.run(...foreignPostgresql.map((statement) => statement.replaceAll("timestamptz", "timestamp")))
    return sqlAdapter(database.url, auto)
  },
}

const elsewhereOnMariadb: Readonly<Record<string, Make>> = {
  "a pool in another time zone": async (server) => {
    const { url } = await newMariadb(server)
    return sqlAdapter(mysqlPool(url, { timezone: "-03:30" }, "set time_zone = '-03:30'"), auto)
  },
}

interface Contract {
  readonly makes: Readonly<Record<string, Make>>
  readonly server: string
  /** @default all */
  readonly cases?: readonly ContractCase[]
}

function contract({ makes, server, cases = contractCases }: Contract): void {
  describe.each(Object.entries(makes))(
    "the SQL adapter on %s [RC-01] [RC-10] [RC-11] [RC-18] [FD-20] [FD-21] [EM-093] [EM-094] [FD-22] [FD-23] [FD-24]",
    (_, make) => {
      let adapter: SqlAdapter
      beforeAll(async () => {
        adapter = await make(server)
      })
      afterAll(() => adapter.close())

      it.each(titled(cases))("%s", (_, contractCase) => runCase(contractCase, adapter))
    },
  )
}

const dates = contractCases.filter(({ group }) => group === "dates")

/** Cutting sign-ins off everywhere takes long, and asks nothing of the way in which the database was handed over. */
const withoutCrashes = contractCases.filter(({ group }) => group !== "crash")

describeServer("postgresql", (server) => {
  contract({ server, makes: { "a URL": onUrl.postgresql } })
  contract({ server, makes: onPostgresql, cases: withoutCrashes })
  contract({ server, makes: elsewhereOnPostgresql, cases: dates })
})

describeServer("mariadb", (server) => {
  contract({ server, makes: { "a URL": onUrl.mariadb } })
  contract({ server, makes: onMariadb, cases: withoutCrashes })
  contract({ server, makes: elsewhereOnMariadb, cases: dates })
})
