/** The published results of the tests of threats: what counts as a result, and what is complained of. */
import { expect, it } from "vitest"
import {
  problemsOfResults,
  readResults,
  renderResults,
  resultOf,
  resultsOf,
  type TestReport,
  updateResults,
} from "./threats-results.mjs"

const testOf = (status: string, fullName: string, tags: readonly string[] = []) => ({ status, fullName, tags })
const reportOf = (...assertionResults: TestReport["testResults"][number]["assertionResults"]): TestReport => ({
  testResults: [{ name: "a.test.ts", assertionResults }],
})
const nowhere = { naming: [], elsewhere: [] }

it("counts the tests that bear a row as a tag or in their title, and none that was skipped", () => {
  const report = reportOf(
    testOf("passed", "one", ["threat:RC-11", "slow"]),
    testOf("passed", "two [RC-11] [A-001]"),
    testOf("pending", "three [RC-11]"),
  )
  expect(resultOf("RC-11", resultsOf(report), nowhere)).toEqual({
    id: "RC-11",
    tests: ["`a.test.ts` (2)"],
    result: "passed",
  })
})

it("takes the whole file where no title bears a row that the file names", () => {
  const results = resultsOf(reportOf(testOf("passed", "a case whose title was cut")))
  const row = resultOf("CT-03", results, { naming: ["a.test.ts"], elsewhere: [] })
  expect(row).toEqual({ id: "CT-03", tests: ["`a.test.ts` (all)"], result: "passed" })
})

it.each([
  ["FAILED", [testOf("passed", "one [RC-11]"), testOf("failed", "two [RC-11]")], nowhere],
  ["no test ran", [testOf("pending", "one [RC-11]"), testOf("passed", "two [RC-111]")], nowhere],
  ["own step", [], { naming: [], elsewhere: ["servers/b.test.ts"] }],
])("says %j where that is so", (result, tests, files) => {
  expect(resultOf("RC-11", resultsOf(reportOf(...tests)), files)).toMatchObject({ result })
})

it("reads the rows that it has written", () => {
  const rows = [
    { id: "A-001", tests: ["`a.test.ts` (1)", "`b.test.ts`"], result: "passed" },
    { id: "RC-11", tests: [], result: "FAILED" },
  ]
  const page = renderResults(rows, { tests: 1, version: "1.0.0", node: "20" })
  expect(readResults(page)).toEqual([
    { id: "A-001", result: "passed" },
    { id: "RC-11", result: "FAILED" },
  ])
})

it("replaces the rows that a run of some files ran completely, and adds new ones", () => {
  const row = (name: string, result: string) => ({ id: name, tests: ["`a.test.ts` (1)"], result })
  const facts = { tests: 7, version: "1.0.0", node: "20" }
  const before = renderResults([row("A-001", "passed"), row("A-002", "FAILED"), row("A-004", "passed")], facts)
  const after = updateResults(before, [
    { ...row("A-001", "no test ran"), isComplete: false },
    { ...row("A-002", "passed"), isComplete: true },
    { ...row("A-003", "passed"), isComplete: true },
  ])
  const now = [row("A-001", "passed"), row("A-002", "passed"), row("A-003", "passed")]
  expect(after).toBe(renderResults(now, facts))
})

it("complains of rows without a result, of other results than success, and of results of no row", () => {
  const threats = [{ id: "A-001" }, { id: "A-002" }, { id: "A-003" }]
  const results = [
    { id: "A-001", result: "passed" },
    { id: "A-001", result: "passed" },
    { id: "A-002", result: "FAILED" },
    { id: "A-004", result: "own step" },
  ]
  expect(problemsOfResults(threats, results).map((problem) => problem.split(":")[0])).toEqual([
    "row A-002 has the result FAILED",
    "row A-003 has no result",
    "there is a result of A-004, which is no row",
    "row A-001 has two results",
  ])
  expect(problemsOfResults(threats.slice(0, 1), results.slice(0, 1))).toEqual([])
})
