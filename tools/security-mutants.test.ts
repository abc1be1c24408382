/** The changes of sources that tests of security have to notice: each fits in one place. */
import { existsSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { readSecurityMutants } from "./security-mutants.mjs"

it.each(readSecurityMutants())("$file has the text of its mutant once, and the tests are there", (mutant) => {
  expect(readFileSync(mutant.file, "utf8").split(mutant.find)).toHaveLength(2)
  expect(mutant.replace).not.toBe(mutant.find)
  expect(mutant.tests.length).toBeGreaterThan(0)
  expect(mutant.tests.filter((file) => !existsSync(file))).toEqual([])
})
