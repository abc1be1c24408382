/** Calls of an application for one request object: none undoes what one before it has set, or loses what it is given to keep. */
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import type { AuthSource } from "../../src/engine/public.js"
import { cookiesAfter, toSetCookie } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { Credentials } from "../../src/providers/credentials.js"
import type { Cookie } from "../../src/types/config.js"

const tags = ["threat:SF-08"]

async function open(strategy: "jwt" | "database") {
  const adapter = memoryAdapter()
  const newUser = (name: string) =>
    adapter.createUser({ id: "", name, email: `${name}@app.test`, emailVerified: new Date() })
  const [ada, bob] = [await newUser("ada"), await newUser("bob")]
  const sessions = managedSessions()
  let isFailing = false
  const auth = createAuth(
    {
      adapter,
      secret: "a secret of at least 32 characters",
      trustHost: true,
      session: { strategy },
      features: [sessions],
      providers: [Credentials({ credentials: { name: {} }, authorize: () => ({ id: ada.id, name: "ada" }) })],
      callbacks: {
        jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, nick: session?.["nick"] } : token),
        session({ session, ...given }) {
          if (isFailing) throw new Error("away")
          return "token" in given ? { ...session, nick: given.token?.["nick"] } : session
        },
      },
      logger: { error() {}, warn() {}, debug() {} },
    },
    { env: { NODE_ENV: "test" } },
  )
  const from = (cookie = "other=1"): AuthSource => ({ url: "https://app.test/", headers: { host: "app.test", cookie } })
  const after = (cookie: string, ...answers: readonly { readonly cookies: readonly Cookie[] }[]): string =>
    cookiesAfter(
      cookie,
      answers.flatMap(({ cookies }) => cookies.map(toSetCookie)),
      new Date(),
    )
  const signIn = (source = from()) => auth.signIn(source, "credentials", { fields: { name: "ada" } })
  const read = async (cookie: string) => (await auth.session(from(cookie))).session
  const failing = async (work: () => Promise<unknown>): Promise<void> => {
    isFailing = true
    await expect(work()).rejects.toThrow()
    isFailing = false
  }
  return { auth, sessions, bob, from, after, signIn, read, failing }
}

const nickOf = (session: unknown): unknown => (session as { nick?: unknown } | null)?.nick

describe.each(["jwt", "database"] as const)("calls for one request object, sessions of %s", (strategy) => {
  it("read the session of a sign-in, and nobody's after a sign-out", { tags }, async () => {
    const { auth, sessions, from, after, signIn, read } = await open(strategy)
    const source = from()
    const begun = await signIn(source)
    expect(await sessions.list(auth, source)).toHaveLength(1)
    expect((await auth.session(source)).session?.user?.name).toBe("ada")
    const ended = await auth.signOut(source)
    expect((await auth.session(source)).session).toBeNull()
    const cookie = after("other=1", begun, ended)
    expect([await read(cookie), await read(after("other=1", begun))]).toEqual([null, null])
  })

  it("leave somebody who acts for a user signed in", { tags: [...tags, "threat:SF-26"] }, async () => {
    const { auth, sessions, bob, from, after, signIn, read } = await open(strategy)
    const cookie = after("other=1", await signIn())
    const source = from(cookie)
    const acting = await sessions.actAs(auth, source, bob.id)
    const answer = await auth.session(source)
    expect([answer.session?.user?.name, answer.cookies]).toEqual(["bob", []])
    expect((await read(after(cookie, acting, answer)))?.user?.name).toBe("bob")
  })

  it("keep nothing of an object without cookies, which may serve for everybody", { tags }, async () => {
    const { auth, sessions, from, after, signIn, read } = await open(strategy)
    const shared = from("")
    const cookie = after("other=1", await signIn(shared))
    await signIn(shared)
    expect([(await auth.session(shared)).session, await sessions.list(auth, shared)]).toEqual([null, []])
    expect((await read(cookie))?.user?.name).toBe("ada")
  })

  it("sign out also where nobody has set what a call before has answered", { tags }, async () => {
    const { auth, from, after, signIn, read } = await open(strategy)
    const cookie = after("other=1", await signIn())
    const source = from(cookie)
    await auth.signOut(source)
    expect(await read(after(cookie, await auth.signOut(source)))).toBeNull()
  })

  it("are read by those of another service in the process as they were sent", { tags }, async () => {
    const [one, two] = [await open(strategy), await open(strategy)]
    const source = one.from(one.after("other=1", await one.signIn()))
    await one.auth.signOut(source)
    await two.auth.signOut(source)
    expect((await one.auth.session(source)).session).toBeNull()
  })

  it("forget them where the request has other cookies by then", async () => {
    const { auth, sessions, from, after, signIn } = await open(strategy)
    const headers = new Headers({ host: "app.test", cookie: after("other=1", await signIn()) })
    const source = { url: "https://app.test/", headers }
    await sessions.rotate(auth, source)
    headers.delete("cookie")
    expect([(await auth.session(source)).session, (await auth.session(from())).session]).toEqual([null, null])
  })
})

describe("an update for a request object whose session has a new token", () => {
  it.each(["rotate", "endOthers"] as const)("is kept after %s", { tags }, async (name) => {
    const { auth, sessions, from, after, signIn, read } = await open("jwt")
    const cookie = after("other=1", await signIn())
    const source = from(cookie)
    const renewed = await sessions[name](auth, source)
    const updated = await auth.update(source, { nick: "Countess" })
    expect(nickOf(await read(after(cookie, renewed, updated)))).toBe("Countess")
    expect(await sessions.rotate(auth, source)).toMatchObject({ done: true })
  })

  it("is read by the next call where it fails and somebody takes its cookies, and by none where nobody does", {
    tags,
  }, async () => {
    const { auth, from, after, signIn, failing } = await open("jwt")
    const cookie = after("other=1", await signIn())
    const [source, other] = [from(cookie), from(cookie)]
    const taken: Cookie[] = []
    await failing(() => auth.update(source, { nick: "Countess" }, { onThrow: (cookies) => taken.push(...cookies) }))
    await failing(() => auth.update(other, { nick: "Countess" }))
    expect(taken).not.toEqual([])
    const read = await Promise.all([source, other].map(async (each) => nickOf((await auth.session(each)).session)))
    expect(read).toEqual(["Countess", undefined])
  })
})
