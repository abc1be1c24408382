/** Assertions of the cases. Each throws an error that says what was expected and what was received. */

/** Fails a case. */
export function fail(message: string): never {
  throw new Error(message)
}

function show(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid date" : value.toISOString()
  if (typeof value === "string" && value.length > 120)
    return `${JSON.stringify(value.slice(0, 100))}... (${value.length})`
  return typeof value === "object"
    ? (JSON.stringify(value) ?? "")
    : typeof value === "string"
      ? JSON.stringify(value)
      : String(value)
}

/** Milliseconds of a date; adapters may hand out ISO text, as the service reads both. */
export function timeOf(value: unknown, what: string): number {
  const time = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? fail(`${what} is no date: ${show(value)}`) : time
}

function isSame(actual: unknown, expected: unknown, what: string): boolean {
  if (expected instanceof Date) return timeOf(actual, what) === expected.getTime()
  if (expected === null || expected === undefined) return actual === null || actual === undefined
  return actual === expected
}

/** The value is what was expected: dates by their time, `null` and `undefined` alike. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!isSame(actual, expected, what)) fail(`${what}: expected ${show(expected)}, got ${show(actual)}`)
}

/** The JSON values are the same. */
export function sameJson(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    fail(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
  }
}

/** The ids are the same, whether number or text. */
export function sameId(actual: unknown, expected: unknown, what: string): void {
  if (String(actual) !== String(expected)) fail(`${what}: expected the id ${show(expected)}, got ${show(actual)}`)
}

/** The row has these members; it may have more. */
export function holds(row: object, members: object, what: string): void {
  const actual = new Map(Object.entries(row))
  for (const [name, expected] of Object.entries(members)) {
    if (name === "id" || name === "userId") sameId(actual.get(name), expected, `${what}.${name}`)
    else same(actual.get(name), expected, `${what}.${name}`)
  }
}

/** There is nothing: `null` or `undefined`. */
export function absent(value: unknown, what: string): void {
  if (value !== null && value !== undefined) fail(`${what}: expected nothing, got ${show(value)}`)
}

/** The value is there; returns it. */
export function present<T>(value: T, what: string): NonNullable<T> {
  return value === null || value === undefined ? fail(`${what}: expected a row, got ${show(value)}`) : value
}

/** The work is refused: it throws or rejects. */
export async function refuses(work: () => unknown, what: string): Promise<void> {
  const [outcome] = await settle([work])
  if (outcome?.status === "fulfilled") fail(`${what}: expected an error, got ${show(outcome.value)}`)
}

/** Starts all at once and waits for all; a throw counts as a rejection. */
export function settle<T>(works: readonly (() => T)[]): Promise<PromiseSettledResult<Awaited<T>>[]> {
  return Promise.allSettled(works.map(async (work) => await work()))
}

/** Starts all at once; none may fail. Returns their results. */
export async function succeed<T>(works: readonly (() => T)[], what: string): Promise<Awaited<T>[]> {
  return (await settle(works)).map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value : fail(`${what}: ${String(outcome.reason)}`),
  )
}

/** How many were fulfilled. */
export function fulfilled(outcomes: readonly PromiseSettledResult<unknown>[]): number {
  return outcomes.filter((outcome) => outcome.status === "fulfilled").length
}
