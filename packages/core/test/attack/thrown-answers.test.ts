/** Guesses at an application whose `authorize` throws for a wrong password, as if it could not look: they are guesses all the same. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { AdapterError, AuthError } from "../../src/errors.js"
import type { AuthConfig } from "../../src/types/config.js"
import { guessingStage, letThrough } from "../support/guessing.js"
import { passwordProvider } from "../support/password-service.js"

const start = new Date("2026-03-01T12:00:00.000Z")
const address = "203.0.113.7"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})
const later = (seconds: number): void => void vi.setSystemTime(new Date(Date.now() + seconds * 1000))

type Refuse = () => unknown
const throwing =
  (thrown: unknown): Refuse =>
  () => {
    throw thrown
  }
const anError = throwing(new Error("Invalid credentials"))

/** A service where the password `right` signs in and any other is answered by `refuse`. */
function service(
  refuse: Refuse,
  { accountField, ...config }: Partial<AuthConfig> & { readonly accountField?: string } = {},
) {
  const provider = {
    ...passwordProvider(),
    ...(accountField && { accountField }),
    authorize: ({ username, password }: Record<string, unknown>) =>
      password === "right" ? { id: String(username) } : refuse(),
  }
  return guessingStage({ ...config, providers: [provider as never] })
}

const hidden = (): never => {
  throw new Error("hidden")
}
const unreadable = new Proxy(new Error("hidden"), { get: hidden, getPrototypeOf: hidden })

describe("a wrong password", { tags: ["threat:V6-06"] }, () => {
  it.each<[string, Refuse]>([
    ["an error", anError],
    ["a promise that fails", () => Promise.reject(new Error("Invalid credentials"))],
    ["an error of ours", throwing(new AuthError("Invalid credentials"))],
    ["an error of the store", throwing(new AdapterError("Invalid credentials"))],
    ["an error that cannot be read", throwing(unreadable)],
    ["a text", throwing("Invalid credentials")],
    ["nothing", throwing(undefined)],
    ["a string that is no user", () => "Invalid credentials"],
    ["rows of which none was found", () => []],
    ["an error that is returned", () => new Error("Invalid credentials")],
    ["a Response that nobody has read", () => new Response(null, { status: 401 })],
  ])("that is answered with %s is let through ten times, then after each wait", async (_, refuse) => {
    const { browser } = service(refuse)
    expect(letThrough(await browser().guessWrongly(60, "ada"))).toBe(10)
    later(2)
    expect(letThrough(await browser().guessWrongly(2, "ada"))).toBe(1)
    later(4)
    expect((await browser().guess("ada", "right")).isSignedIn).toBe(true)
  })

  it.each([
    ["an object without an id", { error: "Invalid credentials" }],
    ["a user who is not stored", { id: "nobody" }],
  ])("that is answered with %s is let through ten times, with sessions in the database", async (_, answer) => {
    const { browser } = service(() => answer, { session: { strategy: "database" } })
    expect(letThrough(await browser().guessWrongly(60, "ada"))).toBe(10)
  })

  it("is let through ten times in a browser that is known", async () => {
    const { browser } = service(anError)
    const owner = browser()
    await owner.guess("ada", "right")
    expect(letThrough(await owner.guessWrongly(30, "ada"))).toBe(10)
    expect((await browser().guess("ada", "right")).isSignedIn).toBe(true)
  })

  it("is forgotten once the person has signed in", async () => {
    const { browser } = service(anError)
    for (let round = 0; round < 3; round += 1) {
      expect(letThrough(await browser().guessWrongly(9, "ada"))).toBe(9)
      expect((await browser().guess("ada", "right")).isSignedIn).toBe(true)
    }
  })

  it("does not count against the network of others, who may be many where nobody can be checked", async () => {
    const { browser } = service(anError)
    for (let person = 0; person < 210; person += 1) await browser().guess(`person-${person}`, "wrong", { address })
    expect((await browser().guess("grace", "right", { address })).isSignedIn).toBe(true)
  })

  it("counts against the network where no field says who it is about", async () => {
    const { browser } = service(anError, { accountField: "tenant" })
    const statuses: number[] = []
    for (let index = 0; index < 210; index += 1) {
      statuses.push((await browser().guess(`person-${index}`, "wrong", { address })).status)
    }
    expect(letThrough(statuses)).toBe(200)
  })
})

describe("a fault elsewhere is nobody's try", { tags: ["threat:V6-06"] }, () => {
  const failing = () => {
    throw new Error("out of order")
  }

  it("where the password was right, and the session could not be begun", async () => {
    const { browser } = service(anError, { callbacks: { jwt: failing } })
    for (let index = 0; index < 30; index += 1) expect((await browser().guess("ada", "right")).status).toBe(302)
  })

  it("where `authorize` does not answer in time", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: start })
    const { browser } = service(() => new Promise(() => {}), { callbackTimeout: 1 })
    for (let index = 0; index < 30; index += 1) {
      const guessed = browser().guess("ada", "wrong")
      while (vi.getTimerCount() === 0) await new Promise(setImmediate)
      await vi.advanceTimersByTimeAsync(1000)
      expect((await guessed).status).toBe(302)
    }
  })
})
