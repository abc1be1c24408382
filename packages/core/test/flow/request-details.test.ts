/** The request behind callbacks and events, their second argument. */
import { describe, expect, it, vi } from "vitest"
import type { CallbacksOptions, RequestDetails } from "../../src/types/hooks.js"
import type { JWT } from "../../src/types/token.js"
import { agent, origin, trailStage as stage } from "../support/trail-stage.js"

describe("callbacks and events", () => {
  it("are given the request, its incident and its provider as the second argument", async () => {
    const seen: Record<string, unknown[]> = {}
    const note = <T>(name: string, details: RequestDetails | undefined, answer: T): T => {
      const { request, incident, provider } = details ?? ({} as RequestDetails)
      const { url, address } = request
      seen[name] = [url, request.headers.get("user-agent"), address, provider, /^\w{12}$/.test(incident)]
      return answer
    }
    const { auth, guess } = stage({
      callbacks: {
        signIn: (_, details) => note("signIn", details, true),
        redirect: ({ baseUrl }, details) => note("redirect", details, baseUrl),
        jwt: ({ token }, details) => note("jwt", details, token),
        session: ({ session }, details) => note("session", details, session),
      },
      events: { signIn: (_, details) => note("events.signIn", details, undefined) },
    })
    const answer = await guess("right")
    const there = [`${origin}/auth/callback/password`, agent, "203.0.113.7", "password", true]
    expect(seen).toEqual({ signIn: there, redirect: there, jwt: there, "events.signIn": there })
    const cookie = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0])
    await auth.session({ url: origin, headers: { cookie: cookie.join("; "), "user-agent": "server" } })
    const read = [`${origin}/auth/session`, "server", undefined, undefined, true]
    expect(seen).toMatchObject({ jwt: read, session: read })
  })

  it("get one argument alone where they name no second parameter", async () => {
    const callbacks = {
      signIn: vi.fn(() => true),
      redirect: vi.fn(({ baseUrl }: { baseUrl: string }) => baseUrl),
      jwt: vi.fn(({ token }: { token: JWT }) => token),
      session: vi.fn((...all: Parameters<CallbacksOptions["session"]>) => all[0].session),
    }
    const events = { signIn: vi.fn(async (_message: object, _tags: object = {}) => undefined), session: vi.fn() }
    const { auth, guess } = stage({ callbacks, events, session: { strategy: "jwt" } })
    const answer = await guess("right")
    const cookie = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0])
    await auth.session({ url: origin, headers: { cookie: cookie.join("; ") } })
    const counts = Object.entries({ ...callbacks, "events.signIn": events.signIn, "events.session": events.session })
    for (const [name, { mock }] of counts) {
      expect(mock.calls.map((given) => [name, given.length])).toEqual(mock.calls.map(() => [name, 1]))
      expect(mock.calls.length, name).toBeGreaterThan(0)
    }
  })

  it("name the incident of the failure that they cause", async () => {
    let named = ""
    const { guess } = stage({
      callbacks: {
        jwt: (_, details) => {
          named = details?.incident ?? ""
          throw new Error("the callback fails")
        },
      },
    })
    const response = await guess("right")
    expect(response.headers.get("location")).toContain(`incident=${named}`)
  })

  it("see no cookie and no settings when they print what they are given", async () => {
    let printed = ""
    const { guess } = stage({
      callbacks: {
        jwt({ token }, details) {
          printed = JSON.stringify(details)
          return token
        },
      },
    })
    await guess("right")
    expect(printed).toBe("{}")
  })
})
