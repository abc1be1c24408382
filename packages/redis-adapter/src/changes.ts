/** Changes of rows about people: written as conditions and steps, made by one script. */
import type { Connection } from "./connection.js"
import { change, run } from "./scripts.js"

/** One condition or step. Conditions come first. */
export type Step =
  | readonly ["absent" | "present" | "del", key: string]
  | readonly ["equals" | "holds" | "set" | "add" | "remove", key: string, value: string]
  | readonly ["counts", key: string, count: number]

/** Makes all changes when all conditions hold. Answers the first condition that does not, or nothing. */
export async function apply(connection: Connection, steps: readonly Step[]): Promise<Step | undefined> {
  const keys = [...new Set(steps.map(([, key]) => key))]
  const numbers = new Map(keys.map((key, index) => [key, String(index + 1)]))
  const args = steps.flatMap(([step, key, value]) => [
    step,
    numbers.get(key) as string,
    ...(value === undefined ? [] : [String(value)]),
  ])
  const place = Number(await run(connection, change, { keys, args }))
  return place === 0 ? undefined : steps[place - 1]
}

/** How often a change is begun anew because another change came first. Each time, one of the competing changes is done. */
const mostAttempts = 200

/** Reads, decides, changes; again when what was read has changed meanwhile. `attempt` answers `undefined` then. */
export async function untilSettled<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new Error("Too many changes of one row at once. Try again.")
}
