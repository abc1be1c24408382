import { describe, expect, it } from "vitest"
import { quickest } from "../../test/support/quickest.js"
import { cookieNameIn, cookiesAfter } from "./set-cookie-fields.js"

const now = new Date("2026-01-01T00:00:00Z")
const after = (sent: string | null | undefined, ...fields: string[]): string => cookiesAfter(sent, fields, now)
const blanks = ["\u00a0", "\u2000", "\u3000", "\ufeff", "\u000b", "\u000c"]

describe("the cookies of a request after Set-Cookie fields", () => {
  it("stay as they were sent where no field names them", () => {
    const sent = '__proto__=1; quoted="a"; percent=%zz; =nameless; twice=1; twice=2; alone'
    expect(after(sent)).toBe(sent)
    expect(after(sent, "own=1; Path=/")).toBe(`${sent}; own=1`)
    expect([after(undefined), after(null), after("")]).toEqual(["", "", ""])
    expect(after(null, "own=1")).toBe("own=1")
  })

  it("lose the spaces and tabs around them", () => {
    expect(after(" a=1 ;\tb=2; ;", " own=1\t; Path=/")).toBe("a=1; b=2; own=1")
  })

  it.each([" ", "\t", " a", ";", "=", "; "])(
    "are read in linear time with many %j",
    {
      tags: ["threat:CK-11", "threat:AL-01"],
    },
    async (repeated) => {
      const sent = `a=1; b${repeated.repeat(64_000 / repeated.length)}b=2`
      const time = await quickest(() => expect(after(sent, "c=3; Path=/")).toMatch(/c=3$/))
      expect(time).toBeLessThan(1000)
    },
  )

  it.each(blanks)("keep %j, which is part of a name", { tags: ["threat:CK-03"] }, (blank) => {
    const tossed = `${blank}session=evil`
    expect(after(`${tossed}; session=old`, "session=new; Path=/")).toBe(`${tossed}; session=new`)
    expect(after(`${tossed}; session=old`, `${tossed}; Path=/`)).toBe(`session=old; ${tossed}`)
  })

  it("are replaced wherever the name was sent, and the last field of a name counts", () => {
    expect(after("a=1; b=2; a=3", "a=new; Path=/", "a=newer; Path=/auth")).toBe("b=2; a=newer")
    expect(after("session=old; a=1", "session=; Max-Age=0", "session=new; Domain=.app.test")).toBe("a=1; session=new")
  })

  it.each([
    ["by its age", "b=x; Max-Age=0"],
    ["by an age below zero", "b=x; max-age=-1"],
    ["by its age, without a blank", "b=x;Max-Age=0"],
    ["by its age, behind several blanks", "b=x; \t Max-Age=0"],
    ["by its date", "b=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    ["by its date, without a blank", "b=x;Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    ["by the date of this moment", "b=x; Expires=Thu, 01 Jan 2026 00:00:00 GMT"],
    ["by its age, whatever the date says", "b=x; Expires=Fri, 01 Jan 2027 00:00:00 GMT; Max-Age=0"],
  ])("are left out where one is cleared %s", (_, field) => {
    expect(after("a=1; b=2; c=3", field)).toBe("a=1; c=3")
  })

  it.each([
    ["a date that has not come", "b=x; Expires=Fri, 01 Jan 2027 00:00:00 GMT"],
    ["a date that is none", "b=x; Expires=soon"],
    ["an age with a zero in front", "b=x; Max-Age=060"],
    ["an age, whatever the date says", "b=x; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    ["a value that looks like an attribute", "b=x%3B Max-Age=0"],
  ])("hold one with %s", (_, field) => {
    expect(after("b=2", field)).toBe(field.split(";")[0])
  })
})

it("tells the name in a field or a pair", () => {
  const names = [" a = 1; Path=/", "a", "a; Secure", "", "=1", "\u00a0a=1"].map(cookieNameIn)
  expect(names).toEqual(["a", "a", "a", "", "", "\u00a0a"])
})
