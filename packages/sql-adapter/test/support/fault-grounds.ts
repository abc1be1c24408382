/** Both kinds of servers, for tests of what can go wrong with them, and adapters that are closed after each test. */
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "@latchkey/sql-adapter"
import { afterEach } from "vitest"
import { startMariadb } from "../../../../tools/servers/mariadb.js"
import { startPostgresql } from "../../../../tools/servers/postgresql.js"
import type { Server } from "../../../../tools/servers/server.js"
import { mysqlPool, newMariadb, newPostgresql, pgPool, type TestDatabase } from "./databases.js"

export const open: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const { close } of open.splice(0).reverse()) await close()
})

export function adapterOn(source: Parameters<typeof sqlAdapter>[0], options: SqlAdapterOptions = {}): SqlAdapter {
  const adapter = sqlAdapter(source, { migrate: "auto", ...options })
  open.push(adapter)
  return adapter
}

/** What came of a call: the value, or the error. */
export async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    return error
  }
}

export const user = (id: string) => ({ id, email: `${id}@example.test`, emailVerified: null })
export const account = { provider: "example", providerAccountId: "secret-account", type: "oauth" as const }

/** One kind of server. */
export interface FaultGround {
  readonly start: () => Promise<Server>
  readonly make: (server: string) => Promise<TestDatabase>
  readonly pool: (url: string) => Parameters<typeof sqlAdapter>[0]
  readonly scheme: string
  /** Makes the database refuse to write on new connections; and what it says then. */
  readonly readOnly: (name: string) => string
  readonly readOnlyCode: string
  /** Fails the first writes of sessions with a conflict, once for each row of `conflicts`. */
  readonly conflicts: readonly string[]
}

export const postgresql: FaultGround = {
  start: startPostgresql,
  make: newPostgresql,
  pool: (url) => pgPool(url),
  scheme: "postgres",
  readOnly: (name) => `alter database ${name} set default_transaction_read_only = on`,
  readOnlyCode: "25006",
  conflicts: [
    "create sequence conflicts",
    `create function fail() returns trigger language plpgsql as $$ begin
      if nextval('conflicts') < 3 then raise exception using errcode = '40001', message = 'could not serialize'; end if;
      return new; end $$`,
    "create trigger fail before insert on sessions for each row execute function fail()",
  ],
}

export const mariadb: FaultGround = {
  start: startMariadb,
  make: newMariadb,
  pool: (url) => mysqlPool(url),
  scheme: "mysql",
  readOnly: () => "set global tx_read_only = 1",
  readOnlyCode: "ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
  conflicts: [
    "create table conflicts (id int auto_increment primary key) engine = MyISAM",
    `create trigger fail before insert on sessions for each row begin
      insert into conflicts values ();
      if last_insert_id() < 3 then signal sqlstate '40001' set mysql_errno = 1213, message_text = 'Deadlock found'; end if;
      end`,
  ],
}
