/** The plans by which a database finds and removes rows, beside what they cost. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { Kysely } from "kysely"

/** A removal is asked for rows before 1970, so that it removes none; its plan is asked for rows before now. */
const beginning = { "1970-01-01T00:00:00.000Z": "T", "1970-01-01 00:00:00.000": " " }

function beforeNow(value) {
  const separator = beginning[value]
  if (separator === undefined) return value === 0 ? Date.now() : value
  const now = new Date().toISOString()
  return separator === "T" ? now : now.replace("T", " ").slice(0, -1)
}

/** One line of what each database answers to `explain`. */
const lineOf = {
  SqliteAdapter: ({ detail }) => detail,
  PostgresAdapter: (row) =>
    row["QUERY PLAN"]
      .trim()
      .replace(/^-> +/, "")
      .replace(/ +\(cost=.*/, ""),
  MysqlAdapter: ({ table, type, key, rows }) => `${table}: ${type} by ${key}, ${rows} rows`,
}

/** The part of a plan that says how rows are found. */
const isAccess = (line) =>
  !/^(Index Cond|Recheck Cond|TID Cond|Join Filter|Filter|InitPlan|Nested Loop|Planning)/.test(line)

/**
 * Prints the plans of the look-ups and of the removal.
 *
 * @param {import("kysely").Dialect} dialect
 */
export async function printPlans(dialect) {
  const seen = []
  const kysely = new Kysely({ dialect, log: ({ query }) => seen.push(query) })
  const kind = kysely.getExecutor().adapter.constructor.name
  const adapter = sqlAdapter(kysely)
  const works = {
    "session and user": () => adapter.getSessionAndUser("old-1"),
    "user by address": () => adapter.getUserByEmail("u1@example.test"),
    "user by account": () => adapter.getUserByAccount({ provider: "p", providerAccountId: "1" }),
    "sessions of a user": () => adapter.listSessionsByUserId("u1"),
    "removal of expired sessions": () => adapter.deleteExpired(new Date(0)),
  }
  try {
    await adapter.getUser("u1")
    for (const [name, work] of Object.entries(works)) {
      seen.length = 0
      await work()
      const { sql, parameters } = seen.find(({ sql: text }) => /^(select|delete)\b/.test(text))
      const explain = kind === "SqliteAdapter" ? "explain query plan" : "explain"
      const asked = { sql: `${explain} ${sql}`, parameters: parameters.map(beforeNow), query: { kind: "RawNode" } }
      const { rows } = await kysely.executeQuery(asked)
      console.log(`  plan of ${name}: ${rows.map(lineOf[kind]).filter(isAccess).join(" | ")}`)
    }
  } finally {
    await kysely.destroy()
  }
}
