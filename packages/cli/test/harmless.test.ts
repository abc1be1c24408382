/** What is printed never commands the terminal: others write mails, answers of providers and files of a project. */
import { describe, expect, it } from "vitest"
import { unreachable } from "../src/database.js"
import { isIgnored } from "../src/init/secrets.js"
import { painter } from "../src/style.js"
import { harmless } from "../src/system-world.js"

describe("what is printed", () => {
  it("keeps the colours of this program, line ends and tabs", () => {
    const paint = painter(true)
    for (const tone of ["good", "bad", "caution", "quiet", "strong"] as const)
      expect(harmless(paint(tone, "a\tb\r\nc\n"))).toBe(paint(tone, "a\tb\r\nc\n"))
  })

  it.each([
    ["a title of the window", "\u001b]0;evil\u0007", "\\u001b]0;evil\\u0007"],
    ["a link", "\u001b]8;;https://evil.test\u001b\\text", "\\u001b]8;;https://evil.test\\u001b\\text"],
    ["a cleared screen", "\u001b[2J\u001b[H", "\\u001b[2J\\u001b[H"],
    ["hidden text", "\u001b[8m", "\\u001b[8m"],
    ["a line that is written over", "safe\revil", "safe\\u000devil"],
    ["a sequence of one byte", "\u009b2J", "\\u009b2J"],
    ["letters that are taken back", "a\b\u007f", "a\\u0008\\u007f"],
  ])("writes out %s", (_, text, shown) => {
    expect(harmless(text)).toBe(shown)
  })

  it("stays the same JSON", () => {
    const value = { subject: "a\u001b[2J\u009b\u007f\r" }
    expect(JSON.parse(harmless(JSON.stringify(value)))).toEqual(value)
  })
})

it.each([
  ["postgresql://ada:pass#word@db.test/app", "postgresql://db.test/app"],
  ["postgresql://ada:pa?ss/wo:rd@db.test:5432/app?password=hidden", "postgresql://db.test:5432/app"],
  ["mysql://ada:p@ss@word@db.test:port/app", "mysql://db.test:port/app"],
  ["postgresql://ada:word@db.test/app?password=hidden", "postgresql://db.test/app"],
  ["app.db", "app.db"],
])("a database that cannot be reached is named without its password: %s", (target, place) => {
  const error = unreachable(target, Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" })) as Error
  expect(error.message).toBe(`Cannot reach the database at ${place}: the host is not known.`)
})

it("a pattern of stars in .gitignore takes no time", () => {
  const begun = process.cpuUsage()
  expect(isIgnored(`${"*".repeat(12)}x`, ".env.production.local")).toBe(false)
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1000)
})
