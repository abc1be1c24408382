/** What was typed becomes exactly one e-mail address, or is refused whole: nothing is guessed, cut or repaired. */
import { EmailAddressRefused, isAuthError } from "../errors.js"
import { asError } from "../ports/thrown.js"
import { isUrl } from "../std/url.js"
import type { EmailConfig } from "../types/provider.js"

// RFC 5321 §4.5.3.1: 64 for the local part, 254 for what fits into a path.
const longestLocal = 64
const longestAddress = 254
// Enough for an address between a few spaces; longer text is not looked at.
const longestInput = 512

// Fewer characters than RFC 5321 §4.1.2 allows: without those that mail software reads as routing, quoting or encoding.
const atom = "[a-z0-9_+'&~-]+"
const localPart = new RegExp(`^(?!-)${atom}(?:\\.${atom})*$`)
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Normalises an address: surrounding spaces are removed, letters become lower case.
 * @throws EmailAddressRefused for anything else than exactly one address of the usual form.
 */
export function normalizeAddress(typed: string): string {
  if (typed.length > longestInput) throw refused("is too long")
  const trimmed = typed.replace(/^ +/, "").replace(/ +$/, "")
  if (foldsIntoOthers(trimmed)) throw refused("holds characters that only look like others")
  const address = trimmed.toLowerCase()
  if (address.length > longestAddress) throw refused("is too long")
  const [local, domain, ...more] = address.split("@")
  if (!local || !domain || more.length > 0) throw refused("needs one @ with text on both sides")
  if (local.length > longestLocal || !localPart.test(local)) throw refused("has an unusual part before the @")
  if (!isDomain(domain)) throw refused("has no usual domain")
  return address
}

type Normalizing = Pick<EmailConfig, "normalizeIdentifier">

/**
 * The address that a mail of a provider goes to when this is typed.
 * @throws EmailAddressRefused for anything but one address, and where `normalizeIdentifier` refuses it.
 */
export function mailAddressOf(config: Normalizing, typed: unknown): string {
  if (typeof typed !== "string") throw new EmailAddressRefused("The field `email` has to hold one address.")
  if (!config.normalizeIdentifier) return normalizeAddress(typed)
  const address: unknown = normalizedByApplication(config, typed)
  if (isOneAddress(address)) return address
  throw new EmailAddressRefused("`normalizeIdentifier` has to return one address as a string.")
}

/** It may use what stands beside it in the provider. */
function normalizedByApplication(config: Normalizing, typed: string): unknown {
  try {
    return config.normalizeIdentifier?.(typed)
  } catch (error) {
    if (isAuthError(error)) throw error
    throw new EmailAddressRefused("`normalizeIdentifier` refused what was typed.", { cause: { err: asError(error) } })
  }
}

/** Says whether what a normaliser or a provider answered is one address that no mail software reads as more, or as another one. */
export function isOneAddress(value: unknown, longest: number = longestAddress): value is string {
  if (typeof value !== "string" || value.length > longest) return false
  const parts = value.split("@")
  return (
    parts.length === 2 &&
    parts.every((part) => part !== "") &&
    !/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"(),:;<>[\]\\\u3002]|\.$/u.test(value) &&
    !foldsIntoOthers(value)
  )
}

/**
 * The mailbox of an address, for counting: in lower case, without what stands behind a `+` (RFC 5233), which many hosts deliver to
 * the same person.
 */
export function mailboxOf(address: string): string {
  const lower = address.toLowerCase()
  const at = lower.lastIndexOf("@")
  return lower.slice(0, at + 1).replace(/(?<=.)\+.*@$/s, "@") + hostOf(lower.slice(at + 1))
}

/**
 * An internationalised domain in its ASCII form, because mail software maps several spellings to one (UTS #46). What is no name of a
 * host stays as it is.
 */
function hostOf(domain: string): string {
  if (/^[\0-\x7f]*$/.test(domain) || /[/?#%]/.test(domain)) return domain
  const url = `http://${domain}`
  return isUrl(url) ? new URL(url).hostname : domain
}

/**
 * Does it hold a character that folds into another one (Unicode UAX #15, NFKC)? It looks like an address it is not. Nor is longer
 * text one, which is not normalised: for some, that takes time in the square of its length.
 */
export function foldsIntoOthers(text: string): boolean {
  return text.length > longestInput || text.normalize("NFKC") !== text
}

function isDomain(domain: string): boolean {
  const labels = domain.split(".")
  if (labels.length < 2 || !labels.every((part) => label.test(part))) return false
  // The URL parser knows which A-labels are none (UTS 46) and reads an ending of digits as an IPv4 address.
  // It looks at A-labels only where a label is not plain ASCII: hence the one in front.
  const url = `http://\u00e9.${domain}`
  const isKnown = isUrl(url) && new URL(url).hostname === `xn--9ca.${domain}`
  return isKnown && /[a-z]/.test(labels.at(-1) ?? "")
}

// What was typed stays out of the message: it would end up in the log unasked.
function refused(why: string): EmailAddressRefused {
  return new EmailAddressRefused(`What was typed is not one e-mail address: it ${why}.`)
}
