import { expect, it } from "vitest"
import { isRemembered, remember } from "./foreign-values.js"

it("knows values again by name, but none that was cleared", () => {
  remember("session", "one")
  remember("session.0", "two")
  remember("session", "")
  const known: [string, string][] = [
    ["session", "one"],
    ["session.0", "two"],
  ]
  const unknown: [string, string][] = [
    ["session", "two"],
    ["session.0", "one"],
    ["session", "eno"],
    ["session", ""],
  ]
  expect(known.filter(([name, value]) => isRemembered(name, value))).toEqual(known)
  expect(unknown.filter(([name, value]) => isRemembered(name, value))).toEqual([])
})

it("forgets the values that were set first, once there are very many, and counts those anew that are set again", () => {
  remember("first", "1")
  remember("again", "1")
  for (let count = 0; count < 99_998; count++) remember("many", String(count))
  expect([isRemembered("first", "1"), isRemembered("again", "1")]).toEqual([true, true])
  remember("again", "1")
  remember("last", "1")
  remember("last", "2")
  expect([isRemembered("first", "1"), isRemembered("many", "0")]).toEqual([false, false])
  expect([isRemembered("again", "1"), isRemembered("last", "1"), isRemembered("many", "1")]).toEqual([true, true, true])
})
