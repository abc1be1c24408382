/** The steps of a request: in which order they refuse it, what is read and awaited for it, and which cookies its answer keeps and clears. */
import { describe, expect, it, vi } from "vitest"
import { refreshing } from "../../test/support/refreshed-token.js"
import { type Asked, keptCookies, openStage, type Stage } from "../../test/support/stage.js"
import type { Action } from "../actions/table.js"
import { memoryAdapter } from "../adapters/memory.js"
import { sealCheck, sealClaims } from "../checks/sealed.js"
import { UnknownAction } from "../errors.js"
import { concreteCookies } from "../http/cookies.js"
import { json } from "../http/result.js"
import { selectStrategy } from "../sessions/select.js"
import { checkSession, contextOfCall, withAddress } from "./pipeline.js"

const signedIn = async (stage: Stage): Promise<Record<string, string>> => keptCookies(await stage.guess("right"))

describe("the body of a request", () => {
  const isRead = async (asked: Asked, config = {}): Promise<boolean> => {
    const body = vi.fn(() => new URLSearchParams({ a: "b" }))
    await openStage(config).ask("signout", { method: "POST", sender: "own", body, ...asked })
    return body.mock.calls.length > 0
  }

  it("is read where a form may be genuine", async () => {
    expect(await isRead({})).toBe(true)
    expect(await isRead({ sender: undefined, cookies: { "__Host-authjs.csrf-token": "a" } })).toBe(true)
  })

  it("is left unread where the request is refused whatever it holds", async () => {
    expect(await isRead({ sender: undefined })).toBe(false)
    expect(await isRead({ path: "callback/unknown" })).toBe(false)
    expect(await isRead({ path: "nothing" })).toBe(false)
    expect(await isRead({}, { basePath: "no path" })).toBe(false)
  })

  it("is read of a callback, which needs no token", async () => {
    expect(await isRead({ path: "callback/op", sender: undefined })).toBe(true)
  })
})

describe("a request", () => {
  it("is refused with what is wrong with it before anything else is asked", async () => {
    const unread = await openStage({ basePath: "no path" }).ask("nothing")
    expect([unread.error, unread.result.reply]).toMatchObject([{ type: "UnknownAction" }, { status: 404 }])
    const { error, result } = await openStage({ basePath: "no path" }).ask("session")
    expect([error, result.reply]).toMatchObject([{ type: "InvalidConfiguration" }, { status: 500 }])
  })

  it("without its token is refused, and acts on nothing", async () => {
    const act = vi.fn(() => json("done"))
    const stage = openStage({}, { act, csrf: true })
    expect((await stage.ask("sessions", { method: "POST" })).error).toMatchObject({ type: "MissingCSRF" })
    expect(act).not.toHaveBeenCalled()
    const { result, error } = await stage.ask("sessions", { method: "POST", sender: "own" })
    expect([result.reply, error]).toEqual([{ kind: "json", status: 200, body: "done" }, undefined])
  })

  it.each([
    ["at once", () => json("done")],
    ["later", async () => json("done")],
  ])("is answered with what its action returns %s", async (_, act) => {
    const { result, error } = await openStage({}, { act }).ask("sessions")
    expect([result, error]).toEqual([json("done"), undefined])
  })

  it.each([
    ["at once", () => fail()],
    ["later", async () => fail()],
  ])("is answered with a fault where its action throws %s", async (_, act) => {
    const stage = openStage({}, { act })
    const { result, error } = await stage.ask("sessions")
    expect(error).toEqual(new Error("out of order"))
    expect(result).toMatchObject({ reply: { status: 500 }, headers: { "X-Auth-Incident": expect.any(String) } })
    expect(stage.errors).toHaveLength(1)
  })

  it("comes from the address that an integration knows, if it knows one", () => {
    const { incoming } = openStage().context
    expect(withAddress(incoming, undefined)).toBe(incoming)
    expect(withAddress(incoming, "203.0.113.7")).toEqual({ ...incoming, address: "203.0.113.7" })
  })
})

describe("the cookies of a flow", () => {
  const state = "the-state"
  const stateAt = async (stage: Stage, value = state): Promise<Record<string, string>> => {
    const context = { ...stage.context, provider: stage.settings.providers.get("op") }
    const changes = [await sealCheck(context, { role: "state", value })]
    return Object.fromEntries(concreteCookies(changes, context).map(({ name, value }) => [name, value]))
  }

  it("are cleared when the flow is over, and only where the request carried them", async () => {
    const stage = openStage()
    const cookies = await stateAt(stage)
    const path = `callback/op?state=${state}&code=c`
    const { result, error } = await stage.ask(path, { cookies })
    expect([error, result.cookies]).toEqual([expect.any(Error), [{ role: "state", clear: true }]])
    const without = await stage.ask(path)
    expect(without.result.cookies).toEqual([])
  })

  it("stay where another action is asked, or no action at all", async () => {
    const stage = openStage()
    const cookies = await stateAt(stage)
    for (const path of ["session", "csrf", "nothing", "callback/unknown"]) {
      const { result } = await stage.ask(path, { cookies })
      expect([path, result.cookies.filter(({ role }) => role === "state")]).toEqual([path, []])
    }
  })

  it("stay where the callback is sent on, and the flow continues", async () => {
    const stage = openStage({ redirectProxyUrl: "https://app.test/auth" })
    const claims = { random: "r", provider: "op", origin: "https://preview.app.test/auth/callback/op" }
    const sealed = await sealClaims(stage.context, "encodedState", claims)
    const cookies = await stateAt(stage, sealed)
    const { result, error } = await stage.ask(`callback/op?state=${sealed}&code=c`, { cookies })
    expect([error, result.cookies]).toEqual([undefined, []])
    expect(result.reply).toMatchObject({ location: expect.stringContaining("https://preview.app.test/") })
  })
})

