/** Published adapters that share tables with ours: each documented schema, on each server it is documented for. */
import { onMysql, onPostgresql, onSqlite } from "../../packages/sql-adapter/test/support/published/all.js"
import type { PublishedTables } from "../../packages/sql-adapter/test/support/published/tables.js"

/** Where tables are. */
export type Place = "postgresql" | "mariadb" | "sqlite"

/** Tables of one tool in one place. */
export interface SharedTables {
  readonly published: PublishedTables
  readonly place: Place
}

const everywhere: Readonly<Record<Place, readonly PublishedTables[]>> = {
  postgresql: onPostgresql,
  mariadb: onMysql,
  sqlite: onSqlite,
}

/** Every set of tables that the contract runs on. */
export const sharedTables: readonly SharedTables[] = (Object.keys(everywhere) as Place[]).flatMap((place) =>
  everywhere[place].map((published) => ({ place, published })),
)

/** Where the published adapter cannot be run, and why. A fixture that opens it nevertheless fails the run. */
export const notOpened: Readonly<Record<string, string>> = {
  "Sequelize sqlite": "its driver sqlite3 is compiled, or downloaded from elsewhere than the package registry",
}

const byHand = "the page of the adapter prints the statements, and they are these"
const noMysql = "the schema engine as WebAssembly says: Unsupported adapter provider: Mysql"

/** Where the tool does not make its own tables in the tests, and why. Elsewhere they are compared with these. */
export const notMade: Readonly<Record<string, string>> = {
  "Kysely postgresql": byHand,
  "the adapter for pg postgresql": byHand,
  "Prisma, the schema of Auth.js 5 mariadb": noMysql,
  "Prisma, the schema of next-auth 4 mariadb": noMysql,
}

/** The address of a user must not be null there: the published adapter refuses a user without one. */
export const addressRequired: ReadonlySet<string> = new Set(["Kysely", "Prisma, the schema of Auth.js 5"])

/** Columns that hold whole seconds. */
export const wholeSeconds: ReadonlySet<string> = new Set(["Drizzle mariadb", "Sequelize mariadb"])

/** What names one of them. */
export const keyOf = ({ published, place }: SharedTables): string => `${published.tool} ${place}`
