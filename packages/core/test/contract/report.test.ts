/** What the kit reports of an adapter: excuses, missing operations, late answers, and the table. */

import {
  appliesTo,
  type ContractCase,
  formatContract,
  missingOperations,
  runCase,
  runContract,
} from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
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

describe("what a crash may do", () => {
  const crashed: ContractCase = { ...good, name: "heals", group: "crash", needs: [] }
  const sentenceFor = async (adapter: Adapter): Promise<string | undefined> =>
    (await runContract(() => adapter, { cases: [crashed] })).crash

  it.each(["transaction", "createUserWithAccount"] as const)("is covered by %s", async (operation) => {
    const adapter = { [operation]: () => undefined } as unknown as Adapter
    expect(await sentenceFor(adapter)).toBe(
      `A sign-in that is cut off at any point is completed by the next one, through \`${operation}\`.`,
    )
  })

  it("is reported for adapters that offer neither, with what an error does", async () => {
    expect(await sentenceFor({ deleteUser: () => undefined })).toBe(
      "The adapter offers neither `transaction` nor `createUserWithAccount`. An error during a first sign-in is " +
        "undone with `deleteUser`; a crash is not. Whoever is cut off between `createUser` and `linkAccount` is " +
        "refused with OAuthAccountNotLinked until the unfinished user is removed. No second user is made, and nobody " +
        "else gets in.",
    )
    expect(await sentenceFor({})).toContain("Neither an error nor a crash during a first sign-in is undone.")
  })

  it("stands below the table", async () => {
    const report = await runContract(() => ({}), { cases: [crashed] })
    expect(formatContract(report)).toContain(`| **all** | **1** | **0** |\n\n${report.crash}\n`)
  })

  it("is not reported when no case asked about it", async () => {
    expect(await runContract(() => ({ getUser: () => null }), { cases: [good] })).not.toHaveProperty("crash")
  })
})

describe("a case that says nothing new of an adapter", () => {
  const narrow: ContractCase = { ...good, needs: [], unless: ["transaction"] }

  it("is left out", async () => {
    expect((await runContract(memoryAdapter, { cases: [narrow, good] })).outcomes).toHaveLength(1)
    expect((await runContract(() => ({}), { cases: [narrow] })).outcomes).toHaveLength(1)
  })

  it("is known before it runs", () => {
    expect(appliesTo(narrow, memoryAdapter())).toBe(false)
    expect(appliesTo(narrow, {})).toBe(true)
    expect(appliesTo(good, memoryAdapter())).toBe(true)
  })

  it("can still be excused, and the excuse counts as used", async () => {
    const excuses = [{ case: "good", reason: "known" }]
    expect((await runContract(memoryAdapter, { cases: [narrow], excuses })).isKept).toBe(true)
  })
})

describe("runCase", () => {
  it("says which operations are missing", async () => {
    await expect(runCase(good, {})).rejects.toThrow("lacks getUser")
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
