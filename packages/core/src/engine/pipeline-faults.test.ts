/** What a request comes to where something fails on the way: what is counted, logged and entered in the trail, and that there is always an answer. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { type Asked, keptCookies, openStage, type Stage } from "../../test/support/stage.js"
import { memoryAdapter } from "../adapters/memory.js"
import { OAuthCallbackError } from "../errors.js"
import { json } from "../http/result.js"
import type { TrailEntry } from "../types/trail.js"

const fault = (): never => {
  throw new Error("out of order")
}
const missing = (): never => {
  throw new Error("The file is missing.")
}

const parts = {
  failure: "../actions/failure.js",
  flow: "../context/flow.js",
  story: "./story.js",
} as const

afterEach(() => {
  for (const part of Object.values(parts)) vi.doUnmock(part)
  vi.resetModules()
})

/** A stage in a process that lacks some parts, which are loaded when they are first needed. */
async function stageWithout(lacking: readonly (keyof typeof parts)[], ...given: Parameters<typeof openStage>) {
  vi.resetModules()
  for (const part of lacking) vi.doMock(parts[part], missing)
  const { openStage: open } = await import("../../test/support/stage.js")
  return open(...given)
}

describe("the check of a form's token", () => {
  it("is awaited also where it has to be loaded first", async () => {
    const act = vi.fn(() => json("done"))
    const stage = await stageWithout([], {}, { act, csrf: true })
    expect((await stage.ask("sessions", { method: "POST" })).error).toMatchObject({ type: "MissingCSRF" })
    expect(act).not.toHaveBeenCalled()
  })
})

describe("tries", () => {
  const budgets = { guess: { person: { free: 2, window: 900, wait: 60, longest: 60, most: 10 } } }
  const limits = { budgets }

  it("are counted where they are wrong, and refused when there were too many", async () => {
    const stage = openStage({ limits })
    for (const expected of ["CredentialsSignin", "CredentialsSignin", "TooManyRequests"])
      expect((await stage.guess("wrong")).error).toMatchObject({ type: expected })
    expect((await stage.ask("session")).error).toBeUndefined()
  })

  it("that could not be checked do not count, unless it was `authorize` that threw", async () => {
    const outOfOrder = openStage({ limits, callbacks: { jwt: fault } })
    for (const _ of [1, 2, 3])
      expect((await outOfOrder.guess("right")).error).toMatchObject({ type: "CallbackRouteError" })
    const stage = openStage({ limits })
    for (const expected of ["CallbackRouteError", "CallbackRouteError", "TooManyRequests"])
      expect((await stage.guess("down")).error).toMatchObject({ type: expected })
  })

  it("that succeed are forgotten, and the browser is known from then on", async () => {
    const stage = openStage({ limits })
    for (const _ of [1, 2, 3]) {
      const { error, result } = await stage.guess("right")
      expect(error).toBeUndefined()
      expect(result.cookies.map(({ role }) => role)).toContain("device")
    }
  })

  it("are not counted where limits are off", async () => {
    const stage = openStage({ limits: false })
    for (const _ of [1, 2, 3]) expect((await stage.guess("wrong")).error).toMatchObject({ type: "CredentialsSignin" })
    expect(Object.keys(keptCookies(await stage.guess("right"))).join()).not.toContain("device")
  })
})

describe("the trail of a failure", () => {
  it("has the reason, and the incident where it is a fault", async () => {
    const entries: TrailEntry[] = []
    const stage = openStage({ trail: (entry) => void entries.push(entry) })
    const refused = await stage.guess("wrong")
    const failed = await stage.guess("down")
    expect(entries).toMatchObject([
      { what: "signInFailed", outcome: "refused", reason: "CredentialsSignin" },
      { what: "signInFailed", outcome: "fault", reason: "CallbackRouteError" },
    ])
    expect(refused.result.headers?.["X-Auth-Incident"]).toBeUndefined()
    expect(entries[1]?.incident).toMatch(/^\w{12}$/)
    expect(entries[1]?.incident).toBe(failed.result.headers?.["X-Auth-Incident"])
  })

  it("has nothing of a refusal that has no headers and concerns no sign-in", async () => {
    const trail = vi.fn()
    const cancelled = new OAuthCallbackError("The provider refused.", { cause: { code: "access_denied" } })
    const stage = openStage({ trail }, { act: () => Promise.reject(cancelled) })
    expect((await stage.ask("sessions")).result.headers).toBeUndefined()
    expect([stage.errors, trail.mock.calls]).toEqual([[], []])
  })
})

