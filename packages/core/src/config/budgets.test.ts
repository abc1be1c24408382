import { describe, expect, it } from "vitest"
import { noon } from "../../test/support/facts.js"
import { memoryRecords } from "../adapters/records.js"
import { createRecords } from "../ports/records.js"
import { createTryMemory } from "../ports/try-store.js"
import { limitsOf } from "./budgets.js"
import { createReport } from "./report.js"

const memory = createTryMemory(10)

function read(limits: unknown, { isTest = false, records = createRecords(memoryRecords()) } = {}) {
  const report = createReport()
  const resolved = limitsOf({ limits, isTest, records, memory }, report)
  return { limits: resolved, problems: report.problems.map(({ message }) => message) }
}

const minute = 60
const hour = 3600
const day = 86_400
const defaults = {
  mail: {
    person: { free: 3, window: day, wait: minute, longest: hour, most: 20 },
    network: { free: 60, window: hour },
  },
  guess: {
    person: { free: 10, window: 30 * day, wait: 2, longest: 15 * minute, most: 100 },
    network: { free: 200, window: 15 * minute },
  },
  code: {
    person: { free: 10, window: day, wait: 2, longest: hour, most: 30 },
    network: { free: 200, window: 15 * minute },
  },
  ceremony: { network: { free: 600, window: 10 * minute } },
}

describe("the limits of a configuration", () => {
  it.each([undefined, null, {}, { budgets: {} }, { budgets: { guess: {} } }])("are the usual ones for %j", (given) => {
    const { limits, problems } = read(given)
    expect(limits?.budgets).toEqual(defaults)
    expect(limits?.address).toBeUndefined()
    expect(problems).toEqual([])
  })

  it.each([
    [false, false],
    [false, true],
    [undefined, true],
    [null, true],
  ])("are none for %j, under test: %j", (given, isTest) => {
    expect(read(given, { isTest })).toEqual({ limits: undefined, problems: [] })
  })

  it("are there in tests where they are asked for", () => {
    expect(read({}, { isTest: true }).limits?.budgets).toEqual(defaults)
  })

  it("have the sizes that are given, the smallest included, and the usual ones beside them", () => {
    const person = { free: 1, most: 1, wait: 0, longest: 0, window: 0 }
    const { limits, problems } = read({ budgets: { guess: { person }, ceremony: { network: { free: 1.5 } } } })
    expect(problems).toEqual([])
    expect(limits?.budgets).toEqual({
      mail: defaults.mail,
      guess: { person, network: defaults.guess.network },
      code: defaults.code,
      ceremony: { network: { free: 1.5, window: 10 * minute } },
    })
  })

  it.each([
    ["free", 0],
    ["free", 0.5],
    ["most", 0],
    ["wait", -1],
    ["window", -0.001],
    ["longest", Number.NaN],
    ["longest", Number.POSITIVE_INFINITY],
    ["free", "5"],
    ["most", [5]],
  ])("keep the usual size where %s is %j, and this is reported", (name, value) => {
    const { limits, problems } = read({ budgets: { guess: { person: { [name]: value } } } })
    expect(limits?.budgets).toEqual(defaults)
    expect(problems).toEqual([
      expect.stringContaining(`"limits.budgets.guess.person.${name}": expected a number of tries or seconds`),
    ])
  })

  it.each([
    [true, '"limits": expected an object, or false'],
    [[], '"limits": expected an object, or false'],
    ["off", '"limits": expected an object, or false'],
    [0, '"limits": expected an object, or false'],
    [{ address: "req.ip" }, '"limits.address": expected a function'],
    [
      { budgets: { guesses: {} } },
      '"limits.budgets": expected one of mail, guess, code, ceremony, received the string "guesses"',
    ],
  ])("are the usual ones for %j, and this is reported", (given, message) => {
    const { limits, problems } = read(given)
    expect(limits?.budgets).toEqual(defaults)
    expect(limits?.address).toBeUndefined()
    expect(problems).toEqual([expect.stringContaining(message)])
  })

  it("ask the application for the address where it gives a function, and cannot be changed afterwards", () => {
    const address = () => "203.0.113.7"
    const { limits } = read({ address })
    expect(limits?.address).toBe(address)
    for (const frozen of [limits, limits?.budgets, limits?.budgets.guess.person, limits?.budgets.mail.network])
      expect(Object.isFrozen(frozen)).toBe(true)
  })

  it("are counted in records, and in memory where there are none", async () => {
    const records = memoryRecords()
    const key = { kind: "limit-count", key: "net" }
    const count = { add: 1, expires: new Date(noon.getTime() + 1000), now: noon }
    const tell = (): void => {}
    await read({}, { records: createRecords(records) })
      .limits?.triesAt(noon, tell)
      .countRecord(key, count)
    expect(await records.countRecord(key, { ...count, add: 0 })).toMatchObject({ sum: 1 })
    expect(read({}, { records: createRecords(undefined) }).limits?.triesAt(noon, tell)).toBe(memory)
  })
})
