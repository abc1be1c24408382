/** Adapters published for Auth.js work here: they run through the contract kit, with their known gaps written down. */

import { contractCases, formatContract, runContract } from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core/adapters"
import { describe, expect, it } from "vitest"
import { openPublished } from "../support/published.js"
import { published } from "./published-adapters.data.js"

const closing = new Map<Adapter, () => Promise<void>>()

async function open(name: keyof typeof openPublished): Promise<Adapter> {
  const { adapter, close } = await openPublished[name]()
  closing.set(adapter, close)
  return adapter
}

describe.each(published)("$name", ({ name, excuses }) => {
  it("keeps the contract except for the listed cases, and those still fail", async () => {
    const report = await runContract(() => open(name), {
      excuses,
      dispose: (adapter) => closing.get(adapter)?.(),
    })
    expect(report.isKept, formatContract(report)).toBe(true)
    // Hundreds of cases, each of which has its own time.
  }, 120_000)

  it("has a reason and evidence for each listed case", () => {
    const known = new Set(contractCases.map((contractCase) => contractCase.name))
    for (const excuse of excuses) {
      expect(known).toContain(excuse.case)
      expect(excuse.reason).toMatch(/\w{3}/)
      expect(excuse.evidence).toMatch(/\w{3}/)
    }
  })
})
