/** Rows of an application that refer to rows of sessions, while all other sessions of a user are ended. */
import { createAuth } from "@latchkey/core"
import { managedSessions } from "@latchkey/core/sessions"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { signInAs } from "@latchkey/testing"
import { sql } from "kysely"
import { expect, it } from "vitest"
import { ada } from "./support/people.js"

it.each(["restrict", "cascade"])("those of a session that goes on stay: on delete %s", async (action) => {
  const adapter = sqlAdapter({ filename: ":memory:" })
  await adapter.migrate()
  const visits = `create table visits (token text references sessions("sessionToken") on delete ${action})`
  await sql.raw(visits).execute(adapter.kysely)
  const sessions = managedSessions()
  const auth = createAuth({
    adapter,
    ...{ secret: "0123456789abcdef0123456789abcdef", trustHost: true, providers: [] },
    session: { strategy: "database" },
    features: [sessions],
  })
  const user = await adapter.createUser(ada)
  const { headers } = await signInAs(auth, { id: user.id }, { url: "https://app.test" })
  await sql.raw(`insert into visits (token) select "sessionToken" from sessions`).execute(adapter.kysely)
  await signInAs(auth, { id: user.id }, { url: "https://app.test" })
  const request = new Request("https://app.test/", { headers })
  expect((await sessions.endOthers(auth, request)).done).toBe(true)
  const { rows } = await sql
    .raw("select (select count(*) from sessions) as sessions, (select count(*) from visits) as visits")
    .execute(adapter.kysely)
  // The session has a new token; the row of the one before it is there for requests that are under way.
  expect(rows).toEqual([{ sessions: 2, visits: 1 }])
  await adapter.close()
})
