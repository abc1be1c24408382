/** A stolen session adds an account in a transaction that is undone, with sessions in another store than people: what its owner ended meanwhile does not come back, and what nobody ended stays. */
import { describe, expect, it, vi } from "vitest"
import { combine } from "../../src/adapters.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AdapterSession } from "../../src/types/session.js"
import { accountOfThief, theft } from "../support/ending.js"
import { sessionCookie } from "../support/journeys.js"

const tags = ["threat:SF-08"]
const refused = "https://app.test/auth/signin?error=OAuthAccountNotLinked"

/** Sessions that no transaction holds, and what is to happen once a row is removed. */
function sessionsApart() {
  const rows = new Map<string, AdapterSession>()
  const moments = { removed: async (_token: string): Promise<void> => {} }
  const sessions = {
    getSession: (token: string) => rows.get(token) ?? null,
    createSession(row: AdapterSession) {
      rows.set(row.sessionToken, row)
      return row
    },
    updateSession: () => null,
    async deleteSession(token: string) {
      const row = rows.get(token) ?? null
      rows.delete(token)
      await moments.removed(token)
      return row
    },
    deleteSessionsByUserId(userId: string) {
      const own = [...rows.values()].filter((row) => row.userId === userId)
      for (const { sessionToken } of own) rows.delete(sessionToken)
      return own.length
    },
  }
  return { sessions, moments }
}

/** People whose transactions fail at their end, once that is wished for. */
function failingPeople() {
  const people = memoryAdapter()
  const wish = { fails: false }
  const transaction: Required<Adapter>["transaction"] = (work) =>
    people.transaction(async (inside) => {
      const result = await work(inside)
      if (wish.fails) throw new Error("could not serialize access")
      return result
    })
  return { people: { ...people, transaction }, wish }
}

const places = ["with the people", "with the sessions", "elsewhere"] as const

/** People whose transactions do not wait for each other. */
function peopleAtOnce(): Adapter {
  const { transaction: _, ...people } = memoryAdapter()
  const transaction: Required<Adapter>["transaction"] = async (work) => {
    try {
      return await work(people)
    } catch (error) {
      await people.unlinkAccount(accountOfThief)
      throw error
    }
  }
  return { ...people, transaction }
}

/** A stolen session, with its records in one of these places. */
async function stolen(place: (typeof places)[number], waits = true) {
  const { sessions, moments } = sessionsApart()
  const failing = failingPeople()
  const { wish } = failing
  const people = waits ? failing.people : peopleAtOnce()
  // While a transaction runs, those of the people wait for its end.
  const records = memoryRecords()
  const adapter = combine(people, { sessions, ...(place === "with the sessions" && { records }) })
  const given = await theft({ strategy: "database", adapter, ...(place === "elsewhere" && { records }) })
  const token = given.thief.cookie(sessionCookie)
  const copy = given.world.browser()
  copy.setCookie(sessionCookie, token ?? "")
  /** Does something when the transaction has just removed the row of the stolen session. */
  const onceRemoved = (work: () => Promise<unknown>): void => {
    moments.removed = async (removed) => {
      if (removed !== token) return
      moments.removed = async () => {}
      await work()
    }
  }
  return { ...given, wish, copy, onceRemoved, records }
}

describe.each(["with the sessions", "elsewhere"] as const)("records %s", { tags }, (place) => {
  it.each(["endAll", "signing out"] as const)("does not open again where it ended by %s", async (how) => {
    const { world, thief, copy, end, onceRemoved, ownerOfAccount } = await stolen(place)
    onceRemoved(() => end(how))
    expect((await world.signInAtOp(thief)).location).toBe(refused)
    expect([await ownerOfAccount(), await thief.session(), await copy.session()]).toEqual([undefined, null, null])
  })
})

describe.each(places)("a sign-in anew of the owner, records %s", { tags }, (place) => {
  it("ends the session whose row such a transaction has just removed", async () => {
    const { world, thief, copy, onceRemoved, phone, ownerOfAccount } = await stolen(place, false)
    phone.setCookie(sessionCookie, copy.cookie(sessionCookie) ?? "")
    onceRemoved(() => world.signInByMail(phone, "ada@app.test"))
    expect((await world.signInAtOp(thief)).location).toBe(refused)
    expect([await ownerOfAccount(), await thief.session(), await copy.session()]).toEqual([undefined, null, null])
    expect(await phone.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })
})

describe("a transaction that fails otherwise", { tags }, () => {
  it("does not bring back what was ended while it ran", async () => {
    const { world, thief, copy, end, onceRemoved, records } = await stolen("with the sessions")
    onceRemoved(async () => {
      await end("signing out")
      vi.spyOn(records, "getRecord").mockRejectedValueOnce(new Error("connection lost"))
    })
    await world.signInAtOp(thief)
    expect(JSON.stringify([await thief.session(), await copy.session()])).not.toContain("ada@app.test")
  })

  it.each(places)("leaves a session that nobody ended, with its records %s", async (place) => {
    const { world, thief, copy, onceRemoved, wish } = await stolen(place)
    onceRemoved(async () => {
      wish.fails = true
    })
    expect((await world.signInAtOp(thief)).location).toContain("error=")
    expect([await thief.session(), await copy.session()]).toEqual([expect.anything(), expect.anything()])
  })
})

describe("signing out", { tags }, () => {
  it("removes a row that came back on the way", async () => {
    const { world, hold, thief, copy, end, onceRemoved, wish } = await stolen("with the sessions")
    let leaving: Awaited<ReturnType<typeof hold<void>>> | undefined
    onceRemoved(async () => {
      wish.fails = true
      leaving = await hold("takeRecord", () => end("signing out"))
    })
    await world.signInAtOp(thief)
    expect(await copy.session()).not.toBeNull()
    await leaving?.finish()
    expect(await copy.session()).toBeNull()
  })
})
