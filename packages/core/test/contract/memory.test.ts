/** The reference adapter passes the whole contract, and each case declares exactly the operations it needs. */

import { appliesTo, contractCases, formatContract, runCase, runContract } from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { describe, expect, it } from "vitest"

/** An adapter that writes down which operations are called, also inside transactions. */
function watched(adapter: Adapter, called: Set<string>): Adapter {
  return new Proxy(adapter, {
    get(target, name, receiver) {
      const operation = Reflect.get(target, name, receiver)
      if (typeof operation !== "function" || typeof name !== "string") return operation
      return (...args: unknown[]) => {
        called.add(name)
        if (name !== "transaction") return operation.apply(target, args)
        const [work] = args as [(open: Adapter) => Promise<unknown>]
        return operation.call(target, (open: Adapter) => work(watched(open, called)))
      }
    },
  })
}

describe("the memory adapter", () => {
  it.each(contractCases)("$group: $name", (contractCase) => runCase(contractCase, memoryAdapter()))

  it("keeps the contract when all cases share one store", async () => {
    const adapter = memoryAdapter()
    const report = await runContract(() => adapter)
    const count = contractCases.filter((contractCase) => appliesTo(contractCase, adapter)).length
    expect(formatContract(report)).toContain(`| **all** | **${count}** | **0** |`)
    expect(report.isKept).toBe(true)
  }, 60_000)
})

/** Asked for where an adapter offers them; a sign-in goes without. */
const extras = { listAccountsByUserId: true, deleteSessionsByUserId: true, updateAccount: true }

describe("the contract kit", () => {
  it.each(contractCases)("says which operations it needs: $name", async (contractCase) => {
    const called = new Set<string>()
    await runCase(contractCase, watched(memoryAdapter(), called))
    const goesWithout = (name: string): boolean => name in extras && !contractCase.needs.includes(name as never)
    expect([...called].filter((name) => !goesWithout(name)).sort()).toEqual([...contractCase.needs].sort())
  })
})
