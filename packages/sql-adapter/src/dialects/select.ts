/** Which dialect a database speaks. One line for each. */
import type { Kysely } from "kysely"
import type { SqlDialect } from "./dialect.js"
import { mysql } from "./mysql.js"
import { postgresql } from "./postgresql.js"
import { sqlite } from "./sqlite.js"

const dialects: readonly SqlDialect[] = [sqlite, postgresql, mysql]

/** The names of the dialects. */
export type DialectName = "sqlite" | "postgresql" | "mysql"

const list = (): string => dialects.map(({ name }) => name).join(", ")

/** The dialect of a Kysely instance. */
export function dialectOf(kysely: Pick<Kysely<unknown>, "getExecutor">): SqlDialect {
  const { adapter } = kysely.getExecutor()
  const found = dialects.find((dialect) => dialect.recognises(adapter))
  if (found) return found
  throw new TypeError(
    `The dialect ${adapter.constructor.name} of this Kysely instance is unknown; supported are: ${list()}. If it is one of them, set the option "dialect".`,
  )
}

/** The dialect with this name. */
export function dialectNamed(name: string): SqlDialect {
  const found = dialects.find((dialect) => dialect.name === name || dialect.aliases.includes(name))
  if (!found) throw new TypeError(`There is no dialect "${name}"; known are: ${list()}.`)
  return found
}

/** The dialect of a URL. The rest of the URL may hold a password and is never shown. */
export function dialectOfScheme(scheme: string): SqlDialect {
  const found = dialects.find(({ schemes }) => schemes.includes(scheme))
  const known = dialects.flatMap(({ schemes }) => schemes).map((text) => `${text}:`)
  if (!found)
    throw new TypeError(`Cannot connect to a URL that begins with "${scheme}:"; known are ${known.join(", ")}.`)
  return found
}
