/** Rows of an application that refer to rows of sessions, while all other sessions of a user are ended. */
import { createAuth } from "@latchkey/core"
import { managedSessions } from "@latchkey/core/sessions"
import { sqlAdapter } from "@latchkey/sql-adapter"
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
  const { id: userId } = await adapter.createUser(ada)
  const expires = new Date(Date.now() + 3_600_000)
  const visit = async (sessionToken: string): Promise<Request> => {
    const request = new Request("http://localhost/auth/session", {
      headers: { cookie: `authjs.session-token=${sessionToken}` },
    })
    expect(await (await auth.handle(request)).json()).not.toBeNull()
    return request
  }
  await adapter.createSession({ sessionToken: "first", userId, expires })
  await sql.raw(`insert into visits (token) select "sessionToken" from sessions`).execute(adapter.kysely)
  await adapter.createSession({ sessionToken: "second", userId, expires })
  await visit("second")
  expect((await sessions.endOthers(auth, await visit("first"))).done).toBe(true)
  const { rows } = await sql
    .raw("select (select count(*) from sessions) as sessions, (select count(*) from visits) as visits")
    .execute(adapter.kysely)
  // The session has a new token; the row of the one before it is there for requests that are under way.
  expect(rows).toEqual([{ sessions: 2, visits: 1 }])
  await adapter.close()
})
