/** Who a request says it is about: the address a mail goes to or a link was sent to, the name beside a password. */

import type { Settings } from "../config/settings.js"
import { isTooLong } from "../std/folded.js"
import type { CredentialsConfig, EmailConfig } from "../types/provider.js"
import type { Context } from "./context.js"
import { mailAddressOf } from "./email-address.js"

/**
 * What was typed there, field by field: one for an address, for a password as many as `accountField` names. Of several a
 * missing one is empty. `undefined` where nobody is named.
 */
export function typedIn(context: Context): readonly string[] | undefined {
  const { provider, incoming } = context
  const raws = rawsIn(context)
  const isToNormalize = provider?.type === "email" && incoming.route?.action !== "callback"
  if (isToNormalize) return addressIn(raws[0], provider.config)
  if (raws.some(isOdd)) return undefined
  const names = raws.map(nameIn)
  return names.every((name) => name === "") ? undefined : names
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

/** The fields that name somebody, as they came. */
function rawsIn({ provider, incoming }: Context): readonly unknown[] {
  if (provider?.type === "email")
    return [(incoming.route?.action === "callback" ? incoming.query : incoming.form)["email"]]
  return provider?.type === "credentials" ? accountFieldsOf(provider.config).map((field) => incoming.form[field]) : []
}

/**
 * The name as it came, and where it is looked for: another provider may have the same name in a table of its own, as somebody
 * else's, and `authorize` may find another tenant by the host or path of its request. What is right there says nothing here.
 */
export function writtenIn(context: Context): string {
  // Objects name nobody, and some cannot be made a text.
  const raws = rawsIn(context).map((raw) => (typeof raw === "object" ? "" : String(raw)))
  return JSON.stringify([placeOf(context), context.provider?.id, ...raws])
}

/** Neither the scheme nor a `www.` tells tenants apart: people who type a bare domain come to the same application. */
function placeOf({ incoming, settings }: Context): string {
  return incoming.origin.replace(/^https?:\/\/(?:www\.)?/, "") + settings.basePath
}

function nameIn(typed: unknown): string {
  return typeof typed === "string" ? typed.trim() : typeof typed === "number" ? String(typed) : ""
}

/**
 * Does a list, an object or a truth value stand where a name is expected? No page sends one, but an application or a database
 * that reads it loosely finds a person in it, in any number of ways to write it: all of them are counted together. So are names
 * that are too long to be folded; a link with such an address is refused.
 */
export function hasOddName(context: Context): boolean {
  return context.provider?.type === "credentials" && rawsIn(context).some(isOdd)
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

function accountFieldsOf({
  accountField,
  credentials,
}: Partial<Pick<CredentialsConfig, "accountField" | "credentials">>): readonly string[] {
  if (typeof accountField === "string") return [accountField]
  if (accountField) return accountField
  const first = Object.entries(credentials ?? {}).find(([name, input]) => !isPassword(name, input?.type))
  return first ? [first[0]] : []
}

/** Applications with a page of their own leave the type out. */
function isPassword(name: string, type: unknown): boolean {
  return type === "password" || (type === undefined && /pass(?!port)|pwd/i.test(name))
}
