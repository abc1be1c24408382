/** What `sync()` of Sequelize makes of the models of `@auth/sequelize-adapter`. */
import type { Names } from "@latchkey/sql-adapter"
import type { PublishedTables } from "./tables.js"

const names: Names = {
  users: { columns: { emailVerified: "email_verified" } },
  accounts: { columns: { userId: "user_id", providerAccountId: "provider_account_id" } },
  sessions: { columns: { userId: "user_id", sessionToken: "session_token" } },
  verificationTokens: "verification_tokens",
}

interface Types {
  readonly id: string
  readonly time: string
}

function tables({ id, time }: Types): readonly string[] {
  const text = "varchar(255)"
  const userId = `user_id ${id}, foreign key (user_id) references users (id) on delete cascade on update cascade`
  return [
    `create table users (id ${id} not null, name ${text}, email ${text} unique, email_verified ${time}, image ${text},
      primary key (id))`,
    `create table accounts (id ${id} not null, type ${text} not null, provider ${text} not null,
      provider_account_id ${text} not null, refresh_token ${text}, access_token ${text}, expires_at integer,
      token_type ${text}, scope ${text}, id_token text, session_state ${text}, ${userId}, primary key (id))`,
    `create table sessions (id ${id} not null, expires ${time} not null, session_token ${text} not null unique, ${userId},
      primary key (id))`,
    `create table verification_tokens (token ${text} not null primary key, identifier ${text} not null,
      expires ${time} not null)`,
  ]
}

const sequelize = (types: Types): Omit<PublishedTables, "impossible"> => ({
  tool: "Sequelize",
  names,
  tables: tables(types),
})

export const sequelizePostgresql = sequelize({ id: "uuid", time: "timestamp with time zone" })
export const sequelizeMysql = sequelize({ id: "char(36) binary", time: "datetime" })
export const sequelizeSqlite = sequelize({ id: "uuid", time: "datetime" })
