/** The contract looks rows up by their keys alone, as the engine does: adapters may refuse other members. */

import { runContract } from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { expect, it } from "vitest"

const keys = {
  getUserByAccount: ["provider", "providerAccountId"],
  unlinkAccount: ["provider", "providerAccountId"],
  useVerificationToken: ["identifier", "token"],
} as const

/** As query builders with generated types do. */
function strict(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (name === "transaction")
        return (work: (within: Adapter) => Promise<unknown>) => target.transaction?.((within) => work(strict(within)))
      const members: readonly string[] | undefined = keys[name as keyof typeof keys]
      if (!members || typeof method !== "function") return method
      return (key: object) => {
        const strange = Object.keys(key).filter((member) => !members.includes(member))
        if (strange.length > 0) throw new TypeError(`Unknown argument ${strange.join(", ")}.`)
        return Reflect.apply(method, target, [key])
      }
    },
  })
}

it("an adapter that refuses members outside of a key passes the contract", async () => {
  const report = await runContract(() => strict(memoryAdapter()))
  expect(report.outcomes.filter(({ status }) => status === "failed")).toEqual([])
}, 120_000)
