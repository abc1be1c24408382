/** Functions of the application throw all kinds of values: the response is a refusal, and the engine keeps working. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { AuthConfig } from "../../src/types/config.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { isRefusal } from "../support/journeys.js"
import { logText } from "../support/logged.js"
import { makeWorld, type WorldOptions } from "../support/world.js"

const thrown: readonly (readonly [string, unknown])[] = [
  ["an error", new Error("out of order")],
  ["a string", "out of order"],
  ["nothing", undefined],
  ["an object without prototype", Object.create(null)],
  ["an object whose text cannot be had", { toString: () => Object.create(null) }],
  [
    "an object that cannot be read",
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("no")
        },
      },
    ),
  ],
]

interface Place {
  readonly name: string
  readonly config?: (fail: () => never) => Partial<AuthConfig>
  readonly world?: (fail: () => never) => Partial<WorldOptions>
  /** What fails for the person, and what does not. */
  readonly refuses: boolean
}

const places: readonly Place[] = [
  { name: "callbacks.signIn", config: (fail) => ({ callbacks: { signIn: fail } }), refuses: true },
  {
    name: "callbacks.jwt",
    config: (fail) => ({ callbacks: { jwt: fail }, session: { strategy: "jwt" } }),
    refuses: true,
  },
  { name: "callbacks.redirect", config: (fail) => ({ callbacks: { redirect: fail } }), refuses: false },
  {
    name: "session.generateSessionToken",
    config: (fail) => ({ session: { strategy: "database", generateSessionToken: fail } }),
    refuses: true,
  },
  { name: "jwt.encode", config: (fail) => ({ jwt: { encode: fail }, session: { strategy: "jwt" } }), refuses: true },
  { name: "events.signIn", config: (fail) => ({ events: { signIn: fail } }), refuses: false },
  { name: "events.createUser", config: (fail) => ({ events: { createUser: fail } }), refuses: false },
  {
    name: "logger.error",
    config: (fail) => ({ logger: { error: fail, warn: fail, debug: fail }, callbacks: { signIn: () => false } }),
    refuses: true,
  },
  { name: "provider.profile", world: (fail) => ({ provider: { profile: fail } }), refuses: true },
]

describe.each(thrown)("%s that is thrown", (_, value) => {
  const fail = (): never => {
    throw value
  }

  it.each(places)(
    "by $name is answered",
    { tags: ["threat:FP-18", "threat:SF-13"] },
    async ({ config, world: options, refuses }) => {
      const adapter = memoryAdapter()
      const world = await makeWorld({ adapter, ...options?.(fail), config: config?.(fail) ?? {} })
      const browser = world.browser()
      const visit = await world.signInAtOp(browser, { callbackUrl: "/inbox" })
      expect(visit.status).toBe(302)
      expect(isRefusal(visit)).toBe(refuses)
      if (refuses) expect(browser.cookie("__Secure-authjs.session-token")).toBeUndefined()
      expect(() => logText(world)).not.toThrow()
    },
  )

  it("by callbacks.session is answered with 500, and the cookie stays", { tags: ["threat:SF-13"] }, async () => {
    let isBroken = false
    const session = (params: { session: object }): never => (isBroken ? fail() : (params.session as never))
    for (const strategy of ["jwt", "database"] as const) {
      isBroken = false
      const world = await makeWorld({ strategy, config: { callbacks: { session } } })
      const browser = world.browser()
      await world.signInAtOp(browser)
      isBroken = true
      const visit = await browser.get("/auth/session")
      expect(visit.status).toBe(500)
      expect(JSON.parse(visit.text)).toMatchObject({ error: "Configuration" })
      expect(visit.setCookies).toEqual([])
    }
  })

  it("by `authorize` and by the sender of mails is answered", { tags: ["threat:FM-06"] }, async () => {
    const world = await makeWorld({ strategy: "jwt", more: [credentialsProvider(fail)] })
    const visit = await world.browser().post("/auth/callback/credentials", rightCredentials)
    expect(visit.location).toContain("/auth/signin?error=Callback")
    const mail = { id: "post", name: "Post", type: "email" as const, sendVerificationRequest: fail }
    const other = await makeWorld({ config: { providers: [mail as never] } })
    const asked = await other.browser().post("/auth/signin/post", { email: "ada@app.test" })
    expect(asked.location).toContain("/auth/signin?error=EmailSignin")
  })
})

describe.each(["jwt", "database"] as const)("a session callback that answers, %s strategy", (strategy) => {
  const circular: Record<string, unknown> = {}
  circular["self"] = circular
  const fails = (): never => {
    throw new Error("out of order")
  }

  it.each<[string, unknown, number]>([
    ["nothing", undefined, 500],
    ["a number of a kind that JSON has not", { big: 1n }, 500],
    ["itself", circular, 500],
    ["what fails while it is written", { toJSON: fails }, 500],
    ["two million letters", { text: "x".repeat(2_000_000) }, 200],
  ])("%s damages no cookie", { tags: ["threat:SF-13"] }, async (_, answer, status) => {
    let isOdd = false
    const session = (params: { session: object }): never => (isOdd ? answer : params.session) as never
    const world = await makeWorld({ strategy, config: { callbacks: { session } } })
    const browser = world.browser()
    await world.signInAtOp(browser)
    isOdd = true
    const visit = await browser.get("/auth/session")
    expect([visit.status, visit.setCookies]).toEqual([status, []])
    if (status === 500) expect(JSON.parse(visit.text)).toMatchObject({ error: "Configuration" })
    isOdd = false
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})

it("waits for a slow event, which is done before the answer, and not for a slow logger", {
  tags: ["threat:FP-18"],
}, async () => {
  let done = false
  const never = (): never => new Promise(() => {}) as never
  const signIn = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    done = true
  }
  const config = { logger: { error: never, warn: never, debug: never }, events: { signIn }, debug: true }
  const world = await makeWorld({ config })
  const browser = world.browser()
  expect((await world.signInAtOp(browser)).location).toBe("https://app.test/")
  expect(done).toBe(true)
  expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
})

it("reports a created user also when the session cannot begin, but not a user who was rolled back", {
  tags: ["threat:FD-13"],
}, async () => {
  for (const [strategy, count] of [
    ["jwt", 1],
    ["database", 0],
  ] as const) {
    const fail = (): never => {
      throw new Error("out of order")
    }
    const config: Partial<AuthConfig> =
      strategy === "jwt" ? { callbacks: { jwt: fail } } : { session: { strategy, generateSessionToken: fail } }
    const world = await makeWorld({ strategy, config })
    await world.signInAtOp(world.browser())
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(count)
    expect(await world.adapter.getUserByEmail?.("ada@op.test")).toEqual(count ? expect.anything() : null)
  }
})
