/** The owner of an address arrives while an attacker at it is served: in a store without transactions nothing keeps the two apart. */
import { describe } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { arrivals, expectNoLateEntry } from "../support/overtaking.js"

describe.each(arrivals)("when the owner comes by $way, with sessions of $sessions", (arrival) => {
  expectNoLateEntry(arrival, async () => {
    const { transaction: _, ...store } = memoryAdapter()
    return store
  })
})
