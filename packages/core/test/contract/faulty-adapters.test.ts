/** A faulty adapter for every case of the contract kit, which has to find it. */
import { contractCases, runContract } from "@latchkey/adapter-contract"
import { describe, expect, it } from "vitest"
import { accountFaults } from "./faults/accounts.js"
import { authenticatorFaults, removalFaults } from "./faults/authenticators.js"
import { crashFaults } from "./faults/crash.js"
import type { Fault } from "./faults/fault.js"
import { raceFaults, transactionFaults } from "./faults/races.js"
import { recordEdgeFaults } from "./faults/record-edges.js"
import { recordFaults } from "./faults/records.js"
import { sessionFaults, verificationTokenFaults } from "./faults/sessions.js"
import { timeFaults } from "./faults/times.js"
import { userFaults } from "./faults/users.js"
import { exactnessFaults, valueFaults } from "./faults/values.js"

const faults: readonly Fault[] = [
  ...userFaults,
  ...accountFaults,
  ...sessionFaults,
  ...verificationTokenFaults,
  ...authenticatorFaults,
  ...removalFaults,
  ...valueFaults,
  ...exactnessFaults,
  ...timeFaults,
  ...raceFaults,
  ...transactionFaults,
  ...crashFaults,
  ...recordFaults,
  ...recordEdgeFaults,
]

describe("the contract kit", () => {
  it.each(faults)("finds an adapter that $fault", async ({ make, caughtBy }) => {
    const cases = contractCases.filter(({ name }) => caughtBy.includes(name))
    expect(cases.map(({ name }) => name).sort()).toEqual([...caughtBy].sort())
    const { outcomes, isKept } = await runContract(make, { cases })
    expect(outcomes.filter(({ status }) => status !== "failed")).toEqual([])
    expect(isKept).toBe(false)
  })

  it("has a faulty adapter for every case", () => {
    const proven = new Set(faults.flatMap(({ caughtBy }) => caughtBy))
    expect(contractCases.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([])
  })

  it("names every case once", () => {
    const names = contractCases.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
