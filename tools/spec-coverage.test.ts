/** The check of the specification's coverage: what counts as a test, and what is reported as missing. */
import { describe, expect, it } from "vitest"
import { byRule, misplaced, problemsOf, readMutants, testsOfReport } from "./spec-coverage.mjs"

const result = (status: string, title: string, ...ancestorTitles: string[]) => ({ status, title, ancestorTitles })
const reportOf = (...assertionResults: ReturnType<typeof result>[]) => ({
  testResults: [{ name: "a.test.ts", assertionResults }],
})
const rulesShown = (...results: ReturnType<typeof result>[]) => [...byRule(testsOfReport(reportOf(...results))).keys()]

describe("a rule of the specification is shown", () => {
  it("by a test that passed, tagged itself or through its suite", () => {
    expect(rulesShown(result("passed", "does it [spec a]"), result("passed", "does it", "suite [spec b]"))).toEqual([
      "a",
      "b",
    ])
  })

  it("not by a test that was skipped, left for later, or failed", () => {
    const statuses = ["skipped", "pending", "todo", "disabled", "failed"]
    expect(rulesShown(...statuses.map((status) => result(status, "does it [spec a]")))).toEqual([])
  })

  it("once by a test that names it twice", () => {
    const tests = testsOfReport(reportOf(result("passed", "does it [spec a]", "suite [spec a]")))
    expect(byRule(tests).get("a")).toHaveLength(1)
  })
})

describe("the coverage complains", () => {
  const mutant = {
    rule: "a",
    file: "tools/spec-coverage.mjs",
    find: "what is wrong with a mutant's place",
    replace: "",
    test: "a.test.ts",
  }
  const placed = { ...mutant, find: "/** What is wrong with a mutant's place" }
  const tests = byRule([{ file: "a.test.ts", name: "does it [spec a]" }])
  const rules = [{ id: "a", rule: "It does it." }]

  it("of nothing when each rule says something and has a test and a mutant", () => {
    expect(problemsOf({ rules, tests, mutants: [placed] })).toEqual([])
  })

  it("of a rule without a test, a mutant or a description", () => {
    expect(problemsOf({ rules: [{ id: "b", rule: " " }], tests: new Map(), mutants: [] })).toEqual([
      'rule "b" says nothing',
      'rule "b" has no test',
      'rule "b" has no mutant',
    ])
  })

  it("of tests and mutants that name no rule, and of mutants that fit nowhere", () => {
    const problems = problemsOf({ rules: [], tests, mutants: [mutant] })
    expect(problems).toHaveLength(3)
    expect(problems.join("\n")).toMatch(/a test names an unknown rule "a"[\s\S]*a mutant names[\s\S]*stands 0 times/)
  })

  it("of a mutant that names a file without a test of its rule", () => {
    expect(problemsOf({ rules, tests, mutants: [{ ...placed, test: "b.test.ts" }] })).toEqual([
      'mutant of "a": no test of that rule stands in b.test.ts',
    ])
  })
})

it("finds the text of every mutant once in its source", () => {
  expect(readMutants().flatMap(misplaced)).toEqual([])
})
