/** A browser in which somebody has signed in before is not slowed by those who guess at the same person elsewhere. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/adapters/memory.js"
import { memoryRecords } from "../../src/adapters/records.js"
import { limits } from "../../src/index.js"
import { deviceCookie, guessingStage, letThrough, origin } from "../support/guessing.js"

const start = new Date("2026-03-01T12:00:00.000Z")
const day = 24 * 3600

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})
const later = (seconds: number): void => void vi.setSystemTime(new Date(Date.now() + seconds * 1000))

async function statusesOf(count: number, ask: () => Promise<{ readonly status: number }>): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status)
  return statuses
}

/** Ada's browser, in which she has signed in, and one that never was hers. */
async function withOwner(config: Parameters<typeof guessingStage>[0] = {}) {
  const stage = guessingStage(config)
  const [owner, stranger] = [stage.browser(), stage.browser()]
  await owner.guess("ada", "right")
  return { ...stage, owner, stranger }
}

describe("a known browser", () => {
  it.each([
    ["records", {}],
    ["the memory of the process", { adapter: undefined }],
  ])("lets its owner in at once while a stranger has used up every guess, counted in %s", async (_, config) => {
    const { owner, stranger } = await withOwner(config)
    expect(letThrough(await stranger.guessWrongly(200, "ada"))).toBe(10)
    expect((await stranger.guess("ada", "right")).status).toBe(429)
    expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
  })

  it("lets its owner in while strangers in the same network have used up its guesses", async () => {
    const { owner, stranger } = await withOwner()
    const network = { address: "203.0.113.7" }
    for (let person = 0; person < 200; person += 1) await stranger.guess(`person-${person}`, "wrong", network)
    expect((await stranger.guess("grace", "right", network)).status).toBe(429)
    expect((await owner.guess("ada", "right", network)).isSignedIn).toBe(true)
  })

  it("lets its owner in after a hundred guesses of strangers have locked everybody else out", async () => {
    const { owner, stranger } = await withOwner({ limits: { budgets: { guess: { person: { free: 100 } } } } })
    expect(letThrough(await stranger.guessWrongly(101, "ada"))).toBe(100)
    later(29 * day)
    expect((await stranger.guess("ada", "right")).status).toBe(429)
    expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
  })

  it("leaves strangers waiting when its owner signs in: their guesses stay counted", async () => {
    const { owner, stranger } = await withOwner()
    await stranger.guessWrongly(10, "ada")
    await owner.guess("ada", "right")
    expect((await stranger.guess("ada", "wrong")).status).toBe(429)
  })

  it("has a budget of its own, which a success gives back", async () => {
    const { owner } = await withOwner()
    await owner.guessWrongly(9, "ada")
    expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
    expect(letThrough(await owner.guessWrongly(12, "ada"))).toBe(10)
    later(1)
    expect((await owner.guess("ada", "right")).status).toBe(429)
    later(1)
    expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
  })

  it("shares its budget with no other known browser, and those of two people in it are apart", async () => {
    const { owner, stranger: second } = await withOwner()
    await second.guess("ada", "right")
    await owner.guess("grace", "right")
    await owner.guessWrongly(10, "ada")
    expect((await owner.guess("ada", "right")).status).toBe(429)
    expect((await second.guess("ada", "right")).isSignedIn).toBe(true)
    expect((await owner.guess("grace", "right")).isSignedIn).toBe(true)
  })

  it.each<[string, object, readonly [string, string]]>([
    ["in memory", {}, ["ada", "ada"]],
    ["in records", { adapter: {} }, ["ada", "ada"]],
    ["however a number is written", {}, ["2023-1234", "20231-234"]],
  ])(
    "has with all others of its person as many wrong tries as one person, and counts at its network beyond, %s",
    async (_, config, names) => {
      const { auth, browser } = guessingStage(config)
      const network = { address: "203.0.113.7" }
      const known = Array.from({ length: 32 }, (_, index) => ({ of: browser(), name: names[index % 2] ?? "" }))
      for (const { of, name } of known) await of.guess(name, "right")
      const tries: number[] = []
      for (const { of, name } of known) tries.push(letThrough(await of.guessWrongly(10, name, network)))
      expect(tries).toEqual([...Array.from({ length: 30 }, () => 10), 0, 0])
      const [owner, last] = [known[30]?.of, known[31]?.of]
      const again = await statusesOf(30, async () => (await owner?.guess(names[0], "right")) ?? { status: 0 })
      expect(letThrough(again)).toBe(30)
      expect((await owner?.guess(names[0], "right", network))?.status).toBe(429)
      await limits.reset(auth, names[0])
      expect((await owner?.guess(names[0], "right", network))?.isSignedIn).toBe(true)
      expect(letThrough((await last?.guessWrongly(11, names[1], network)) ?? [])).toBe(10)
    },
  )

  it("lets its owner in when somebody whose name is read alike has used up those tries, and strangers the others", async () => {
    const { owner, stranger, browser } = await withOwner()
    for (let index = 0; index < 12; index += 1) {
      const other = browser()
      await other.guess("Ada", "right")
      await other.guessWrongly(10, "Ada")
    }
    await stranger.guessWrongly(10, "ada")
    expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
    expect((await stranger.guess("ada", "wrong")).status).toBe(429)
  })

  it("takes none of those tries for what it refuses itself", async () => {
    const { owner, browser } = await withOwner()
    const other = browser()
    await other.guess("ada", "right")
    await owner.guessWrongly(200, "ada")
    const network = { address: "203.0.113.7" }
    for (let person = 0; person < 200; person += 1) await browser().guess(`person-${person}`, "wrong", network)
    expect((await other.guess("ada", "right", network)).isSignedIn).toBe(true)
  })

  it("takes none of those tries for right passwords, and has them anew after thirty days", async () => {
    const { browser } = guessingStage()
    const [owner, other] = [browser(), browser()]
    const network = { address: "203.0.113.7" }
    const fillNetwork = async (): Promise<void> => {
      for (let person = 0; person < 200; person += 1) await browser().guess(`person-${person}`, "wrong", network)
    }
    for (let index = 0; index < 150; index += 1) await owner.guess("ada", "right")
    await other.guess("ada", "right")
    await fillNetwork()
    expect((await owner.guess("ada", "right", network)).isSignedIn).toBe(true)
    for (let round = 0; round < 10; round += 1) {
      await other.guessWrongly(10, "ada")
      later(2)
      await other.guess("ada", "right")
    }
    expect((await owner.guess("ada", "right", network)).status).toBe(429)
    expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
    later(30 * day)
    await fillNetwork()
    expect((await owner.guess("ada", "right", network)).isSignedIn).toBe(true)
  })

  it("is charged where `authorize` throws, and for no other fault", async () => {
    const adapter = memoryAdapter()
    const { owner } = await withOwner({ adapter })
    const outOfOrder = guessingStage({ adapter, callbacks: { jwt: () => Promise.reject(new Error("down")) } })
    const same = outOfOrder.browser()
    for (const [name, value] of owner.jar) same.jar.set(name, value)
    expect(letThrough(await statusesOf(30, () => same.guess("ada", "right")))).toBe(30)
    expect(letThrough(await statusesOf(30, () => owner.guess("ada", "down")))).toBe(10)
    later(2)
    expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
  })

  it("is known by its three newest people, as they wrote their names", async () => {
    const { owner, stranger } = await withOwner()
    for (const name of ["grace", "joan", "edith"]) await owner.guess(name, "right")
    for (const name of ["ada", "grace", "joan", "edith"]) await stranger.guessWrongly(10, name)
    const entered: string[] = []
    for (const name of ["grace", "joan", "Edith", "edith", "ada"]) {
      if ((await owner.guess(name, "right")).isSignedIn) entered.push(name)
    }
    expect(entered).toEqual(["grace", "joan", "edith"])
  })

  it("stays known for 400 days after the last sign-in, and when the secret was rotated", async () => {
    const adapter = memoryAdapter()
    const old = "0123456789abcdef0123456789abcdef"
    const { owner } = await withOwner({ adapter })
    later(400 * day - 60)
    const rotated = guessingStage({ adapter, secret: ["another secret of thirty-two chars", old] })
    await rotated.browser().guessWrongly(10, "ada")
    const same = rotated.browser()
    for (const [name, value] of owner.jar) same.jar.set(name, value)
    expect((await same.guess("ada", "right")).isSignedIn).toBe(true)
    const late = rotated.browser()
    for (const [name, value] of owner.jar) late.jar.set(name, value)
    later(120)
    await rotated.browser().guessWrongly(10, "ada")
    expect((await late.guess("ada", "right")).status).toBe(429)
  })

  it("is opened by limits.reset as well", async () => {
    for (const config of [{}, { adapter: {}, records: memoryRecords() }, { adapter: {} }]) {
      const { auth, owner } = await withOwner(config)
      await owner.guessWrongly(10, "ada")
      expect((await owner.guess("ada", "right")).status).toBe(429)
      await limits.reset(auth, "ada")
      expect((await owner.guess("ada", "right")).isSignedIn).toBe(true)
    }
  })

  it("is known to calls in this process, whose cookies are handed to the caller", async () => {
    const { auth, stranger } = await withOwner()
    const call = { fields: { username: "ada", password: "right" } }
    const { cookies } = await auth.signIn({ url: origin, headers: {} }, "password", call)
    const [device] = cookies.filter(({ name }) => name === deviceCookie)
    await stranger.guessWrongly(10, "ada")
    const headers = { cookie: `${device?.name}=${device?.value}` }
    await expect(auth.signIn({ url: origin, headers: {} }, "password", call)).rejects.toThrow("too many tries")
    const again = await auth.signIn({ url: origin, headers }, "password", call)
    expect(again.cookies.map(({ name }) => name)).toContain("__Secure-authjs.session-token")
  })
})

