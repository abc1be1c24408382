/** Adapters that were published for Auth.js, on stores in memory. */
import { KyselyAdapter } from "@auth/kysely-adapter"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import type { Adapter } from "@latchkey/core/adapters"
import { sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { createStorage } from "unstorage"

/** The tables that the documentation of the adapter for Kysely tells people to make, with the unique keys it shows. */
const tables = [
  `create table "User" (id text primary key not null, name text, email text unique, "emailVerified" text, image text)`,
  `create table "Account" (id text, "userId" text not null references "User" (id) on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text)`,
  `create unique index "Account_key" on "Account" (provider, "providerAccountId")`,
  `create table "Session" (id text, "sessionToken" text not null unique,
    "userId" text not null references "User" (id) on delete cascade, expires text not null)`,
  `create table "VerificationToken" (identifier text not null, token text not null unique, expires text not null)`,
]

interface Tables {
  readonly Account: Record<string, unknown>
  readonly Session: { readonly userId: string }
}

/** A published adapter that was opened. */
export interface OpenAdapter {
  readonly adapter: Adapter
  readonly close: () => Promise<void>
}

async function openKysely(): Promise<OpenAdapter & { readonly db: Kysely<Tables> }> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect({ filename: ":memory:" }) })
  for (const statement of tables) await sql.raw(statement).execute(db)
  const adapter = KyselyAdapter(db as unknown as Parameters<typeof KyselyAdapter>[0]) as Adapter
  return { adapter, db, close: () => db.destroy() }
}

/** Opens each published adapter, and one completed as the guide on adapters shows. */
export const openPublished = {
  "@auth/unstorage-adapter": async (): Promise<OpenAdapter> => ({
    adapter: UnstorageAdapter(createStorage()) as Adapter,
    close: async () => undefined,
  }),
  "@auth/kysely-adapter": openKysely as () => Promise<OpenAdapter>,
  async "@auth/kysely-adapter, completed"(): Promise<OpenAdapter> {
    const { adapter, db, close } = await openKysely()
    const completed: Adapter = {
      ...adapter,
      deleteSessionsByUserId: async (userId: string) => {
        await db.deleteFrom("Session").where("userId", "=", userId).execute()
      },
      listAccountsByUserId: (userId: string) =>
        db.selectFrom("Account").selectAll().where("userId", "=", userId).execute() as never,
    }
    return { adapter: completed, close }
  },
} as const satisfies Readonly<Record<string, () => Promise<OpenAdapter>>>
