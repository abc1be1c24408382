/** One environment variable, read with care: platforms put other things than text into their records. */

/** Environment variables as a record. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A variable without blanks around it; an empty one counts as absent. */
export function variable(env: Environment, name: string): string | undefined {
  // What was added to `Object.prototype` is no variable. (Proxies may not list what they own.)
  const value: unknown = name in Object.prototype && !Object.hasOwn(env, name) ? undefined : env[name]
  const text = typeof value === "string" ? value.trim() : ""
  return text === "" ? undefined : text
}
