/** Names that limits count as one and an application keeps apart: an account of one's own must not buy guesses at another's. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/adapters/memory.js"
import { createAuth } from "../../src/index.js"
import { openBrowser } from "../support/browser.js"
import { guessingStage } from "../support/guessing.js"
import { passwordProvider, plainSettings } from "../support/password-service.js"

const start = new Date("2026-03-01T12:00:00.000Z")

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})
const later = (seconds: number): void => void vi.setSystemTime(new Date(Date.now() + seconds * 1000))

/** A service that compares names character by character, as most databases do. Everybody's password but Ada's is `right`. */
function service(hers?: string) {
  const { checked, browser } = guessingStage({
    providers: [
      {
        ...passwordProvider(),
        authorize: ({ username, password }: Record<string, unknown>) => check(username, password),
      },
    ] as never[],
  })
  async function check(username: unknown, password: unknown) {
    checked.push(String(username))
    await Promise.resolve()
    return password === (username === "ada" ? hers : "right") ? { id: String(username) } : null
  }
  const guesses = (): number => checked.filter((name) => name === "ada").length
  return { browser, guesses }
}

describe.each(["Ada", "adá", " ada", "a\u00adda"])("an account named %j", { tags: ["threat:V6-06"] }, (own) => {
  it("makes its browser known for no other name", async () => {
    const { browser, guesses } = service()
    await browser().guessWrongly(10, "ada")
    later(1000)
    for (let round = 0; round < 5; round += 1) {
      const thief = browser()
      expect((await thief.guess(own, "right")).isSignedIn).toBe(true)
      await thief.guessWrongly(5, "ada")
      later(20 * 60)
    }
    // One after each wait.
    expect(guesses()).toBeLessThanOrEqual(15)
  })

  it("takes back no guesses that were made with a stolen cookie of a browser that knows the other name", async () => {
    const { browser, guesses } = service("hers")
    const owner = browser()
    await owner.guess("ada", "hers")
    const thief = browser()
    for (const [name, value] of owner.jar) thief.jar.set(name, value)
    for (let round = 0; round < 5; round += 1) {
      await thief.guess(own, "right")
      await thief.guessWrongly(9, "ada")
    }
    expect(guesses()).toBe(11)
  })

  it("forgets no guess at another name, before or at the same time", async () => {
    const { browser, guesses } = service()
    for (let round = 0; round < 5; round += 1) {
      await browser().guessWrongly(4, "ada")
      await Promise.all([
        browser().guess(own, "right"),
        ...Array.from({ length: 4 }, () => browser().guess("ada", "wrong")),
      ])
    }
    expect(guesses()).toBe(10)
  })
})

it("a mailbox of a domain that differs by an accent forgets no guess at a mailed code", {
  tags: ["threat:V6-06"],
}, async () => {
  const provider = { id: "mail", name: "Mail", type: "email", from: "a@app.test", sendVerificationRequest: () => {} }
  const own = "ada@b\u00fccher.test"
  const mail = { ...provider, generateVerificationToken: () => "004711", normalizeIdentifier: (typed: string) => typed }
  const limits = { budgets: { mail: { person: { free: 1000, most: 1000 } } } }
  const { secret, logger } = plainSettings
  const auth = createAuth(
    { providers: [mail] as never[], secret, trustHost: true, logger, adapter: memoryAdapter(), limits },
    { env: { NODE_ENV: "production" } },
  )
  const follow = (email: string, token: string) =>
    openBrowser(auth.handle).get(`/auth/callback/mail?${new URLSearchParams({ token, email })}`)
  let passed = 0
  for (let round = 0; round < 4; round += 1) {
    for (let index = 0; index < 9; index += 1)
      if ((await follow("ada@bucher.test", `00000${index}`)).status !== 429) passed += 1
    await openBrowser(auth.handle).post("/auth/signin/mail", { email: own })
    await follow(own, "004711")
  }
  expect(passed).toBe(10)
})
