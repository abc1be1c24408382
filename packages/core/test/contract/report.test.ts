/** What the kit reports of an adapter: excuses, missing operations, late answers, and the table. */
import type { Adapter } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { type ContractCase, formatContract, missingOperations, runCase, runContract } from "@latchkey/core/testing"
import { describe, expect, it } from "vitest"

const good: ContractCase = { name: "good", group: "users", needs: ["getUser"], run: async () => {} }
const bad: ContractCase = {
  name: "bad | with a bar",
  group: "users",
  needs: ["getUser"],
  run: () => Promise.reject(new Error("expected\nthis")),
}
const slow: ContractCase = { name: "slow", group: "dates", needs: [], run: () => new Promise(() => {}) }

describe("runContract", () => {
  it("reports what passed, failed and is not offered", async () => {
    const report = await runContract(() => ({ getUser: () => null }), {
      cases: [good, bad, { ...good, name: "more", needs: ["getUser", "deleteUser"] }],
    })
    expect(report.outcomes.map(({ status }) => status)).toEqual(["passed", "failed", "not offered"])
    expect(report.outcomes[2]?.missing).toEqual(["deleteUser"])
    expect(report.isKept).toBe(false)
  })

  it("accepts a failure that has an excuse", async () => {
    const excuses = [{ case: bad.name, reason: "known", evidence: "source" }]
    const report = await runContract(memoryAdapter, { cases: [good, bad], excuses })
    expect(report.outcomes[1]).toMatchObject({ status: "excused", excuse: excuses[0] })
    expect(report.isKept).toBe(true)
  })

  it("is broken when an excused case passes", async () => {
    const report = await runContract(memoryAdapter, { cases: [good], excuses: [{ case: "good", reason: "known" }] })
    expect(report.outcomes[0]?.status).toBe("stale excuse")
    expect(report.isKept).toBe(false)
  })

  it("is broken when an excuse names no case", async () => {
    const excuses = [{ case: "gone", reason: "known" }]
    const report = await runContract(memoryAdapter, { cases: [good], excuses })
    expect(report).toMatchObject({ isKept: false, unknownExcuses: excuses })
  })

  it("fails a case that never answers", async () => {
    const report = await runContract(memoryAdapter, { cases: [slow], timeout: 5 })
    expect(String(report.outcomes[0]?.error)).toContain("within 5 ms")
  })

  it("makes and disposes one adapter for each case", async () => {
    const made: Adapter[] = []
    const disposed: Adapter[] = []
    const factory = (): Adapter => {
      made.push(memoryAdapter())
      return made.at(-1) as Adapter
    }
    await runContract(factory, { cases: [good, bad], dispose: (adapter) => disposed.push(adapter) })
    expect(disposed).toEqual(made)
    expect(made).toHaveLength(2)
  })
})

describe("runCase", () => {
  it("says which operations are missing", async () => {
    await expect(runCase(good, {})).rejects.toThrow("does not offer getUser")
  })

  it("finds operations on a prototype", () => {
    class WithPrototype {
      getUser(): null {
        return null
      }
    }
    expect(missingOperations(good, new WithPrototype())).toEqual([])
  })
})

describe("formatContract", () => {
  it("makes a table and lists what did not pass", async () => {
    const report = await runContract(() => ({ getUser: () => null }), {
      cases: [good, bad, { ...good, name: "more", needs: ["deleteUser"] }],
    })
    expect(formatContract(report)).toBe(
      [
        "| Contract | passed | failed | not offered |",
        "| --- | ---: | ---: | ---: |",
        "| users | 1 | 1 | 1 |",
        "| **all** | **1** | **1** | **1** |",
        "",
        "Failed:",
        "",
        "- bad \\| with a bar: expected this",
        "",
        "Not offered:",
        "",
        "- more: needs deleteUser",
        "",
      ].join("\n"),
    )
  })
})
