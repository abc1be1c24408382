/** Every table set, by server, with what it cannot hold. */
import { drizzleMysql, drizzlePostgresql, drizzleSqlite } from "./drizzle.js"
import { kyselyPostgresql, pgOnMysql, pgPostgresql, pgWithUuids } from "./kysely.js"
import { shortInstants, wholeSeconds } from "./mysql-times.js"
import { prismaMysql, prismaPostgresql, prismaSqlite } from "./prisma.js"
import { sequelizeMysql, sequelizePostgresql, sequelizeSqlite } from "./sequelize.js"
import {
  narrow,
  narrowCredentials,
  narrowKeys,
  narrowLinks,
  oneEmpty,
  type PublishedTables,
  shortCounters,
  shortTimes,
  shortWhole,
} from "./tables.js"
import { typeormMysql, typeormPostgresql, typeormSqlite } from "./typeorm.js"

export const onPostgresql: readonly PublishedTables[] = [
  ...prismaPostgresql,
  { ...drizzlePostgresql, impossible: { ...shortTimes, ...shortWhole, ...shortCounters } },
  { ...kyselyPostgresql, impossible: oneEmpty },
  { ...pgPostgresql, impossible: narrowKeys },
  { ...typeormPostgresql, impossible: {} },
  { ...sequelizePostgresql, impossible: { ...shortTimes, ...narrow } },
]

export const onMysql: readonly PublishedTables[] = [
  ...prismaMysql,
  {
    ...drizzleMysql,
    impossible: { ...shortTimes, ...shortCounters, ...narrow, ...narrowCredentials, ...shortInstants },
  },
  { ...typeormMysql, impossible: narrow },
  { ...sequelizeMysql, impossible: { ...shortTimes, ...narrow, ...wholeSeconds } },
]

export const onSqlite: readonly PublishedTables[] = [
  ...prismaSqlite,
  { ...drizzleSqlite, impossible: {} },
  { ...typeormSqlite, impossible: {} },
  { ...sequelizeSqlite, impossible: {} },
]

/** Tables that no published adapter documents, and applications have. */
export const alsoOnPostgresql: readonly PublishedTables[] = [{ ...pgWithUuids, impossible: narrowKeys }]
export const alsoOnMysql: readonly PublishedTables[] = [{ ...pgOnMysql, impossible: narrowLinks }]
