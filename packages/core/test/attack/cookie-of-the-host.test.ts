/** The session cookie is given to the domain while browsers hold the one of the host, which they send first. */
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { memoryAdapter } from "../../src/memory.js"
import { managedSessions } from "../../src/sessions.js"
import type { AuthConfig } from "../../src/types/config.js"
import { sessionCookie } from "../support/journeys.js"
import { passwordProvider, plainSettings } from "../support/password-service.js"

const host = "www.app.test"
const ofDomain = { sessionToken: { options: { domain: ".app.test" } } }

/** A browser that keeps cookies by name and domain, and sends older ones first (RFC 6265 §5.3 and §5.4). */
function browserOf() {
  const jar = new Map<string, string>()
  const ask = async ({ handle }: ReturnType<typeof createAuth>, path: string, form?: Record<string, string>) => {
    const cookie = [...jar].map(([key, value]) => `${key.split(" ")[0]}=${value}`).join("; ")
    const sent = form && { method: "POST", body: new URLSearchParams(form) }
    const answer = await handle(new Request(`https://${host}/auth${path}`, { ...sent, headers: { cookie } }))
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      const key = `${name} ${/; Domain=([^;]*)/.exec(line)?.[1] ?? host}`
      if (line.includes("; Max-Age=0")) jar.delete(key)
      else jar.set(key, value)
    }
    return answer
  }
  return {
    signIn: async (auth: ReturnType<typeof createAuth>, username: string) =>
      ask(auth, "/callback/password", { username, password: "right" }),
    signOut: async (auth: ReturnType<typeof createAuth>) => ask(auth, "/signout", {}),
    who: async (auth: ReturnType<typeof createAuth>) => {
      const body = (await (await ask(auth, "/session")).json()) as { user?: { name?: string } } | null
      return body?.user?.name
    },
    /** Where the session cookies are kept. */
    kept: () => [...jar.keys()].filter((key) => key.startsWith(sessionCookie)).map((key) => key.split(" ")[1]),
  }
}

describe.each(["tokens", "managed tokens", "rows"] as const)("%s", (kind) => {
  async function open() {
    const adapter = memoryAdapter()
    const people = new Map<unknown, { id: string; name: string }>()
    for (const name of ["ada", "bob"])
      people.set(name, {
        ...(await adapter.createUser({ id: "", name, email: `${name}@app.test`, emailVerified: null })),
        name,
      })
    const stored = { tokens: {}, "managed tokens": { adapter, features: [managedSessions()] }, rows: { adapter } }[kind]
    const strategy = kind === "rows" ? ("database" as const) : ("jwt" as const)
    const password = {
      ...passwordProvider(),
      authorize: ({ username }: object & { username?: unknown }) => people.get(username) ?? null,
    }
    const service = (more: Partial<AuthConfig>) =>
      createAuth({ ...plainSettings, ...stored, session: { strategy }, providers: [password], ...more } as AuthConfig, {
        env: {},
      })
    return { before: service({}), after: service({ cookies: ofDomain }), browser: browserOf() }
  }

  it("whoever signs out is signed out, and can sign in again", { tags: ["threat:SF-05", "threat:CK-25"] }, async () => {
    const { after, before, browser } = await open()
    await browser.signIn(before, "ada")
    await browser.signOut(after)
    expect([await browser.who(after), browser.kept()]).toEqual([undefined, []])
    await browser.signIn(after, "ada")
    expect([await browser.who(after), browser.kept()]).toEqual(["ada", [".app.test"]])
    await browser.signOut(after)
    expect([await browser.who(after), browser.kept()]).toEqual([undefined, []])
  })

  it("whoever signs in is who is signed in", { tags: ["threat:SF-03", "threat:SF-22"] }, async () => {
    const { after, before, browser } = await open()
    await browser.signIn(before, "ada")
    await browser.signIn(after, "bob")
    expect([await browser.who(after), browser.kept()]).toEqual(["bob", [".app.test"]])
    await browser.signOut(after)
    expect(await browser.who(after)).toBeUndefined()
  })

  it("a session of before goes on, and without one nothing is cleared", { tags: ["threat:CK-25"] }, async () => {
    const { after, before, browser } = await open()
    expect((await browser.signIn(after, "ada")).headers.getSetCookie().join()).not.toMatch(/session-token=;/)
    const older = browserOf()
    await older.signIn(before, "ada")
    expect([await older.who(after), await older.who(after)]).toEqual(["ada", "ada"])
    expect(older.kept()).toHaveLength(1)
  })
})
