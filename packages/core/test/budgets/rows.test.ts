/** Each row of the route table costs what its budget says: no more calls, cookies and ciphers, and no fewer unnoticed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { table } from "../../src/actions/table.js"
import { differences, howToUpdate, isWriting, readBudgets, writeBudgets } from "./budget-file.js"
import { type Counted, type Counts, counted, startCounting } from "./meter.js"
import { rowOf, type Scenario, types } from "./scenario.js"
import { scenarios } from "./scenarios.js"
import { type Last, openStage, type Store } from "./stage.js"

type RowBudgets = Record<string, Record<string, Record<string, Counts>>>

/** Objects and promises depend on how the code is put; they have budgets where requests are many. */
const inRows: readonly Counted[] = counted.slice(0, counted.indexOf("requests"))

const budgets = isWriting ? {} : readBudgets<RowBudgets>("rows")
const written: RowBudgets = {}

let stopCounting: () => void
beforeAll(() => {
  stopCounting = startCounting()
})
afterAll(() => {
  stopCounting()
  if (isWriting) writeBudgets("rows", written)
})
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())

async function play(scenario: Scenario, store: Store): Promise<Last> {
  const { stage, last } = await openStage(store)
  await scenario.prepare?.(stage)
  await scenario.go(stage)
  const { method, path, status, isRefused } = last()
  const parts = ["", "auth", scenario.action, ...(scenario.provider ? [scenario.provider] : [])]
  // Counts of another answer than the one that is meant would say nothing.
  expect({ method, path, status, isRefused }).toEqual({
    method: scenario.method,
    path: parts.join("/"),
    status: scenario.status,
    isRefused: scenario.isRefused ?? false,
  })
  return last()
}

function ofRow(counts: Counts): Counts {
  return Object.fromEntries(inRows.flatMap((what) => (counts[what] ? [[what, counts[what]]] : [])))
}

describe.each(scenarios.map((scenario) => ({ row: rowOf(scenario), scenario })))(
  "$row: $scenario.situation",
  ({ row, scenario }) => {
    it.each(scenario.stores)("%s", async (store) => {
      // Keys are derived once for a process: the first time is not what a request costs.
      await play(scenario, store)
      const { counts, story } = await play(scenario, store)
      const came = ofRow(counts)
      if (isWriting) {
        written[row] ??= {}
        written[row][scenario.situation] ??= {}
        Object.assign(written[row][scenario.situation] ?? {}, { [store]: came })
        return
      }
      const expected = budgets[row]?.[scenario.situation]?.[store]
      const found = expected ? differences(expected, came) : ["there is no budget yet"]
      const reported = `${row}, ${scenario.situation}, ${store}:\n  ${found.join("\n  ")}\nIt asked for: ${story.join(", ") || "nothing"}.`
      expect(found, `${reported}\n${howToUpdate}`).toEqual([])
    })
  },
)

describe("the budgets", () => {
  it("cover every row of the route table, for each kind of provider it serves", () => {
    const covered = new Set(
      scenarios.map(({ method, action, provider }) => `${method} ${action} ${provider ? types[provider] : "none"}`),
    )
    // The sign-in page is the same whichever provider its path names.
    const isSamePage = (method: string, action: string, kind: string): boolean =>
      method === "GET" && action === "signin" && kind !== "none"
    const wanted = table.flatMap(({ method, action, kinds }) =>
      kinds.filter((kind) => !isSamePage(method, action, kind)).map((kind) => `${method} ${action} ${kind}`),
    )
    expect(wanted.filter((name) => !covered.has(name))).toEqual([])
  })

  // Where budgets are being written there are none to compare with; under CI they never are.
  it.skipIf(isWriting)("are all compared: none is left over", () => {
    const compared = scenarios.flatMap((one) =>
      one.stores.map((store) => [rowOf(one), one.situation, store].join(": ")),
    )
    const kept = Object.entries(budgets).flatMap(([row, situations]) =>
      Object.entries(situations).flatMap(([situation, stores]) =>
        Object.keys(stores).map((store) => [row, situation, store].join(": ")),
      ),
    )
    expect(kept.toSorted(), howToUpdate).toEqual(compared.toSorted())
  })
})
