/** The option `records`: what it may be, and what stands in for it. */
import { describe, expect, it } from "vitest"
import { settingsOf } from "../../test/support/facts.js"
import { memoryAdapter } from "../adapters/memory.js"
import { memoryRecords } from "../adapters/records.js"
import type { AuthConfig } from "../types/config.js"

const problemsOf = (config: object): readonly string[] =>
  settingsOf(config as Partial<AuthConfig>).problems.map(({ message }) => message)

describe("records", () => {
  it("are kept by the adapter where it has the verbs, else nowhere", () => {
    expect(settingsOf({ adapter: memoryAdapter() }).records.isPresent).toBe(true)
    expect(settingsOf({ adapter: {} }).records.isPresent).toBe(false)
    expect(settingsOf({}).records.isPresent).toBe(false)
  })

  it("are kept by a store beside the adapter, without being a problem", () => {
    const settings = settingsOf({ adapter: {}, records: memoryRecords() })
    expect(settings.records.isPresent).toBe(true)
    expect(settings.problems).toEqual([])
  })

  it.each([
    [{ ...memoryRecords(), takeRecord: undefined }, "It lacks takeRecord."],
    [memoryRecords, "Call it."],
    [Promise.resolve(memoryRecords()), "Await the promise."],
    ["redis://localhost", "Await the promise."],
  ])("have to be a store with all verbs: %#", (records, remedy) => {
    const [problem] = problemsOf({ records })
    expect(problem).toContain('"records": expected an object with the operations of a store of records')
    expect(problem).toContain(remedy)
  })
})
