/** What an adapter says of its tables, as lines. */
import { messageOf } from "../thrown.js"

/** What `check()` of an adapter answers. */
export interface TableCheck {
  readonly pending: readonly string[]
  readonly problems: readonly string[]
  readonly notes: readonly string[]
  /** What a server is set to that would lose rows. */
  readonly settings?: readonly string[]
  /** The adapter takes pending steps itself, before its first use. */
  readonly isAutomatic?: true
}

/** The step without its number, which would be read as a number of tables and keys. */
export const nameOfStep = (step: string): string => step.replace(/^\d+ /, "")

/** One line for each point. */
export function linesOf({ pending, problems, notes }: TableCheck): string[] {
  return [
    ...pending.map((step) => `Pending: ${nameOfStep(step)}`),
    ...problems.map((problem) => `Problem: ${problem}`),
    ...notes.map((note) => `Note: ${note}`),
  ]
}

/** What is left to be found: tables that the adapter is going to make itself are no fault. */
function afterMigration(check: TableCheck): TableCheck {
  if (check.isAutomatic !== true || check.pending.length === 0) return check
  const steps = check.pending.map(nameOfStep).join(", ")
  return {
    ...check,
    pending: [],
    problems: check.problems.filter((problem) => !/^there is no table /i.test(problem)),
    notes: [...check.notes, `The adapter brings the tables up to date at its first use, in these steps: ${steps}.`],
  }
}

/** What was answered, as one: an adapter for Redis answers a list of texts, several stores as one a list of their answers. */
function joined(answer: unknown): TableCheck {
  const answers = [answer].flat(Number.POSITIVE_INFINITY)
  const checks = answers.filter((one): one is TableCheck => typeof one === "object" && one !== null)
  const every = (name: "pending" | "problems" | "notes" | "settings") => checks.flatMap((check) => check[name] ?? [])
  return {
    pending: every("pending"),
    problems: every("problems"),
    notes: every("notes"),
    settings: [...answers.filter((one) => typeof one === "string"), ...every("settings")],
    ...(checks.some(({ isAutomatic }) => isAutomatic) && { isAutomatic: true }),
  }
}

/** Asks the adapter, if it can be asked. A database that cannot be reached is a problem like any other. */
export async function tablesOf(adapter: unknown): Promise<TableCheck | undefined> {
  if (typeof adapter !== "object" || adapter === null || !("check" in adapter)) return undefined
  const { check } = adapter
  if (typeof check !== "function") return undefined
  try {
    return joined(await check.call(adapter))
  } catch (error) {
    return { pending: [], problems: [messageOf(error)], notes: [] }
  }
}

/** What the stores of a configuration say, as it is going to be once they have done what they do by themselves. */
export async function checkOf(...stores: readonly unknown[]): Promise<TableCheck | undefined> {
  const found = await Promise.all([...new Set(stores)].map(tablesOf))
  const checks = found.filter((check) => check !== undefined).map(afterMigration)
  return checks.length === 0 ? undefined : joined(checks)
}
