/** Which database `DATABASE_URL` means: a SQLite file, PostgreSQL, MySQL or MariaDB, or Redis. */
import { Mistake } from "../mistake.js"
import { openRedis } from "./redis-rows.js"
import { openSql } from "./sql-rows.js"

/**
 * @typedef {{ provider: string, providerAccountId: string, type: string }} AccountRow
 * @typedef {{
 *   adapter: Required<Omit<import("@latchkey/core/adapters").Adapter, "transaction">> & import("@latchkey/core/adapters").Adapter,
 *   accountsOf(userId: string): Promise<readonly AccountRow[]>,
 *   hashOf(userId: string): Promise<string | undefined>,
 *   keepHash(userId: string, hash: string): Promise<void>,
 *   close(): Promise<void>,
 * }} Rows What the application asks of its database, beyond the service's own operations.
 * @typedef {(step: string) => void} Tell
 * @typedef {{ title: string, place: string, open(tell: Tell): Promise<Rows> }} Database
 */

/** @type {Readonly<Record<string, string>>} */
const servers = {
  "postgres:": "PostgreSQL",
  "postgresql:": "PostgreSQL",
  "mysql:": "MySQL",
  "mariadb:": "MariaDB",
  "redis:": "Redis",
  "rediss:": "Redis",
}

const choices = `It can be
  file:some.sqlite or a path              SQLite
  postgres://user:password@host/database  PostgreSQL
  mysql://user:password@host/database     MySQL
  mariadb://user:password@host/database   MariaDB
  redis://:password@host                  Redis
Leave it out for a SQLite file in the folder of the demo.`

/**
 * Reads `DATABASE_URL`. Its address may hold a password, so no message shows more of it than the scheme and the host.
 *
 * @param {string | undefined} text
 * @param {string} file the SQLite file that serves when nothing is said
 * @returns {Database}
 */
export function databaseOf(text, file) {
  if (!text) return sqlite({ filename: file }, file)
  const [scheme] = /^[a-z][a-z\d+.-]+:/i.exec(text)?.map((part) => part.toLowerCase()) ?? []
  if (scheme === undefined) return sqlite({ filename: text }, text)
  if (scheme === "file:" || scheme === "sqlite:") return sqlite({ url: text }, text.slice(scheme.length))
  const title = servers[scheme]
  if (title === undefined)
    throw new Mistake(`DATABASE_URL begins with "${scheme}", which the demo does not know. ${choices}`)
  // An @ behind the host is one of the password, and the host a piece of it.
  if (!URL.canParse(text) || new URL(text).href.split("/").slice(3).join("/").includes("@"))
    throw new Mistake(
      `DATABASE_URL begins with "${scheme}" and is no address. Characters like @ and / in its password are written %40 and %2F. ${choices}`,
    )
  const open = title === "Redis" ? openRedis : openSql
  const place = new URL(text).host || "localhost"
  return { title, place, open: (tell) => open({ url: text }, tell) }
}

/**
 * @param {{ filename: string } | { url: string }} source
 * @param {string} place
 * @returns {Database}
 */
const sqlite = (source, place) => ({ title: "SQLite", place, open: (tell) => openSql(source, tell) })
