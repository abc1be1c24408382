/** A short-lived value sealed into a cookie of the browser that began a flow: bound to its purpose, its provider and 15 minutes. */
import type { CheckRole } from "../config/cookies.js"
import { defaults } from "../config/options.js"
import type { Context } from "../context/context.js"
import { claimsOfCheck } from "../context/flow.js"
import { open, seal } from "../crypto/jwe.js"
import { InvalidCheck } from "../errors.js"
import { cookieNameOf, reasonNotSent } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { secondsAfter } from "../std/time.js"

/** What is to be sealed. */
export interface CheckDraft {
  readonly role: CheckRole
  readonly value: string
  /** Further claims that travel with the value. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** The cookie must survive a POST from another site. */
  readonly crossSite?: boolean
  /** Whose flow it is. @default the provider of the path */
  readonly provider?: string
}

/** An opened check. */
export interface Check {
  readonly value: string
  readonly [extra: string]: unknown
}

/** The cookie that a value was sealed into. */
export type SealedCookie = Extract<CookieChange, { readonly value: string }>

/** Seals a value into the cookie of its role. */
export async function sealCheck(context: Context, draft: CheckDraft): Promise<SealedCookie> {
  const { role, value, extra, crossSite, provider = context.provider?.id } = draft
  const name = cookieNameOf(context.cookies, role)
  // The cookie's name is the salt: what was sealed for one purpose does not open for another.
  const claims = { ...extra, value, provider }
  const sealed = await sealClaims(context, name, claims)
  const expires = secondsAfter(context.now, defaults.checkMaxAge)
  return { role, value: sealed, expires, ...(crossSite && { crossSite }) }
}

/**
 * Opens the check of a role, of the newest flow or of the one in `slot`.
 * @throws InvalidCheck when it is absent, broken, too old or was made for another provider.
 */
export async function openCheck(
  context: Context,
  given: { readonly role: CheckRole; readonly slot?: string | undefined },
): Promise<Check> {
  const { role } = given
  const claims = await openAnyCheck(context, given)
  // A check of one provider must not be accepted for another (mix-up attack); one without a provider was not made by us.
  const expected = context.provider?.id
  if (expected === undefined || claims.provider !== expected) {
    throw new InvalidCheck(`The check "${role}" was made for another provider than "${expected}".`)
  }
  context.log.debug(`Check ${role} of ${expected} holds`)
  return claims
}

/** Opens a check of any provider, to tell flows apart; never trust its values. */
export async function openAnyCheck(
  context: Context,
  { role, slot }: { readonly role: CheckRole; readonly slot?: string | undefined },
): Promise<Check> {
  const claims = await claimsFor(context, { role, slot })
  if (!claims) {
    // Without any cookie the browser probably refuses ours; with others, this one has expired or was for another flow.
    const lost = context.incoming.cookies.size === 0 ? reasonNotSent(context, context.cookies[role].options) : ""
    throw new InvalidCheck(`The cookie of the check "${role}" is missing${lost}.`)
  }
  const { value } = claims
  if (typeof value !== "string" || value === "") throw new InvalidCheck(`The check "${role}" contains no value.`)
  return { ...claims, value }
}

async function claimsFor(
  context: Context,
  given: { readonly role: CheckRole; readonly slot?: string | undefined },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await claimsOfCheck(context, given)
  } catch (error) {
    const failure = `The cookie of the check "${given.role}" cannot be opened, or is older than 15 minutes.`
    throw new InvalidCheck(failure, { cause: { err: error as Error } })
  }
}

/** Seals claims for a purpose, for as long as a flow may take. */
export async function sealClaims({ settings, now }: Context, salt: string, claims: object): Promise<string> {
  return seal({ ...claims }, { keyring: settings.jwt.keyring, salt, maxAge: defaults.checkMaxAge, now })
}

/**
 * Opens what was sealed for a purpose.
 * @throws InvalidCheck that says `failure` when it cannot be opened or is too old.
 */
export async function openClaims(
  { settings, now }: Context,
  salt: string,
  { sealed, failure }: { readonly sealed: string; readonly failure: string },
): Promise<Record<string, unknown>> {
  try {
    return await open(sealed, { keyring: settings.jwt.keyring, salt, now })
  } catch (error) {
    throw new InvalidCheck(failure, { cause: { err: error as Error } })
  }
}
