/** Budgets on disk: JSON that people read in a diff, one line for each thing that is measured. */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Numbers by name, below any number of headings. */
export interface Budgets {
  readonly [name: string]: Budgets | Readonly<Record<string, number>>
}

/** How budgets are changed on purpose. */
export const howToUpdate =
  "Where this is meant, write the budgets anew and commit them:\n" +
  "  LATCHKEY_BUDGETS=write npx vitest run packages/core/test/budgets"

/** Are budgets to be written instead of compared? Never in the check of a pull request. */
export const isWriting: boolean = process.env["LATCHKEY_BUDGETS"] === "write" && process.env["CI"] !== "true"

const pathOf = (name: string): string => fileURLToPath(new URL(`${name}.json`, import.meta.url))

/** Reads a file of budgets beside this one. */
export function readBudgets<T extends Budgets>(name: string): T {
  return JSON.parse(readFileSync(pathOf(name), "utf8")) as T
}

/** Writes one. */
export function writeBudgets(name: string, budgets: Budgets): void {
  writeFileSync(pathOf(name), `${print(budgets, "")}\n`)
}

function print(value: Budgets | Readonly<Record<string, number>>, indent: string): string {
  const entries = Object.entries(value)
  if (entries.length === 0) return "{}"
  const isLine = entries.every(([, member]) => typeof member === "number")
  const members = entries.map(
    ([name, member]) =>
      `${JSON.stringify(name)}: ${typeof member === "number" ? member : print(member, `${indent}  `)}`,
  )
  const line = `{ ${members.join(", ")} }`
  return isLine ? line : `{\n${members.map((member) => `${indent}  ${member}`).join(",\n")}\n${indent}}`
}

/** What differs between what was expected and what came, number by number. */
export function differences(
  expected: Readonly<Record<string, number>>,
  came: Readonly<Record<string, number>>,
): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(came)])
  return [...names]
    .filter((name) => (expected[name] ?? 0) !== (came[name] ?? 0))
    .map((name) => `${name}: expected ${expected[name] ?? 0}, came ${came[name] ?? 0}`)
}
