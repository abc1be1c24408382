/** The rows that no test names: what each may say of where it stands, and what is complained of. */
import { expect, it } from "vitest"
import { problemsElsewhere, rowsElsewhere } from "./threats-elsewhere.mjs"

const threats = [{ id: "RC-11" }, { id: "V3-02" }]
const run = "| oidcc-client-test | PASSED | signed in |\n| oidcc-client-slow | WAITING | nothing |\n"
const problemsOf = (where: string, id = "A-017"): string[] => problemsElsewhere(threats, [{ id, where }], run)

it("reads the id and the last column of each row, whatever columns are between", () => {
  const page =
    "| id | where |\n| --- | --- |\n| A-017 | a \\| b | source | rows RC-11 |\n| V3-02 | x | 3.2.2 | 1 | test |\n"
  expect(rowsElsewhere([page])).toEqual([
    { id: "A-017", where: "rows RC-11" },
    { id: "V3-02", where: "test" },
  ])
})

it.each([
  ["rows RC-11, V3-02"],
  ["conformance suite: oidcc-client-test"],
  ["not offered: a password grant"],
  ["the application: serves over https"],
  ["the platform: frames requests"],
])("lets a row say %j", (where) => {
  expect(problemsOf(where)).toEqual([])
})

it.each([
  ["", "does not say where it stands"],
  ["not offered: ", "does not say where it stands"],
  ["later", "does not say where it stands"],
  ["rows RC-11, RC-12", "refers to RC-12"],
  ["conformance suite: oidcc-client-slow", "passed in no run"],
  ["conformance suite: oidcc-client-other", "passed in no run"],
  ["test", "is no row of threats.md"],
])("complains of a row that says %j", (where, problem) => {
  expect(problemsOf(where).join()).toContain(problem)
})

it("complains of a row that stands in both lists, or twice in one", () => {
  expect(problemsOf("rows RC-11", "V3-02").join()).toContain("stands in threats.md as well")
  expect(problemsOf("test", "V3-02")).toEqual([])
  const twice = [1, 2].map(() => ({ id: "A-017", where: "rows RC-11" }))
  expect(problemsElsewhere(threats, twice, run)).toEqual(["row A-017 stands there twice"])
})
