/** The keys under which tries are counted. */
import { keyedHash } from "../crypto/token.js"
import { folded, inCapitals, inOlderCollations } from "../std/folded.js"
import type { BudgetName } from "../types/limits.js"
import type { Context } from "./context.js"
import { mailboxOf } from "./email-address.js"

/** What is counted apart. */
export type CounterName = BudgetName | "exchange"

/**
 * The keys under which tries at somebody are counted, their own first. Mails go to one mailbox, whatever others look like it; where
 * a name is looked for, a database may take several for the same.
 */
export async function personKeys(
  context: Pick<Context, "settings">,
  name: CounterName,
  typed: readonly string[],
): Promise<readonly string[]> {
  const readings = name === "mail" ? [typed.map(mailboxOf)] : foldedReadings(typed)
  return [...new Set(await Promise.all(readings.map((read) => keyOf(context, [name, "person", ...read]))))]
}

/** Most names have one reading, which is folded and hashed once. */
function foldedReadings(typed: readonly string[]): readonly (readonly string[])[] {
  const others = [typed.map(inOlderCollations), typed.map(inCapitals)]
  const isOther = (read: readonly string[]): boolean => read.some((part, index) => part !== typed[index])
  return [typed, ...others.filter(isOther)].map((read) => read.map(folded))
}

/** Nothing that was typed and no address is kept: a keyed hash stands for them. */
export async function keyOf({ settings }: Pick<Context, "settings">, parts: readonly string[]): Promise<string> {
  const { bytes } = await settings.keyring.derive(0, "latchkey.limits")
  return keyedHash(bytes, JSON.stringify(parts))
}

/** The key of the tries at one person in all browsers that are known to them. */
export const keyOfBrowsers = (context: Pick<Context, "settings">, name: CounterName, person: string): Promise<string> =>
  keyOf(context, [name, "browsers", person])
