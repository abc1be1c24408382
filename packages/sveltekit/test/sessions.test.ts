import { memoryAdapter } from "@latchkey/core/memory"
import { managedSessions } from "@latchkey/core/sessions"
import { createClock, signInAs } from "@latchkey/testing"
import type { RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import { switchedRecords } from "../../core/test/support/records-away.js"
import type { SvelteKitAuthConfig } from "../src/server/service.js"
import { application, config, origin, type Staged, stage } from "./support/application.js"

describe.each(["jwt", "database"] as const)("auth.sessions, %s strategy", (strategy) => {
  function open(more: Partial<SvelteKitAuthConfig> = {}) {
    const adapter = memoryAdapter()
    const store = switchedRecords(adapter)
    const given = config({
      adapter,
      records: store.records,
      session: { strategy },
      features: [managedSessions()],
      ...more,
    })
    const auth = application(given)
    const signIn = async (name = "Ada", as: SvelteKitAuthConfig = given): Promise<string> => {
      const begun = await signInAs(as, { name, email: `${name.toLowerCase()}@app.test` }, { url: origin })
      return begun.cookieHeader
    }
    /** What somebody with this cookie does in an event, and the cookies that it sets. */
    const act = async <T>(cookie: string, work: (event: RequestEvent) => Promise<T>) => {
      const staged: Staged = stage(new Request(`${origin}/`, { headers: { cookie } }))
      const answer = await work(staged.event)
      return { answer, cookies: staged.set, cookie: staged.set.map(({ name, value }) => `${name}=${value}`).join("; ") }
    }
    const nameOf = async (cookie: string) => (await act(cookie, auth.session)).answer?.user?.name
    const listOf = async (cookie: string) => (await act(cookie, auth.sessions.list)).answer
    const idOf = async (email: string) => (await adapter.getUserByEmail?.(email))?.id ?? ""
    return { act, auth, given, idOf, listOf, nameOf, signIn, store }
  }

  it.each([
    ["list", [], "expected list(event), received nothing"],
    ["end", ["an id"], "expected end(event, id), received a string"],
    ["endOthers", [{ request: {} }], "expected endOthers(event), received an object"],
    ["endAll", ["u1"], "expected endAll(event, userId), received a string"],
    ["rotate", [null], "expected rotate(event), received null"],
    ["actAs", [7], "expected actAs(event, userId), received a number"],
  ] as const)("says how %s is called, with %j", async (method, given, message) => {
    const { auth } = open()
    const call = auth.sessions[method] as unknown as (...given: unknown[]) => Promise<unknown>
    await expect(call(...given)).rejects.toMatchObject({
      type: "InvalidConfiguration",
      message: expect.stringContaining(message) as string,
    })
  })

  it("lists the sessions of whoever asks, without tokens, and none for a visitor", async () => {
    const { listOf, signIn } = open()
    const [here] = [await signIn(), await signIn(), await signIn("Bob")]
    const list = await listOf(here)
    expect(list.map(({ current }) => current).toSorted()).toEqual([false, true])
    expect(JSON.stringify(list)).not.toContain(here.split("=")[1])
    expect(await listOf("")).toEqual([])
  })

  it("keeps the list and an update out of shared caches, also where no cookie is set, unless the page says otherwise", {
    tags: ["threat:HD-03"],
  }, async () => {
    const { auth, signIn } = open()
    const cookie = await signIn()
    const kept = async (work: (event: RequestEvent) => Promise<unknown>, headers: Record<string, string> = {}) => {
      const { event, set } = stage(new Request(`${origin}/`, { headers: { cookie } }))
      const resolve = async (inner: RequestEvent) => Response.json(await work(inner), { headers })
      const answer = await auth.handle({ event, resolve })
      return [answer.headers.get("cache-control"), set]
    }
    const { list } = auth.sessions
    expect(await kept(list)).toEqual(["private, no-store", []])
    expect(await kept((event) => auth.update(event, {}))).toEqual(["private, no-store", []])
    expect(await kept(list, { "cache-control": "public, max-age=60" })).toEqual(["public, max-age=60", []])
    // It streams: the list is known after the response was made.
    expect(await kept(async (event) => String(list(event)))).toEqual(["private, no-store", []])
    expect(await kept(async () => "for everybody")).toEqual([null, []])
  })

  it("ends one session, also the current one: the rest of the event knows it", async () => {
    const { act, auth, listOf, nameOf, signIn } = open()
    const [here, other] = [await signIn(), await signIn()]
    const [entry] = (await listOf(here)).filter(({ current }) => !current)
    expect(await act(here, (event) => auth.sessions.end(event, entry?.id ?? ""))).toMatchObject({ answer: true })
    expect([await nameOf(here), await nameOf(other)]).toEqual(["Ada", undefined])
    const [own] = await listOf(here)
    const left = await act(here, async (event) => {
      const before = await auth.session(event)
      await auth.sessions.end(event, own?.id ?? "")
      return [before?.user?.name, await auth.session(event)]
    })
    expect(left.answer).toEqual(["Ada", null])
    expect(left.cookies).toMatchObject([{ value: "", options: { maxAge: 0 } }])
  })

  it("ends the others, and sets the new token of this one as the cookie it is", async () => {
    const { act, auth, nameOf, signIn } = open()
    const [here, other] = [await signIn(), await signIn()]
    const { answer, cookies, cookie } = await act(here, (event) => auth.sessions.endOthers(event))
    expect([answer, cookies]).toMatchObject([true, [{ options: { httpOnly: true, secure: true, sameSite: "lax" } }]])
    expect([await nameOf(cookie), await nameOf(other)]).toEqual(["Ada", undefined])
  })

  it("gives the session a new token: the old one opens nothing after half a minute", async () => {
    const { act, auth, nameOf, signIn } = open()
    const here = await signIn()
    const { answer, cookie } = await act(here, (event) => auth.sessions.rotate(event))
    using clock = createClock()
    clock.advance({ seconds: 31 })
    expect([answer, await nameOf(cookie), await nameOf(here)]).toEqual([true, "Ada", undefined])
  })

  it("replaces the session with one of the user whom somebody acts for", async () => {
    const { act, auth, idOf, listOf, nameOf, signIn } = open()
    const [support] = [await signIn("Support"), await signIn("Ada")]
    const ada = await idOf("ada@app.test")
    const { answer, cookie } = await act(support, (event) => auth.sessions.actAs(event, ada))
    expect([answer, await nameOf(cookie), await nameOf(support)]).toEqual([true, "Ada", undefined])
    expect((await listOf(cookie)).filter(({ current }) => current)).toMatchObject([
      { actor: await idOf("support@app.test") },
    ])
    expect(await act(cookie, (event) => auth.sessions.actAs(event, "nobody"))).toMatchObject({
      answer: false,
      cookies: [],
    })
  })

  it("ends all sessions of a user", async () => {
    const { act, auth, idOf, nameOf, signIn } = open()
    const [here, other] = [await signIn(), await signIn("Bob")]
    const ada = await idOf("ada@app.test")
    expect(await act("", (event) => auth.sessions.endAll(event, ada))).toMatchObject({ answer: 1, cookies: [] })
    expect([await nameOf(here), await nameOf(other)]).toEqual([undefined, "Bob"])
  })

  it("changes nothing for a visitor", async () => {
    const { act, auth } = open()
    const { sessions } = auth
    for (const work of [sessions.endOthers, sessions.rotate])
      expect(await act("", (event) => work(event))).toMatchObject({ answer: false, cookies: [] })
    for (const work of [sessions.end, sessions.actAs])
      expect(await act("", (event) => work(event, "x"))).toMatchObject({ answer: false, cookies: [] })
  })

  it("throws an error with status 503 and touches no cookie while the records are away", async () => {
    const { auth, listOf, nameOf, signIn, store } = open()
    const here = await signIn()
    const [own] = await listOf(here)
    store.isAway = true
    const { event, set } = stage(new Request(`${origin}/`, { headers: { cookie: here } }))
    const { list, endOthers, rotate } = auth.sessions
    for (const work of [list, endOthers, rotate]) await expect(work(event)).rejects.toMatchObject({ status: 503 })
    expect(set).toEqual([])
    store.isAway = false
    expect([await nameOf(here), (await listOf(here))[0]?.id]).toEqual(["Ada", own?.id])
  })

  it("does the same for a session from before, which gets a record with its new token", async () => {
    const { act, auth, given, listOf, nameOf, signIn } = open()
    const here = await signIn("Ada", { ...given, features: [] })
    const other = await signIn()
    const { answer, cookie } = await act(here, (event) => auth.sessions.endOthers(event))
    expect([answer, await nameOf(cookie), await nameOf(other)]).toEqual([true, "Ada", undefined])
    expect(await listOf(cookie)).toMatchObject([{ current: true }])
  })

  it("says so where the feature is not listed", async () => {
    const { act, auth } = open({ features: [] })
    await expect(act("", auth.sessions.list)).rejects.toThrow(/managedSessions\(\)/)
  })
})