describe("the cookie of a known browser", () => {
  const linesOf = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.includes("device"))

  it("is for the service alone, on this host, for 400 days, and tells nothing of the person", async () => {
    const { browser } = guessingStage()
    const [line = "", ...others] = linesOf((await browser().guess("ada", "right")).setCookies)
    expect(others).toEqual([])
    expect(line.replace(/=ey[^;]*/, "=…")).toBe(
      `${deviceCookie}=…; Path=/; Expires=Mon, 05 Apr 2027 12:00:00 GMT; HttpOnly; Secure; SameSite=Lax`,
    )
    expect(line.length).toBeLessThan(600)
  })

  it("is not set by a wrong password, a sign-in that the application sends elsewhere, or one that begins no session", async () => {
    const elsewhere = guessingStage({ callbacks: { signIn: () => "/second-step" } })
    const without = guessingStage({ callbacks: { jwt: () => null } })
    const answers = [
      await guessingStage().browser().guess("ada", "wrong"),
      await elsewhere.browser().guess("ada", "right"),
      await without.browser().guess("ada", "right"),
    ]
    expect(answers.map(({ setCookies }) => linesOf(setCookies))).toEqual([[], [], []])
  })

  it("is neither set nor read where nothing is limited", async () => {
    const { owner } = await withOwner()
    const off = guessingStage({ limits: false })
    const answer = await off.browser().guess("ada", "right")
    const plain = off.browser()
    for (const [name, value] of owner.jar) plain.jar.set(name, value)
    const withCookie = await plain.guess("ada", "right")
    expect([answer.isSignedIn, withCookie.isSignedIn]).toEqual([true, true])
    expect([linesOf(answer.setCookies), linesOf(withCookie.setCookies)]).toEqual([[], []])
  })

  it("has a name that no other cookie may be given", () => {
    const { auth } = guessingStage({ cookies: { sessionToken: { name: deviceCookie } } })
    expect(auth.problems().map(({ message }) => message)).toEqual([
      expect.stringContaining('"cookies.sessionToken.name": expected a name other than that of device'),
    ])
  })
})
