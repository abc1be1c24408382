/**
 * What a database may find that was not asked for: those of MySQL and SQL Server take `José` for `jose` unless a column is made
 * to compare exactly.
 */
import type { AdapterAccount } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"

/** Control characters count for nothing in some comparisons. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)
const foldedAddress = (text: string): string => text.normalize("NFC").trim().toLowerCase()

/**
 * Databases may take `josé` for `jose` and `ß` for `ss`: then the user that is found has another mailbox. No comparison of
 * theirs makes two different addresses of plain ASCII equal, so an adapter that finds one by another does so on purpose.
 */
export function mayBeAddressOf(user: AdapterUser, asked: string): boolean {
  const email = String(user.email)
  return foldedAddress(email) === foldedAddress(asked) || (isPlain(email) && isPlain(asked))
}

/** Is this a number or a UUID, as providers give them out? */
export const isGivenOut = (id: string): boolean => /^(?:\d+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(id)

/**
 * Has the id of an account letters that somebody may have chosen? Numbers and UUIDs are given out by the provider, and are not
 * looked at: most providers name people by them, and each sign-in would ask the adapter once more. So that none of them finds
 * the account of another, none is made whose id only looks like one of these (`seemsGivenOut` of admission).
 */
export const mayFold = (id: unknown): boolean => !isGivenOut(String(id))

/**
 * Is the account that was found the one that was asked for? Columns of a fixed width pad with spaces. An adapter that finds an
 * account by an id that differs in more than its capitals does so on purpose.
 */
export function mayBeIdOf(account: Partial<AdapterAccount> | null, asked: unknown): boolean {
  const { providerAccountId } = account ?? {}
  if (providerAccountId === undefined || providerAccountId === null) return true
  const [found, id] = [String(providerAccountId), String(asked)]
  if (found === id || found.trimEnd() === id) return true
  return isPlain(found) && isPlain(id) && found.trimEnd().toLowerCase() !== id.trimEnd().toLowerCase()
}

/** Has the account that was found by a number that number? MySQL compares texts with a number as numbers: 789 finds `789:x`. */
export function mayHaveNumber(account: Partial<AdapterAccount> | null, asked: unknown): boolean {
  const { providerAccountId: found } = account ?? {}
  return found === undefined || found === null || String(found) === String(asked)
}
