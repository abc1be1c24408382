/** Writing instants to MySQL and MariaDB exactly: they go through the zone of the session, where an hour may come twice. */
import { CompiledQuery, type QueryResult, sql } from "kysely"
import type { Channel, Row, SqlDialect } from "./dialect.js"
import { builder } from "./mysql-definitions.js"

/** How an instant stands in a statement. A column of the type `timestamp` takes no other notation in all versions. */
export const instant = (seconds: string): ReturnType<typeof sql> =>
  sql`from_unixtime(cast(${seconds} as decimal(20, 3)))`

const writesInstants = /^(insert|update)\b.*from_unixtime\(cast\(\? as decimal/s
const seconds = /^\d{1,10}\.\d{3}$/

/** Which values of a statement may be instants. A string that only looks like one does no harm. */
function instantsOf({ sql: text, parameters }: CompiledQuery): readonly string[] {
  if (!writesInstants.test(text)) return []
  return parameters.filter((value): value is string => typeof value === "string" && seconds.test(value))
}

/** Does the way through the zone of the session lead back to the same instants? */
function question(instants: readonly string[]): CompiledQuery {
  const same = instants.map((one) => sql`unix_timestamp(from_unixtime(${sql.raw(one)})) = ${sql.raw(one)}`)
  const isExact = sql.join(same, sql` and `)
  return sql`select (${isExact}) as exact, @@session.time_zone as zone, @@system_time_zone as host`.compile(builder)
}

/**
 * A zone without daylight saving, as far as its name tells. The zone of the host is what its clock was called when the server
 * started: it is `GMT` in London, Dublin and Lisbon in winter.
 */
function isFixed({ zone, host }: Row): boolean {
  const name = zone === "SYSTEM" ? host : zone
  return /^([+-]\d\d:\d\d|UTC|Etc\/UTC)$/.test(String(name))
}

/**
 * Runs statements so that they write the instants they were given. In the hour that comes twice, the zone of the session is
 * UTC for the one statement, and then what it was: at all other times columns with a default of their own keep its clock.
 */
export const writesExactly: NonNullable<SqlDialect["exactly"]> = () => {
  let isSteady = false
  return async (channel, query) => {
    const instants = isSteady ? [] : instantsOf(query)
    if (instants.length === 0) return channel.execute(query)
    const [row = {}] = (await channel.execute(question(instants))).rows
    isSteady = isFixed(row)
    return isSteady || Number(row.exact) === 1 ? channel.execute(query) : inUtc(channel, query)
  }
}

async function inUtc(channel: Channel, query: CompiledQuery): Promise<QueryResult<Row>> {
  const run = (text: string): Promise<unknown> => channel.execute(CompiledQuery.raw(text))
  await run("set @latchkey_zone = @@session.time_zone, @@session.time_zone = '+00:00'")
  try {
    return await channel.execute(query)
  } finally {
    // A connection that is stuck is closed after this.
    if (!channel.isStuck()) await run("set @@session.time_zone = @latchkey_zone")
  }
}
