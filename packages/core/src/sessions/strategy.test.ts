import { describe, expect, it } from "vitest"
import { makeAdapter, makeContext } from "../../test/support/context.js"
import { databaseStrategy } from "./database.js"
import { jwtStrategy } from "./jwt.js"
import { selectStrategy } from "./select.js"

describe("the strategy", () => {
  it.each([
    ["jwt without an adapter", {}, jwtStrategy],
    ["database with one", { adapter: makeAdapter() }, databaseStrategy],
    ["jwt when chosen, also with one", { adapter: makeAdapter(), session: { strategy: "jwt" } as const }, jwtStrategy],
  ])("is %s [spec service 2] [spec options session.strategy]", (_, config, expected) => {
    expect(selectStrategy(makeContext({ config }).settings)).toBe(expected)
  })
})
