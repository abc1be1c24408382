/** What TypeORM makes of the entities of `@auth/typeorm-adapter`: times are milliseconds in texts. */
import type { Names } from "@latchkey/sql-adapter"
import type { PublishedTables } from "./tables.js"

const names: Names = { verificationTokens: "verification_tokens" }

interface Types {
  readonly id: string
  readonly owner: string
  readonly text: string
  readonly q: (name: string) => string
}

const postgresql: Types = {
  id: "uuid not null default gen_random_uuid()",
  owner: "uuid",
  text: "character varying",
  q: (name) => `"${name}"`,
}
const mysql: Types = {
  id: "varchar(36) not null",
  owner: "varchar(255)",
  text: "varchar(255)",
  q: (name) => `\`${name}\``,
}
const sqlite: Types = { ...postgresql, id: "varchar not null", owner: "varchar", text: "varchar" }

function tables({ id, owner, text, q }: Types): readonly string[] {
  const userId = (name: string) =>
    `constraint ${q(name)} foreign key (${q("userId")}) references ${q("users")} (id) on delete no action on update no action`
  return [
    `create table ${q("users")} (id ${id}, name ${text}, email ${text}, ${q("emailVerified")} ${text}, image ${text},
      constraint ${q("UQ_97672ac88f789774dd47f7c8be3")} unique (email), primary key (id))`,
    `create table ${q("accounts")} (id ${id}, ${q("userId")} ${owner} not null, ${q("type")} ${text} not null,
      provider ${text} not null, ${q("providerAccountId")} ${text} not null, refresh_token ${text}, access_token ${text},
      expires_at bigint, token_type ${text}, scope ${text}, id_token ${text}, session_state ${text}, primary key (id),
      ${userId("FK_3aa23c0a6d107393e8b40e3e2a6")})`,
    `create table ${q("sessions")} (id ${id}, ${q("sessionToken")} ${text} not null, ${q("userId")} ${owner} not null,
      expires ${text} not null, constraint ${q("UQ_8b5e2ec52e335c0fe16d7ec3584")} unique (${q("sessionToken")}),
      primary key (id), ${userId("FK_57de40bc620f456c7311aa3a1e6")})`,
    `create table ${q("verification_tokens")} (id ${id}, token ${text} not null, identifier ${text} not null,
      expires ${text} not null, primary key (id))`,
  ]
}

const typeorm = (types: Types): Omit<PublishedTables, "impossible"> => ({
  tool: "TypeORM",
  names,
  tables: tables(types),
})

export const typeormPostgresql = typeorm(postgresql)
export const typeormMysql = typeorm(mysql)
export const typeormSqlite = typeorm(sqlite)
