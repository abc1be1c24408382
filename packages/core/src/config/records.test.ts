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

describe("the secret of records", () => {
  const own = "fedcba9876543210fedcba9876543210"
  const older = "0f1e2d3c4b5a69780f1e2d3c4b5a6978"

  it("is that of everything else, unless there is one of their own", () => {
    const settings = settingsOf({})
    expect(settings.recordKeyring).toBe(settings.keyring)
  })

  it("seals before the others open", () => {
    const settings = settingsOf({}, { AUTH_RECORD_SECRET_1: own, AUTH_RECORD_SECRET: older })
    expect(settings.recordKeyring.secrets).toEqual([own, older, ...settings.keyring.secrets])
    expect(settings.problems).toEqual([])
    expect(settings.keyring.secrets).not.toContain(own)
  })

  it("must not be one that can be guessed in production", () => {
    const env = { AUTH_RECORD_SECRET: "changeme", NODE_ENV: "production" }
    const [problem] = settingsOf({}, env).problems
    expect(problem?.message).toContain('Weak secret: "AUTH_RECORD_SECRET"')
    expect(problem?.message).not.toContain("changeme")
  })
})
