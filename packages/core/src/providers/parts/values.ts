/** Reading single values of a profile. Profiles come from outside: whatever stands in a field, reading it never throws. */

/** The id as text. Nothing but a text or a number is one; without any the result is empty, which the engine refuses. */
export function idOf(...candidates: readonly unknown[]): string {
  for (const value of candidates) {
    if (typeof value === "string" && value.trim() !== "") return value
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value)
  }
  return ""
}

/**
 * The id in the type it came in, for services whose numbers Auth.js handed on as they were: a store that keeps types
 * holds numbers, and the engine asks it for both.
 */
export function rawIdOf(value: unknown): string {
  return typeof value === "number" && Number.isSafeInteger(value) ? (value as unknown as string) : idOf(value)
}

/** What the service's claim `email_verified` says of the address (OpenID Connect Core §5.1); some send it as text. */
export function byClaim({ email_verified: claim }: { readonly email_verified?: unknown }): boolean | undefined {
  return claim === undefined || claim === null ? undefined : claim === true || claim === "true"
}

/**
 * What that claim says of the address where only a denial can be believed. The profile is optional, so that the engine takes
 * the provider for one whose addresses nobody has proven.
 */
export function byDenial(profile: { readonly email_verified?: unknown } = {}): false | "unstated" {
  return byClaim(profile) === false ? false : "unstated"
}

/** The first of the values that is a text and says something. */
export function textOf(...candidates: readonly unknown[]): string | null {
  for (const value of candidates) if (typeof value === "string" && value.trim() !== "") return value
  return null
}

/** The values that are texts, with a space between. */
export function joined(...parts: readonly unknown[]): string | null {
  return textOf(parts.filter((part) => textOf(part) !== null).join(" "))
}

/** The entries of a list that are objects; none where there is no list. */
export function entriesOf<Entry extends object>(value: readonly Entry[] | null | undefined): readonly Entry[] {
  if (!Array.isArray(value)) return []
  return value.filter((entry) => typeof entry === "object" && entry !== null)
}

/** The members of a value; none where it is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}
