/** Runs cases against an adapter and reports the outcome of each. Needs no test runner. */
import type { Adapter } from "@latchkey/core/adapters"
import type { Awaitable } from "@latchkey/core/types"
import type { ContractCase, ContractGroup, Kit } from "./case.js"
import { crashPromise } from "./crash.js"

/** Why a case that fails is accepted for the time being. */
export interface Excuse {
  /** Name of the case. */
  readonly case: string
  /** Why the case fails, in a sentence. */
  readonly reason: string
  /** Evidence: a line of source, a page, an issue. */
  readonly evidence?: string
}

/** The outcome of one case. */
export interface ContractOutcome {
  /** Name of the case. */
  readonly name: string
  /** The part of the contract it belongs to. */
  readonly group: ContractGroup
  /**
   * `not offered`: the adapter lacks an operation that the case needs.
   * `excused`: it failed as an excuse said it would. `stale excuse`: it passed although an excuse says it fails.
   */
  readonly status: "passed" | "failed" | "not offered" | "excused" | "stale excuse"
  /** The operations that the adapter lacks, where the case is not offered. */
  readonly missing?: readonly (keyof Adapter)[]
  /** What the case failed with. */
  readonly error?: unknown
  /** The excuse for the case, where there is one. */
  readonly excuse?: Excuse
}

/** The outcome of all cases. */
export interface ContractReport {
  /** One for each case, in the order in which they were run. */
  readonly outcomes: readonly ContractOutcome[]
  /** No case failed, no excuse is stale or names a case that does not exist. */
  readonly isKept: boolean
  /** Excuses that name no case. */
  readonly unknownExcuses: readonly Excuse[]
  /** What people may expect when the process ends in the middle of a sign-in; absent when no case asked about it. */
  readonly crash?: string
}

/** How to run. */
export interface ContractOptions {
  /** The cases to run. @default all cases */
  readonly cases?: readonly ContractCase[]
  /** Cases that are known to fail. An excuse for a case that passes fails the run. */
  readonly excuses?: readonly Excuse[]
  /** Called with the adapter after each case, to end what the factory began. */
  readonly dispose?: (adapter: Adapter) => Awaitable<unknown>
  /** Milliseconds one case may take. @default 20000 */
  readonly timeout?: number
}

/** Does the case test anything new of this adapter? */
export function appliesTo({ unless = [] }: ContractCase, adapter: Adapter): boolean {
  return !unless.some((operation) => typeof adapter[operation] === "function")
}

/** The operations a case needs and the adapter lacks. */
export function missingOperations(contractCase: ContractCase, adapter: Adapter): readonly (keyof Adapter)[] {
  return contractCase.needs.filter((operation) => typeof adapter[operation] !== "function")
}

function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Runs one case; rejects with the reason when it fails. */
export async function runCase(contractCase: ContractCase, adapter: Adapter, timeout = 20_000): Promise<void> {
  const missing = missingOperations(contractCase, adapter)
  if (missing.length > 0) throw new Error(`The adapter lacks ${missing.join(", ")}.`)
  const run = globalThis.crypto.randomUUID().slice(0, 8)
  let count = 0
  const kit: Kit = {
    adapter: adapter as Required<Adapter>,
    fresh(label) {
      count += 1
      return `${label}-${run}-${count}`
    },
  }
  await within(contractCase.run(kit), timeout)
}

async function outcomeOf(
  contractCase: ContractCase,
  adapter: Adapter,
  { excuses = [], timeout }: ContractOptions,
): Promise<ContractOutcome> {
  const { name, group } = contractCase
  const missing = missingOperations(contractCase, adapter)
  if (missing.length > 0) return { name, group, status: "not offered", missing }
  const excuse = excuses.find((candidate) => candidate.case === name)
  try {
    await runCase(contractCase, adapter, timeout)
    return excuse ? { name, group, status: "stale excuse", excuse } : { name, group, status: "passed" }
  } catch (error) {
    return excuse ? { name, group, status: "excused", error, excuse } : { name, group, status: "failed", error }
  }
}

/** Runs cases, each on an adapter that `factory` makes, and reports. Never throws for a failing case. */
export async function runCases(
  cases: readonly ContractCase[],
  factory: () => Awaitable<Adapter>,
  options: ContractOptions,
): Promise<ContractReport> {
  const { excuses = [], dispose } = options
  const outcomes: ContractOutcome[] = []
  let crash: string | undefined
  for (const contractCase of cases) {
    const adapter = await factory()
    try {
      if (!appliesTo(contractCase, adapter)) continue
      if (contractCase.group === "crash") crash ??= crashPromise(adapter)
      outcomes.push(await outcomeOf(contractCase, adapter, options))
    } finally {
      await dispose?.(adapter)
    }
  }
  const unknownExcuses = excuses.filter((excuse) => !cases.some(({ name }) => name === excuse.case))
  const isBroken = outcomes.some(({ status }) => status === "failed" || status === "stale excuse")
  return {
    outcomes,
    unknownExcuses,
    isKept: !isBroken && unknownExcuses.length === 0,
    ...(crash !== undefined && { crash }),
  }
}
