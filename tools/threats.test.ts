/** The catalogue of threats: what counts as the name of a row, and what is complained of. */
import { describe, expect, it } from "vitest"
import { namedIn, problemsOf, readThreats } from "./threats.mjs"

const catalogue = `# Threats

| id | threat or duty | source |
| --- | --- | --- |
| RC-11 | a refresh beside a sign-out | own catalogue |
| A-001 | \`a \\| b\` in an address | GHSA-0 (some software) |
`
const threats = readThreats(catalogue)
const testsOf = (text: string) => [{ file: "a.test.ts", ...namedIn(text) }]

it("reads id, threat and source of each row", () => {
  expect(threats).toEqual([
    { id: "RC-11", threat: "a refresh beside a sign-out", source: "own catalogue" },
    { id: "A-001", threat: "`a \\| b` in an address", source: "GHSA-0 (some software)" },
  ])
})

describe("a row is named", () => {
  it("by a tag, by brackets in a title, and by a table of cases", () => {
    const text = `it("one", { tags: ["threat:RC-11"] }, run)\nit("two [A-001]", run)\nit.each([["PA-01"]])("%s", run)`
    const { certain, possible } = namedIn(text)
    expect([...certain].toSorted()).toEqual(["A-001", "RC-11"])
    expect([...possible].toSorted()).toEqual(["A-001", "PA-01", "RC-11"])
  })

  it("not by what only holds such letters", () => {
    expect([...namedIn('"ISO-8859-1", "X-RC-11", "RC-111"').possible]).not.toContain("RC-11")
  })
})

describe("a problem is", () => {
  it("nothing where every row has a test and every name a row", () => {
    expect(problemsOf(threats, testsOf('it("one [RC-11] [A-001]", run)'))).toEqual([])
  })

  it("a name that is no row", () => {
    expect(problemsOf(threats, testsOf('it("one [RC-11] [A-001] [A-86]", run)'))).toEqual([
      "a.test.ts names A-86, which is no row",
    ])
  })

  it("a row without a test, and a row that stands there twice", () => {
    expect(problemsOf(readThreats(`${catalogue}| RC-11 | again | x |\n`), testsOf('it("one [RC-11]", run)'))).toEqual([
      "row RC-11 stands there twice",
      "row A-001 has no test",
    ])
  })
})
