import { expect, it } from "vitest"
import type { SessionContent } from "../ledger/session.js"
import { chainOf } from "./content.js"

const after = (count: number): readonly string[] => {
  let before: Partial<SessionContent> = {}
  for (let at = 0; at < count; at++) before = chainOf(`s${at}`, before as SessionContent)
  return before.follows ?? []
}

it("a session that goes on follows all before it, and the first and the last of very many", () => {
  expect(chainOf("s0")).toEqual({ follows: ["s0"] })
  expect(after(3)).toEqual(["s0", "s1", "s2"])
  expect(after(32)).toEqual(Array.from({ length: 32 }, (_, at) => `s${at}`))
  expect(after(40)).toEqual(["s0", ...Array.from({ length: 31 }, (_, at) => `s${at + 9}`)])
})
