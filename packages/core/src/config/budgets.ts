/** The option `limits`: the sizes of the budgets, and whether there are any. */

import type { Records } from "../ports/records.js"
import { type TryMemory, withTryMemory } from "../ports/try-store.js"
import type { BudgetName, LimitBudget, LimitsOptions } from "../types/limits.js"
import { membersOf } from "./members.js"
import type { Report } from "./report.js"
import type { Limits } from "./settings.js"

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The sizes where nothing else is configured. */
const sizes: Readonly<Record<BudgetName, LimitBudget>> = {
  mail: {
    person: { free: 3, window: day, wait: minute, longest: hour, most: 20 },
    network: { free: 60, window: hour },
  },
  guess: {
    // NIST SP 800-63B-4 §3.2.2: no more than 100 failures in a row.
    person: { free: 10, window: 30 * day, wait: 2, longest: 15 * minute, most: 100 },
    network: { free: 200, window: 15 * minute },
  },
  code: {
    // A code ends soon, so its tries do as well: whoever guesses at somebody keeps them out for less than a day. Of four digits
    // one in 333 codes is found that way in a day.
    person: { free: 10, window: day, wait: 2, longest: hour, most: 30 },
    network: { free: 200, window: 15 * minute },
  },
  ceremony: { network: { free: 600, window: 10 * minute } },
}

/** What the option `limits` is resolved with. */
export interface LimitsGiven {
  readonly limits: unknown
  /** `NODE_ENV` is `test`: without the option, nothing is limited. */
  readonly isTest: boolean
  readonly records: Records
  readonly memory: TryMemory
}

/** Reads the option. `undefined`: nothing is limited, and nothing is kept or asked. */
export function limitsOf({ limits, isTest, records, memory }: LimitsGiven, report: Report): Limits | undefined {
  const given = limits ?? undefined
  if (given === false || (given === undefined && isTest)) return undefined
  if (given !== undefined && (typeof given !== "object" || Array.isArray(given))) {
    report.mistake("limits", {
      expected: "an object, or false",
      received: given,
      remedy: "Leave it out for the default.",
    })
  }
  const { budgets, address } = membersOf(given)
  if (address !== undefined && typeof address !== "function") {
    const remedy = "Leave it out for what the integration knows."
    report.mistake("limits.address", { expected: "a function", received: address, remedy })
  }
  return Object.freeze({
    budgets: budgetsOf(budgets, report),
    address: typeof address === "function" ? (address as NonNullable<LimitsOptions["address"]>) : undefined,
    triesAt: records.isPresent ? withTryMemory(records, memory) : () => memory,
  })
}

function budgetsOf(given: unknown, report: Report): Limits["budgets"] {
  const written = membersOf(given)
  for (const name of Object.keys(written).filter((name) => !(name in sizes))) {
    const expected = `one of ${Object.keys(sizes).join(", ")}`
    report.mistake("limits.budgets", { expected, received: name, remedy: "Correct the name." })
  }
  const entries = Object.entries(sizes).map(([name, budget]) => {
    const own = membersOf(written[name])
    const scopes = Object.entries(budget).map(([scope, numbers]) => {
      const at = `limits.budgets.${name}.${scope}`
      return [scope, numbersOf({ at, numbers: numbers as Numbers, given: own[scope] }, report)]
    })
    return [name, Object.fromEntries(scopes)]
  })
  return Object.freeze(Object.fromEntries(entries)) as Limits["budgets"]
}

type Numbers = Readonly<Record<string, number>>

function numbersOf({ at, numbers, given }: { at: string; numbers: Numbers; given: unknown }, report: Report): Numbers {
  const own = membersOf(given)
  const entries = Object.entries(numbers).map(([name, size]) => {
    const value: unknown = own[name] ?? size
    const isFit =
      typeof value === "number" && Number.isFinite(value) && value >= (name === "free" || name === "most" ? 1 : 0)
    if (!isFit) {
      const expected = "a number of tries or seconds"
      report.mistake(`${at}.${name}`, { expected, received: value, remedy: `The default is ${size}.` })
    }
    return [name, isFit ? value : size]
  })
  return Object.freeze(Object.fromEntries(entries)) as Numbers
}