describe("a token that the jwt callback has changed", () => {
  const open = async () => {
    const { state, callbacks } = refreshing()
    const stage = openStage({ callbacks })
    const cookies = await signedIn(stage)
    Object.assign(state, { refresh: true, fails: true })
    return { cookies, stage, state }
  }

  it("is kept in the answer to a reading that fails", async () => {
    const { cookies, stage } = await open()
    const { result } = await stage.ask("session", { cookies })
    expect(result).toMatchObject({ reply: { status: 500 }, cookies: [{ role: "sessionToken" }] })
  })

  it("is kept beside the other cookies of an answer that is about something else", async () => {
    const { state, callbacks } = refreshing()
    const act: Action = async (context) => {
      await selectStrategy(context.settings).peek(context)
      return json("done", { cookies: [{ role: "csrfToken", value: "a" }] })
    }
    const stage = openStage({ callbacks }, { act })
    const cookies = await signedIn(stage)
    state.refresh = true
    const { result } = await stage.ask("sessions", { cookies })
    expect(result.cookies).toMatchObject([{ role: "csrfToken" }, { role: "sessionToken", value: expect.any(String) }])
  })

  it("is set once where the answer is about the session itself", async () => {
    const { cookies, stage, state } = await open()
    state.fails = false
    const { result } = await stage.ask("session", { cookies })
    expect(result.cookies).toMatchObject([{ role: "sessionToken", value: expect.any(String) }])
  })

  it("is given to whoever reads the session in the process, where that fails", async () => {
    const { cookies, stage, state } = await open()
    const onThrow = vi.fn()
    const { incoming } = stage.with({ cookies })
    await expect(async () => checkSession(incoming, stage.settings, { onThrow })).rejects.toMatchObject({
      type: "JWTSessionError",
    })
    expect(onThrow).toHaveBeenCalledWith([expect.objectContaining({ name: "__Secure-authjs.session-token" })])
    await expect(async () => checkSession(incoming, stage.settings)).rejects.toMatchObject({ type: "JWTSessionError" })
    state.refresh = false
    onThrow.mockClear()
    await expect(async () => checkSession(incoming, stage.settings, { onThrow })).rejects.toThrow()
    expect(onThrow).not.toHaveBeenCalled()
  })
})

describe("a session that is read in the process", () => {
  it("is refused with what refuses every request, or this one", async () => {
    const { settings, context } = openStage({ basePath: "no path" })
    const { incoming } = context
    expect(() => contextOfCall(incoming, settings)).toThrow(settings.generalProblems[0])
    const problem = new UnknownAction("There is no such action.")
    expect(() => contextOfCall({ ...incoming, problem }, settings)).toThrow(problem)
    const { settings: fine } = openStage()
    const context2 = contextOfCall(incoming, fine)
    expect([context2.settings, context2.incoming, context2.now]).toEqual([fine, incoming, expect.any(Date)])
  })

  it("is announced, and extended unless no cookie can be set any more", async () => {
    const session = vi.fn()
    const stage = openStage({ events: { session }, session: { strategy: "jwt", updateAge: 0 } })
    const { incoming } = stage.with({ cookies: await signedIn(stage) })
    const read = await checkSession(incoming, stage.settings)
    expect(read.checked).toMatchObject({
      session: { expires: expect.any(String) },
      cookies: [{ role: "sessionToken" }],
    })
    expect(read.context.incoming).toBe(incoming)
    expect(session).toHaveBeenCalledOnce()
    const fixed = await checkSession(incoming, stage.settings, { extend: false })
    expect([fixed.checked.session, fixed.checked.cookies]).toEqual([expect.anything(), []])
  })

  it("is none without a cookie, and in a database that cannot be asked it is a fault", async () => {
    const stage = openStage()
    expect((await checkSession(stage.context.incoming, stage.settings)).checked.session).toBeNull()
    const getSessionAndUser = (): Promise<never> => Promise.reject(new Error("the database is away"))
    const adapter = { ...memoryAdapter(), getSessionAndUser }
    const away = openStage({ session: { strategy: "database" }, adapter })
    const { incoming } = away.with({ cookies: { "__Secure-authjs.session-token": "a-token" } })
    await expect(async () => checkSession(incoming, away.settings)).rejects.toMatchObject({ type: "SessionTokenError" })
  })
})

function fail(): never {
  throw new Error("out of order")
}
