/** Who a request says it is about: the address a mail goes to or a link was sent to, the name beside a password. */

import { type AccountFields, accountFieldsOf, isUnlistedPlace, saysNobody } from "../config/account-fields.js"
import type { Settings } from "../config/settings.js"
import { isTooLong } from "../std/folded.js"
import type { EmailConfig } from "../types/provider.js"
import type { Context } from "./context.js"
import { mailAddressOf } from "./email-address.js"
import { hiding, isOfSigns, readingsOfName, saysNumber } from "./name-readings.js"

/** Who was named. */
export interface Named {
  /**
   * Each person field by field: one field for an address, for a password as many as `accountField` names, of which a missing one
   * is empty. Several people where an application may look up any of them, none where nobody is named.
   */
  readonly people: readonly (readonly string[])[]
  /** One field alone was filled in, or those of `accountField`, and no place is of an odd kind: a success says who it was. */
  readonly isCertain: boolean
  /**
   * As it came, in which field, and where it is looked for: another provider may have the same name in a table of its own, as
   * somebody else's, and `authorize` may find another tenant by the host or path of its request, or by a field. What is right
   * there says nothing here.
   */
  readonly written: string
  /**
   * A list, an object or a truth value stands where a name is expected. No page sends one, but an application or a database
   * that reads it loosely finds a person in it, in any number of ways to write it: all of them are counted together. So are names
   * that are too long to be folded; a link with such an address is refused.
   */
  readonly isOdd: boolean
  /** What stands there is somebody, and no secret, and no other field may say who it is. */
  readonly isSure: boolean
}

/** Reads it from what came. */
export function whoIn(context: Context): Named {
  const { provider, incoming } = context
  if (provider?.type === "email") {
    const { email } = incoming.route?.action === "callback" ? incoming.query : incoming.form
    const isToNormalize = incoming.route?.action !== "callback"
    const address = isToNormalize ? addressIn(email, provider.config) : isOdd(email) ? undefined : [nameIn(email)]
    const people = address?.some((part) => part !== "") ? [address] : []
    return { people, isCertain: true, written: writtenAs(context, [email]), isOdd: false, isSure: true }
  }
  return typedInto(context, provider?.type === "credentials" ? accountFieldsOf(provider.config) : nobody)
}

const nobody: AccountFields = { names: [], areTogether: true, places: [], areSure: true, ofDigits: new Set() }

function typedInto(context: Context, fields: AccountFields): Named {
  const { names, areTogether, other, places, ofDigits } = fields
  const { form } = context.incoming
  const isFilled = (name: string): boolean => nameIn(form[name]) !== "" || isOdd(form[name])
  const used = other !== undefined && !names.some(isFilled) ? [other] : names
  const raws = used.map((name) => form[name])
  const given = used.filter(isFilled)
  const filled = areTogether ? given : sayingIn(given, fields, form)
  const read = (name: string): readonly string[] => readingsOfName(nameIn(form[name]), ofDigits.has(name))
  const isSomeOdd = raws.some(isOdd)
  const together = areTogether && filled.length > 0 && !isSomeOdd ? combined(used.map(read)) : []
  const each = areTogether ? [] : filled.filter((name) => !isOdd(form[name])).flatMap((name) => combined([read(name)]))
  const at = [...places.map((name) => form[name]), ...unlistedPlaces(context, fields)]
  return {
    people: withoutRepeats([...together, ...each]),
    isCertain: (areTogether || filled.length === 1) && !at.some(isOdd),
    written: writtenAs(context, [...(used === names ? raws : [...used, ...raws]), ...at]),
    isOdd: isSomeOdd,
    isSure: fields.areSure && (areTogether || (filled.length === given.length && !saysMore(context, fields))),
  }
}

/**
 * Names and values of the fields that were sent, are not listed by the application, and may choose among whom to look, such as a
 * tenant. Where too many were sent, all of them.
 */
function unlistedPlaces({ provider, incoming }: Context, { names, areTogether }: AccountFields): readonly unknown[] {
  if (areTogether || provider?.type !== "credentials") return []
  const { form } = incoming
  const { credentials } = provider.config
  const sent = Object.keys(form).sort()
  const isOne = (name: string): boolean => !names.includes(name) && isUnlistedPlace(name, credentials)
  return (sent.length > mostFields ? sent : sent.filter(isOne)).flatMap((name) => [name, form[name]])
}

/** The filled fields that say who it is: not `undefined` or a dialling code, which pages send for everybody. All, where none does. */
function sayingIn(
  filled: readonly string[],
  { ofDigits }: AccountFields,
  form: Readonly<Record<string, unknown>>,
): readonly string[] {
  const saying = filled.filter((name) => {
    const text = nameIn(form[name])
    if (isOdd(form[name])) return true
    if (/^(?:undefined|null|NaN)$/.test(text) || isOfSigns(text)) return false
    return !ofDigits.has(name) || saysNumber(text)
  })
  return saying.length > 0 ? saying : filled
}

