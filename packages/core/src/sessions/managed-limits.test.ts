import { describe, expect, it, vi } from "vitest"
import { later } from "../../test/support/context.js"
import { managedStage } from "../../test/support/managed-stage.js"
import { takeSession, writeSession } from "../ledger/session.js"
import { memoryRecords } from "../memory.js"
import type { ManagedSessionsOptions } from "../types/managed-sessions.js"
import { ledgerOf, surplusOf, turnOf } from "./managed.js"

const facts = { id: "session", startedAt: 7, proofs: [] }

/** A session of a user. */
interface Some {
  readonly startedAt?: number
  readonly turn?: number | undefined
  readonly isReplaced?: boolean
  readonly actor?: string
  /** The session, where it has more than one record. */
  readonly id?: string
}

/** Where a user has sessions, by key; their names are the same. */
async function placed(some: Readonly<Record<string, Some>>, options: ManagedSessionsOptions) {
  const records = memoryRecords()
  const context = managedStage({ strategy: "jwt", records, options }).at()
  const ledger = ledgerOf(context)
  for (const [key, { id = key, startedAt = 7, turn, isReplaced, actor }] of Object.entries(some)) {
    const own = { facts: { ...facts, id, startedAt, ...(actor !== undefined && { actor }) } }
    const marks = { ...(turn !== undefined && { turn }), ...(isReplaced && { isReplaced: true as const }) }
    const content = { ...own, ...marks, client: {}, seenAt: 0, generation: 0 }
    await writeSession(ledger, { key, userId: "ada", content, expires: later(1) })
  }
  const factsOf = (actor: string | undefined) => ({ ...facts, ...(actor !== undefined && { actor }) })
  const turn = (userId: string | null = "ada", actor?: string) =>
    turnOf(context, { ledger, userId, facts: factsOf(actor) })
  const surplus = async (actor?: string) => {
    const begun = { key: "new", facts: factsOf(actor) }
    return (await surplusOf(context, { ledger, userId: "ada", begun })).map(({ content }) => content.facts.id)
  }
  return { context, records, ledger, turn, surplus }
}

describe("the place of a session that begins", () => {
  it.each<[string, readonly (number | undefined)[], number]>([
    ["the first", [], 1],
    ["behind all that are there", [2, 5, 4], 6],
    ["behind those that have none, because they were not counted", [undefined, undefined], 1],
    ["behind those that have one, beside some that have none", [undefined, 1, undefined], 2],
    ["never before the first, whatever stands there", [-7], 1],
  ])("is %s", async (_, turns, turn) => {
    const there = await placed(Object.fromEntries(turns.map((place, index) => [`k${index}`, { turn: place }])), {
      atMost: 3,
    })
    expect(await there.turn()).toEqual({ turn })
  })

  it("is none where nobody counts, and then nothing is asked for", async () => {
    const [unlimited, limited] = [
      await placed({ one: { turn: 1 } }, {}),
      await placed({ one: { turn: 1 } }, { atMost: 3 }),
    ]
    const lists = [unlimited, limited].map(({ records }) => vi.spyOn(records, "listRecords"))
    expect(await unlimited.turn()).toEqual({})
    expect(await limited.turn(null)).toEqual({})
    expect(await limited.turn("ada", "support")).toEqual({})
    for (const list of lists) expect(list).not.toHaveBeenCalled()
  })

  it("is none where the others cannot be listed, which is logged", async () => {
    const { context, records, turn } = await placed({ one: { turn: 1 } }, { atMost: 3 })
    vi.spyOn(records, "listRecords").mockRejectedValueOnce(new Error("away"))
    expect(await turn()).toEqual({})
    expect(context.logged).toMatchObject([{ type: "AdapterError" }])
  })
})

describe("sessions beyond those that a user may have", () => {
  const there = { b: { startedAt: 2 }, c: { startedAt: 3 }, d: { startedAt: 1 }, a: { startedAt: 1 } }
  const begun = { new: { startedAt: 4, turn: 9 } }
  const surplus = async (atMost: number | undefined, others: Readonly<Record<string, Some>> = {}, actor?: string) => {
    const given = await placed({ ...there, ...begun, ...others }, atMost === undefined ? {} : { atMost })
    return given.surplus(actor)
  }

  it.each<[number | undefined, readonly string[]]>([
    [undefined, []],
    [6, []],
    [5, []],
    [4, ["a"]],
    [3, ["a", "d"]],
    [2, ["a", "d", "b"]],
    [1, ["a", "d", "b", "c"]],
    [0, ["a", "d", "b", "c"]],
  ])("of %s are the oldest, by time and then by their name: %j", async (atMost, expected) => {
    expect(await surplus(atMost)).toEqual(expected)
  })

  it("are the same for all who ask, in whatever order the store lists them", async () => {
    const [e, f] = [{ startedAt: 0 }, { startedAt: 0 }]
    for (const others of [
      { e, f },
      { f, e },
    ])
      expect(await surplus(3, others)).toEqual(["e", "f", "a", "d"])
  })

  it("are by their place first, the one that begins included", async () => {
    const [a, d, own] = [there.a, there.d, begun.new]
    const first = { a: { ...a, turn: 3 }, d: { ...d, turn: 2 }, new: { ...own, turn: 3 } }
    expect(await surplus(2, first)).toEqual(["b", "c", "d"])
    expect(await surplus(1, { ...first, d: { ...d, turn: 5 } })).toEqual(["b", "c", "a", "new"])
  })

  it("are none where the place of the one that begins is unknown, or where it has ended meanwhile", async () => {
    expect(await surplus(1, { new: { startedAt: 4 } })).toEqual([])
    const { ledger, surplus: after } = await placed({ ...there, ...begun }, { atMost: 1 })
    await takeSession(ledger, "new")
    expect(await after()).toEqual([])
  })

  it("are not those that others have replaced", async () => {
    expect(await surplus(3, { a: { ...there.a, isReplaced: true } })).toEqual(["d"])
  })

  it("are counted once each while one gets a new token and has two records", async () => {
    const more = { e: { ...there.a, id: "a" }, f: { ...begun.new, id: "new" } }
    expect(await surplus(5, more)).toEqual([])
    expect(await surplus(4, more)).toEqual(["a"])
    expect(await surplus(3, more)).toEqual(["a", "d"])
  })

  it("are not those in which somebody acts for the user, and none goes for such a one", {
    tags: ["threat:SF-26"],
  }, async () => {
    const a = { ...there.a, actor: "support" }
    expect(await surplus(4, { a })).toEqual([])
    expect(await surplus(3, { a })).toEqual(["d"])
    expect(await surplus(1, {}, "support")).toEqual([])
  })
})
