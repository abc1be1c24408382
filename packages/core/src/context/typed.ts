/** Who a request says it is about: the address a mail goes to or a link was sent to, the name beside a password. */

import { type AccountFields, accountFieldsOf } from "../config/account-fields.js"
import type { Settings } from "../config/settings.js"
import { isTooLong } from "../std/folded.js"
import type { EmailConfig } from "../types/provider.js"
import type { Context } from "./context.js"
import { mailAddressOf } from "./email-address.js"

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

const nobody: AccountFields = { names: [], areTogether: true, places: [], areSure: true }

function typedInto(context: Context, fields: AccountFields): Named {
  const { names, areTogether, other, places } = fields
  const { form } = context.incoming
  const isFilled = (name: string): boolean => nameIn(form[name]) !== "" || isOdd(form[name])
  const used = other !== undefined && !names.some(isFilled) ? [other] : names
  const raws = used.map((name) => form[name])
  const isSomeOdd = raws.some(isOdd)
  const typed = raws.map(nameIn)
  const filled = used.filter(isFilled)
  const each = [...new Set(typed.filter((name) => name !== ""))].map((name) => [name])
  const together = filled.length > 0 ? [typed] : []
  const at = places.map((name) => form[name])
  return {
    people: isSomeOdd ? [] : areTogether ? together : each,
    isCertain: (areTogether || filled.length === 1) && !at.some(isOdd),
    written: writtenAs(context, [...(used === names ? raws : [...used, ...raws]), ...at]),
    isOdd: isSomeOdd,
    isSure: fields.areSure,
  }
}

/** The first that was named. */
export function typedIn(context: Context): readonly string[] | undefined {
  return whoIn(context).people[0]
}

/** All that tries of whoever types `who` may be counted under: what stands there, and what each e-mail provider makes of an address. */
export function readingsOf(
  { providers }: Pick<Settings, "providers">,
  who: string | readonly string[],
): readonly (readonly string[])[] {
  const raws = typeof who === "string" ? [who] : who
  const [typed = ""] = raws
  const names = raws.map(nameIn)
  const addresses = [...providers.values()].map((provider) =>
    provider.type === "email" && raws.length === 1 ? addressIn(typed, provider.config) : undefined,
  )
  const isOther = (read: readonly string[] | undefined): read is readonly string[] =>
    read !== undefined && read[0]?.toLowerCase() !== names[0]?.toLowerCase()
  return [...(raws.some(isOdd) ? [] : [names]), ...addresses.filter(isOther)]
}

function writtenAs(context: Context, given: readonly unknown[]): string {
  // Objects name nobody, and some cannot be made a text.
  const raws = given.map((raw) => (typeof raw === "object" ? "" : String(raw)))
  return JSON.stringify([placeOf(context), context.provider?.id, ...raws])
}

/** Neither the scheme nor a `www.` tells tenants apart: people who type a bare domain come to the same application. */
function placeOf({ incoming, settings }: Context): string {
  return incoming.origin.replace(/^https?:\/\/(?:www\.)?/, "") + settings.basePath
}

function nameIn(typed: unknown): string {
  return typeof typed === "string" ? typed.trim() : typeof typed === "number" ? String(typed) : ""
}

function isOdd(given: unknown): boolean {
  if (typeof given === "string") return isTooLong(given)
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