/** The number of fields that are looked at one by one. */
const mostFields = 50

/** Was a field sent, beside those that are known to say who signs in, that may say so as well? */
function saysMore({ provider, incoming }: Context, { names, places }: AccountFields): boolean {
  const credentials = provider?.type === "credentials" ? provider.config.credentials : undefined
  const sent = Object.keys(incoming.form)
  if (sent.length > mostFields) return true
  return sent.some((name) => {
    const isKnown = names.includes(name) || places.includes(name)
    return !isKnown && incoming.form[name] !== "" && !saysNobody(name, credentials)
  })
}

function withoutRepeats(people: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(people.map((person) => [JSON.stringify(person), person])).values()]
}

/** Each reading of a part with each of the others. */
function combined(parts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const most = parts.reduce((product, { length }) => product * length, 1)
  if (most > mostCombined) return [parts.map(() => hiding)]
  return parts.reduce<readonly (readonly string[])[]>(
    (before, readings) => before.flatMap((some) => readings.map((one) => [...some, one])),
    [[]],
  )
}

/** Each combination is counted. Real names have one or two readings each; beyond this number all are counted together. */
const mostCombined = 16

/** The first that was named. */
export function typedIn(context: Context): readonly string[] | undefined {
  return whoIn(context).people[0]
}

/**
 * All that tries of whoever types `who` may be counted under: what stands there, as each provider for passwords reads it, and what
 * each e-mail provider makes of an address. Not what numbers count at that hide a part of themselves: others count there too.
 */
export function readingsOf(
  { providers }: Pick<Settings, "providers">,
  who: string | readonly string[],
): readonly (readonly string[])[] {
  const raws = [who].flat()
  const [typed = ""] = raws
  const names = raws.map(nameIn)
  const addresses = [...providers.values()].map((provider) =>
    provider.type === "email" && raws.length === 1 ? addressIn(typed, provider.config) : undefined,
  )
  const isOther = (read: readonly string[] | undefined): read is readonly string[] =>
    read !== undefined && read[0]?.toLowerCase() !== names[0]?.toLowerCase()
  const read = [...providers.values()].flatMap((provider) =>
    provider.type === "credentials" ? readAt(accountFieldsOf(provider.config), names) : [],
  )
  const known = [names, ...read].filter((person) => !person.includes(hiding))
  return [...(raws.some(isOdd) ? [] : withoutRepeats(known)), ...addresses.filter(isOther)]
}

/**
 * The readings of these names in the form of one provider: together where `accountField` lists several fields, else a single name in
 * each field. It is read as a number only where every field is for one, because a user name may contain somebody else's number.
 */
function readAt(
  { names: fields, areTogether, other, ofDigits }: AccountFields,
  names: readonly string[],
): readonly (readonly string[])[] {
  if (areTogether) {
    return combined(names.map((name, index) => readingsOfName(name, ofDigits.has(fields[index] ?? ""))))
  }
  if (names.length > 1) return []
  const all = other === undefined ? fields : [...fields, other]
  const isOfDigits = all.every((field) => ofDigits.has(field))
  return names.flatMap((name) =>
    all
      .filter((field) => isOfDigits || !ofDigits.has(field))
      .flatMap((field) => combined([readingsOfName(name, ofDigits.has(field))])),
  )
}

const plainTypes: ReadonlySet<string> = new Set(["string", "number", "boolean"])

function writtenAs(context: Context, given: readonly unknown[]): string {
  // The number 7 is not the string "7"; objects name nobody.
  const parts = given.map((raw) => (plainTypes.has(typeof raw) ? raw : null))
  return JSON.stringify([placeOf(context), context.provider?.id, ...parts])
}

/** Neither the scheme nor a `www.` tells tenants apart: people who type a bare domain come to the same application. */
function placeOf({ incoming, settings }: Context): string {
  return incoming.origin.replace(/^https?:\/\/(?:www\.)?/, "") + settings.basePath
}

function nameIn(typed: unknown): string {
  return typeof typed === "string" ? typed.trim() : typeof typed === "number" ? String(typed) : ""
}

/** Some of it is read in the square of its length. */
const longestName = 1024

function isOdd(given: unknown): boolean {
  if (typeof given === "string") return isTooLong(given, longestName)
  return typeof given === "boolean" || (typeof given === "object" && given !== null)
}

/**
 * Many spellings may lead to one mailbox: what counts is the address that a mail goes to. What is refused gets no mail; counted
 * as it was typed, it would keep the owner of an address that looks like it from theirs.
 */
function addressIn(typed: unknown, config: Pick<EmailConfig, "normalizeIdentifier">): readonly string[] | undefined {
  try {
    return [mailAddressOf(config, typed)]
  } catch {
    return undefined
  }
}
