/** Operations on sessions. They take and return the plain token; the table holds what `tokens.ts` makes of it. */
import type { Adapter, AdapterSession } from "@latchkey/core/adapters"
import { AnyOf, selection } from "../codec.js"
import type { Desk } from "../desk.js"
import type { Row } from "../dialects/dialect.js"
import { type Prepared, prepare } from "../prepared.js"
import type { Runner } from "../runner.js"
import type { Table } from "../table.js"
import { isStorable } from "../values.js"
import { asUser, newId } from "./users.js"

type SessionOperations = Required<
  Pick<
    Adapter,
    | "createSession"
    | "getSessionAndUser"
    | "updateSession"
    | "deleteSession"
    | "deleteSessionsByUserId"
    | "listSessionsByUserId"
  >
>

/** Columns of the session come under this prefix, those of the user under none. */
const prefix = "session:"

/** Session and user in one indexed join, by these forms of the token. */
function writeLookUp(desk: Desk, forms: readonly string[]): Prepared {
  const [sessions, users] = [desk.table("sessions"), desk.table("users")]
  return prepare((slot) =>
    desk.dialect.builder
      .selectFrom(`${sessions.layout.table} as s`)
      .innerJoin(`${users.layout.table} as u`, `u.${users.column("id")}`, `s.${sessions.column("userId")}`)
      .select([
        ...selection(sessions.layout, desk.dialect, { alias: "s", prefix }),
        ...selection(users.layout, desk.dialect, { alias: "u" }),
      ])
      .where(sessions.isSame("sessionToken", forms.length === 1 ? slot("first") : forms.map(slot), "s")),
  )
}

/**
 * The row with a presented token. Where asking is cheap, the form that is written is asked for alone, and both only when it
 * finds nothing: both at once then, because a row may change over between two questions.
 */
async function lookUp(
  desk: Desk,
  runner: Runner,
  [first, second]: readonly [string, string],
): Promise<Row | undefined> {
  if (runner.isNear) {
    const written = desk.statement("session and user, written", () => writeLookUp(desk, ["first"]))
    const [row] = await runner.read(written({ first }), { isSingle: true })
    if (row) return row
  }
  const either = desk.statement("session and user", () => writeLookUp(desk, ["first", "second"]))
  const [row] = await runner.read(either({ first, second }), { isSingle: true })
  return row
}

const asSession = (row: Row): AdapterSession => row as unknown as AdapterSession

export function sessionOperations(desk: Desk, runner: Runner): SessionOperations {
  const sessions = (): Table => desk.table("sessions")
  const { tokens } = desk
  return {
    async createSession(session) {
      const sessionToken = tokens.written(session.sessionToken)
      const row = await sessions().insert(runner, { members: { ...session, sessionToken, ...newId(sessions()) } })
      return asSession({ ...row, sessionToken: session.sessionToken })
    },
    async getSessionAndUser(sessionToken) {
      if (!isStorable(sessionToken)) return null
      const row = await lookUp(desk, runner, tokens.presented(sessionToken))
      if (!row) return null
      const session = asSession({ ...sessions().toMembers(row, prefix), sessionToken })
      return { session, user: asUser(desk.table("users").toMembers(row)) }
    },
    async updateSession({ sessionToken, ...patch }) {
      if (!isStorable(sessionToken)) return null
      // The stored form is renewed with every extension, so that a change of mode completes by itself.
      const to = { ...patch, sessionToken: tokens.written(sessionToken) }
      const where = { sessionToken: new AnyOf(tokens.presented(sessionToken)) }
      const [row] = await sessions().update(runner, { where, to })
      return row ? asSession({ ...row, sessionToken }) : null
    },
    async deleteSession(sessionToken) {
      if (!isStorable(sessionToken)) return null
      const [row] = await sessions().remove(runner, { sessionToken: new AnyOf(tokens.ended(sessionToken)) })
      return row ? asSession({ ...row, sessionToken }) : null
    },
    deleteSessionsByUserId: async (userId) => sessions().drop(runner, { userId }),
    async listSessionsByUserId(userId) {
      const byUser = desk.statement("sessions by user", () => sessions().finder("userId"))
      return (await sessions().find(runner, byUser, { userId })).map(asSession)
    },
  }
}
