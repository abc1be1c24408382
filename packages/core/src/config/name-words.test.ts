import { expect, it } from "vitest"
import { madeOf, readable } from "./name-words.js"

const isOfSession = madeOf({ before: "my own", words: "session token", after: "id value" })

it.each([
  ["session", true],
  ["token", true],
  ["mySession", true],
  ["MY_OWN-SESSION", true],
  ["my_own_my_session_id_value", true],
  ["_session", true],
  ["session_", true],
  ["sessionIdId", true],
  ["", false],
  ["my", false],
  ["id", false],
  ["sessionMy", false],
  ["sessionSession", false],
  ["mySessions", false],
  ["yourSession", false],
  ["session id", false],
])("%s is put together from known words: %s", (name, isOne) => {
  expect(isOfSession(name)).toBe(isOne)
})

it("a name may be of 64 letters, and no more is read of a longer one", () => {
  const [allowed, longer] = [`${"own".repeat(19)}session`, `_${"own".repeat(19)}session`]
  expect([allowed.length, isOfSession(allowed), isOfSession(longer)]).toEqual([64, true, false])
  expect([readable(allowed), readable(longer)]).toEqual([allowed, ""])
})

it("a name is read once, also where each part of it could be read in many ways", { tags: ["threat:AL-01"] }, () => {
  const isOne = madeOf({ before: "a aa aaa", words: "a b", after: "a aa aaa b" })
  expect([isOne("a".repeat(63)), isOne(`${"a".repeat(63)}!`)]).toEqual([true, false])
})
