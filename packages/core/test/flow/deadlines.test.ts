/** Functions of the application that never return, or return late: the request does not wait for ever. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { AuthConfig } from "../../src/types/config.js"
import type { Visit } from "../support/browser.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = (): Promise<never> => new Promise(() => {})

/** What becomes of a request when so much time has passed: `undefined` while it is still waiting. */
async function after(seconds: number, visit: Promise<Visit>): Promise<Visit | undefined> {
  let done: Visit | undefined
  void visit.then((answer) => {
    done = answer
  })
  // What stands between the timers takes real time: ciphers, the provider.
  await settled()
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  await settled()
  return done
}

const settled = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}

const signIn = ({ browser }: World): Promise<Visit> => {
  const person = browser()
  return person.csrfToken().then(() => person.post("/auth/callback/credentials", rightCredentials))
}

const worldOf = (config: Partial<AuthConfig>, authorize?: () => unknown): Promise<World> =>
  makeWorld({ adapter: false, config, more: [credentialsProvider(authorize)] })

describe.each<[string, string]>([
  ["signIn", "error=AccessDenied"],
  ["jwt", "error=Callback"],
  ["redirect", "https://app.test"],
])("the %s callback that never answers", (name, location) => {
  it("counts as failed after 30 seconds", { tags: ["threat:AL-23", "threat:CF2-13"] }, async () => {
    const asked = vi.fn(never)
    const world = await worldOf({ callbacks: { [name]: asked } })
    const visit = signIn(world)
    // What the first request of a process loads takes real time.
    while (asked.mock.calls.length === 0) await settled()
    expect(await after(29, visit)).toBeUndefined()
    expect((await after(2, visit))?.location).toContain(location)
    expect(
      JSON.stringify(world.errors.map((error) => [error.message, String((error.cause as never)?.["err"])])),
    ).toContain(`\`callbacks.${name}\` did not answer within 30 s (\`callbackTimeout\`).`)
  })
})

describe("other functions of the application that never answer", () => {
  it.each<[string, (never: () => never) => WorldOptions]>([
    ["jwt.encode", (encode) => ({ adapter: false, config: { jwt: { encode } } })],
    [
      "session.generateSessionToken",
      (generateSessionToken) => ({ config: { session: { strategy: "database", generateSessionToken } } }),
    ],
    ["providers.op.profile", (profile) => ({ provider: { profile } })],
  ])("%s counts as failed after 30 seconds [AL-23] [CF2-13]", async (name, optionsOf) => {
    const asked = vi.fn(never)
    const world = await makeWorld(optionsOf(asked as never))
    const visit = world.signInAtOp(world.browser())
    while (asked.mock.calls.length === 0) await settled()
    expect(await after(29, visit)).toBeUndefined()
    expect((await after(2, visit))?.location).toMatch(/error=/)
    const logged = world.errors.map(({ message, cause }) => `${message} ${(cause as { err?: Error } | undefined)?.err}`)
    expect(logged.join()).toContain(`\`${name}\` did not answer within 30 s (\`callbackTimeout\`).`)
  })

  it("jwt.decode that never answers: nobody is signed in, and the request ends", async () => {
    const asked = vi.fn(never)
    const world = await makeWorld({ adapter: false, config: { jwt: { decode: asked } } })
    const person = world.browser()
    person.setCookie("__Secure-authjs.session-token", "token")
    const visit = person.get("/auth/session")
    while (asked.mock.calls.length === 0) await settled()
    expect(await after(29, visit)).toBeUndefined()
    expect((await after(2, visit))?.text).toBe("null")
  })
})

describe("authorize that never answers", () => {
  it("counts as failed after 120 seconds", { tags: ["threat:AL-23", "threat:CF2-13"] }, async () => {
    const visit = signIn(await worldOf({}, never))
    expect(await after(119, visit)).toBeUndefined()
    expect((await after(2, visit))?.location).toContain("/auth/signin?error=Callback")
  })
})

describe("an event that never ends", () => {
  it("fails nothing: the person is signed in once the deadline has passed", { tags: ["threat:AL-23"] }, async () => {
    const world = await worldOf({ events: { signIn: never } })
    const visit = signIn(world)
    expect(await after(29, visit)).toBeUndefined()
    const answer = await after(2, visit)
    expect(answer?.location).toBe("https://app.test/")
    expect(answer?.setCookies).toContain("__Secure-authjs.session-token")
    expect(world.errors).toMatchObject([{ name: "EventError", cause: { event: "signIn" } }])
  })
})

describe("callbackTimeout", () => {
  it("is the deadline of all, `authorize` included", async () => {
    for (const [config, authorize] of [[{ callbacks: { signIn: never } }, undefined] as const, [{}, never] as const]) {
      const visit = signIn(await worldOf({ callbackTimeout: 5, ...config }, authorize))
      expect(await after(4, visit)).toBeUndefined()
      expect((await after(2, visit))?.location).toContain("error=")
    }
  })

  it("is none where it is `false`", async () => {
    const visit = signIn(await worldOf({ callbackTimeout: false, callbacks: { signIn: never } }))
    expect(await after(100_000, visit)).toBeUndefined()
  })

  it.each(["30", -1, 0, Number.NaN, true])("cannot be %j", async (callbackTimeout) => {
    const { auth } = await worldOf({ callbackTimeout: callbackTimeout as number })
    expect(auth.problems()).toMatchObject([{ message: expect.stringContaining('"callbackTimeout"') }])
  })
})

it("tells in the log what a callback answered too late, and drops it", { tags: ["threat:CF2-13"] }, async () => {
  for (const [outcome, message] of [
    [(): boolean => true, "what it answered was dropped"],
    [
      (): never => {
        throw new Error("the directory is down")
      },
      "what it threw was dropped",
    ],
  ] as const) {
    let answer = (): void => {}
    const late = new Promise<void>((resolve) => {
      answer = resolve
    }).then(outcome)
    const world = await worldOf({ callbacks: { signIn: () => late } })
    expect((await after(31, signIn(world)))?.location).toContain("error=AccessDenied")
    answer()
    await settled()
    expect(world.errors.map((error) => error.message)).toEqual([
      expect.stringContaining("did not answer"),
      expect.stringContaining(message),
    ])
  }
})
