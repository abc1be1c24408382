import { describe, expect, it } from "vitest"
import { makeAdapter, makeContext } from "../../test/support/context.js"
import { selectStrategy } from "./select.js"

describe("the strategy", () => {
  it.each([
    ["jwt without an adapter", {}, false],
    ["database with one", { adapter: makeAdapter() }, true],
    ["jwt when chosen, also with one", { adapter: makeAdapter(), session: { strategy: "jwt" } as const }, false],
  ])("is %s [spec service 2] [spec options session.strategy]", (_, config, isDatabase) => {
    expect(selectStrategy(makeContext({ config }).settings).beginsInStore).toBe(isDatabase)
  })
})
