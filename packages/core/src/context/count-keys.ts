/** The keys under which tries are counted. */
import { keyedHash } from "../crypto/token.js"
import { folded, inOlderCollations } from "../std/folded.js"
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
  const older = typed.map(inOlderCollations)
  const isOne = older.every((part, index) => part === typed[index])
  const readings = (isOne ? [typed] : [typed, older]).map((read) => read.map(folded))
  const numbers = readings[0]?.map(digitsIn) ?? []
  return numbers.every((part, index) => part === readings[0]?.[index]) ? readings : [...readings, numbers]
}

/** Applications look a phone number up by its digits, whatever is written between them. */
function digitsIn(name: string): string {
  const digits = name.replace(/[^0-9]/g, "")
  return digits.length < leastDigits ? name : digits.replace(/^0+(?=.)/, "")
}

const leastDigits = 6

/** Nothing that was typed and no address is kept: a keyed hash stands for them. */
export async function keyOf({ settings }: Pick<Context, "settings">, parts: readonly string[]): Promise<string> {
  const { bytes } = await settings.keyring.derive(0, "latchkey.limits")
  return keyedHash(bytes, JSON.stringify(parts))
}
