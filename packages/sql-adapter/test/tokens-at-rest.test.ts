/** What the table holds of session tokens, and moving between the two forms. */
import { createAuth } from "@latchkey/core"
import { type SessionTokens, type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { type Kysely, sql } from "kysely"
import { afterEach, describe, expect, it } from "vitest"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const open: SqlAdapter[] = []

afterEach(async () => {
  for (const adapter of open.splice(0)) await adapter.close()
})

async function adapterOn(filename: string, sessionTokens: SessionTokens): Promise<SqlAdapter> {
  const adapter = sqlAdapter({ filename }, { sessionTokens })
  open.push(adapter)
  if (!(await adapter.getUser("1"))) await adapter.createUser({ id: "1", email: "", emailVerified: null })
  return adapter
}

const expires = new Date("2099-01-02T03:04:05.678Z")
const session = { sessionToken: "token-of-ada", userId: "1", expires }
const hash = /^sha256:[0-9a-f]{64}$/

async function stored({ kysely }: { kysely: Kysely<unknown> }): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`select "sessionToken" as token from sessions`.execute(kysely)
  return rows.map(({ token }) => token)
}

describe("session tokens at rest", () => {
  it("are hashed by default", { tags: ["threat:TL-08"] }, async () => {
    const adapter = await adapterOn(file(), "hashed")
    await adapter.createSession(session)
    expect(await stored(adapter)).toEqual([expect.stringMatching(hash)])
    expect((await adapter.getSessionAndUser("token-of-ada"))?.session).toMatchObject(session)
  })

  it("cannot be presented as they stand in the table", { tags: ["threat:TL-08"] }, async () => {
    const adapter = await adapterOn(file(), "hashed")
    await adapter.createSession(session)
    const [stolen = ""] = await stored(adapter)
    expect(await adapter.getSessionAndUser(stolen)).toBeNull()
    expect(await adapter.updateSession({ sessionToken: stolen, expires })).toBeNull()
    expect(await adapter.getSessionAndUser("token-of-ada")).not.toBeNull()
  })

  it.each([
    ["plain", "hashed", hash],
    ["hashed", "plain", /^token-of-ada$/],
  ] as const)("written %s are read %s, and change over when extended", async (before, after, form) => {
    const filename = file()
    await (await adapterOn(filename, before)).createSession(session)
    const adapter = await adapterOn(filename, after)
    expect((await adapter.getSessionAndUser("token-of-ada"))?.session).toMatchObject(session)
    const later = new Date("2099-02-03T04:05:06.789Z")
    expect(await adapter.updateSession({ sessionToken: "token-of-ada", expires: later })).toMatchObject({
      sessionToken: "token-of-ada",
      expires: later,
    })
    expect(await stored(adapter)).toEqual([expect.stringMatching(form)])
    expect((await adapter.getSessionAndUser("token-of-ada"))?.session.expires).toEqual(later)
  })

  it.each(["hashed", "plain"] as const)("written %s are ended whichever form is read", async (before) => {
    const filename = file()
    await (await adapterOn(filename, before)).createSession(session)
    const adapter = await adapterOn(filename, "hashed")
    expect(await adapter.deleteSession("token-of-ada")).toMatchObject(session)
    expect(await stored(adapter)).toEqual([])
  })

  it("are listed in their stored form, which ends the session", async () => {
    const adapter = await adapterOn(file(), "hashed")
    await adapter.createSession(session)
    const [listed] = await adapter.listSessionsByUserId("1")
    expect(listed?.sessionToken).toMatch(hash)
    await adapter.deleteSession(listed?.sessionToken ?? "")
    expect(await stored(adapter)).toEqual([])
  })

  it("end nothing as they stand in the table, where they come out of a cookie", {
    tags: ["threat:TL-08"],
  }, async () => {
    const adapter = await adapterOn(file(), "hashed")
    await adapter.createSession(session)
    const [stolen = ""] = await stored(adapter)
    const secret = "0123456789abcdef0123456789abcdef"
    const auth = createAuth({ providers: [], secret, trustHost: true, adapter, session: { strategy: "database" } })
    const signOut = (token: string) => {
      const cookie = `__Secure-authjs.session-token=${token}`
      return auth.signOut({ url: "https://app.test/", headers: { cookie } })
    }
    expect((await signOut(stolen)).cookies).toMatchObject([{ options: { maxAge: 0 } }])
    expect(await stored(adapter)).toEqual([stolen])
    await signOut("token-of-ada")
    expect(await stored(adapter)).toEqual([])
  })
})