describe("the debug log", () => {
  const messages = ({ debugs }: Stage): string[] => debugs.map(({ message }) => message)

  it("tells of the request, its endpoint, the store and the answer, where it is on", async () => {
    const adapter = memoryAdapter()
    const stage = openStage({ debug: true, adapter, session: { strategy: "database" } }, { act: () => json("done") })
    await stage.ask("session", { cookies: { "__Secure-authjs.session-token": "unknown" } })
    expect(messages(stage)).toEqual(["Request GET session", "Row GET session", "Store", "Answer"])
    expect(stage.debugs[2]?.metadata).toMatchObject({ outcome: "nothing", milliseconds: expect.closeTo(0, -4) })
    stage.debugs.length = 0
    await stage.ask("nothing")
    expect(messages(stage)).toEqual(["Request GET (no action)", "Answer"])
  })

  it("is silent where it is off", async () => {
    const stage = openStage()
    await stage.ask("session")
    expect(stage.debugs).toEqual([])
  })

  it("may lack its part: that is logged, and the request is answered", async () => {
    const stage = await stageWithout(["story"], { debug: true }, { act: () => json("done") })
    const { result } = await stage.ask("sessions")
    expect([result.reply, stage.errors]).toEqual([{ kind: "json", status: 200, body: "done" }, [expect.any(Error)]])
  })
})

describe("a forwarded address", () => {
  const warnings = async (asked: Asked = {}, ...given: Parameters<typeof openStage>): Promise<string[]> => {
    const stage = openStage(...given)
    for (const _ of [1, 2]) await stage.ask("session", { headers: { "x-forwarded-host": "other.test" }, ...asked })
    return stage.warnings
  }

  it("that nobody reads is mentioned once", async () => {
    expect(await warnings()).toEqual(["forwarded-header-ignored"])
  })

  it("is not mentioned where there is none", async () => {
    expect(await warnings({ headers: {} })).toEqual([])
  })

  it("is not mentioned where the address is configured, of a request that is refused, or of a call", async () => {
    expect(await warnings({}, {}, { env: { AUTH_URL: "https://app.test/auth" } })).toEqual([])
    expect(await warnings({}, { trustHost: false })).toEqual([])
    expect(await warnings({ caller: "server" })).toEqual([])
  })
})

describe("an answer", () => {
  it("there is where what was thrown cannot be read", async () => {
    const unreadable = new Proxy(new Error("hidden"), {
      get: () => fault(),
      getPrototypeOf: () => fault(),
    })
    const stage = openStage({}, { act: () => Promise.reject(unreadable) })
    const { result } = await stage.ask("sessions")
    expect(result.reply).toMatchObject({ status: 500 })
    expect(stage.errors.length).toBeGreaterThan(0)
  })

  it("there is where the part that explains failures is missing: what was thrown and why it is not explained are logged", async () => {
    const stage = await stageWithout(["failure"], {}, { act: fault })
    const { result, error } = await stage.ask("sessions")
    expect(error).toEqual(new Error("out of order"))
    expect(result.reply).toMatchObject({ kind: "json", status: 500 })
    expect(stage.errors.map(({ message }) => message)).toEqual([
      "out of order",
      expect.not.stringMatching("out of order"),
    ])
  })

  it("there is where cookies cannot be cleared: that is logged as well", async () => {
    const stage = await stageWithout(["flow"])
    const { result } = await stage.ask("callback/op?error=access_denied")
    expect(result.reply).toMatchObject({ status: 500 })
    expect(stage.errors).toHaveLength(2)
  })
})
