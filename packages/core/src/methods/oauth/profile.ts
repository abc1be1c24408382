/** The profile becomes a candidate for a user, and the tokens an account. */
import { randomUuid } from "../../crypto/token.js"
import { isAuthError, OAuthProfileParseError } from "../../errors.js"
import type { AccountDraft } from "../../types/adapter.js"
import type { Account, Profile, TokenSet, User } from "../../types/identity.js"
import { foldsIntoOthers } from "../email/address.js"
import type { EmailStanding } from "../method.js"
import type { Outbound } from "./outbound.js"
import type { OAuthContext } from "./server.js"

/** What the provider said, and what it gave. */
export interface Told {
  readonly profile: Profile
  readonly tokens: TokenSet
  readonly outbound: Outbound
}

/** The person as the application will know them. */
export interface Mapped {
  readonly user: User
  readonly account: Account
  readonly stored: AccountDraft
  readonly email: EmailStanding
  readonly numericId?: number
}

/** Adds to a profile what came with the callback itself. What the provider vouches for is never replaced. */
export function withCallbackProfile({ provider }: OAuthContext, profile: Profile, params: URLSearchParams): Profile {
  return { ...provider.config.callbackProfile?.(Object.fromEntries(params)), ...profile }
}

/** Maps a profile with the provider's `profile` and `account` callbacks. */
export async function mapProfile(context: OAuthContext, told: Told): Promise<Mapped> {
  try {
    return await mapped(context, told)
  } catch (error) {
    if (isAuthError(error)) throw error
    const { provider } = context
    const cause = { err: error instanceof Error ? error : new Error(String(error)), provider: provider.id }
    throw new OAuthProfileParseError(`The profile of ${provider.id} could not be mapped to a user.`, { cause })
  }
}

async function mapped({ provider, settings }: OAuthContext, { profile, tokens, outbound }: Told): Promise<Mapped> {
  const described: unknown = await provider.profile({ ...profile }, { ...tokens }, { fetch: outbound.fetch })
  if (typeof described !== "object" || described === null) throw refused(provider.id, "returned no user")
  const { id, email, ...rest } = described as User
  // Without a store nobody comes back to an account: whoever the profile describes is signed in, under an id of its own.
  const isNameless = (id === undefined || id === null) && !settings.store.isPresent
  const providerAccountId = isNameless ? randomUuid() : accountId(id)
  if (providerAccountId === undefined) {
    throw refused(
      provider.id,
      `returned the id ${JSON.stringify(id) ?? "undefined"}, expected a text or a safe integer`,
    )
  }
  const key = { provider: provider.id, type: provider.type, providerAccountId }
  return {
    user: { ...rest, id: randomUuid(), email: emailOf(email) },
    account: { ...tokens, ...key },
    stored: { ...provider.account({ ...tokens }), ...key },
    email: standingOf(provider.config.emailVerified, profile),
    ...(typeof id === "number" && { numericId: id }),
  }
}

function refused(provider: string, reason: string): OAuthProfileParseError {
  return new OAuthProfileParseError(`The profile callback of ${provider} ${reason}.`, { cause: { provider } })
}

/** Texts that a missing id turns into on its way: an account under one of them would be everybody's. */
const nobody: ReadonlySet<string> = new Set(["", "0", "undefined", "null", "NaN", "[object Object]"])

function accountId(id: unknown): string | undefined {
  if (typeof id !== "string" && typeof id !== "number" && typeof id !== "bigint") return undefined
  const text = String(id)
  // Beyond 2^53 several people would share one number.
  return nobody.has(text.trim()) || (typeof id === "number" && !Number.isSafeInteger(id)) ? undefined : text
}

const oneAddress = /^[^\s@,;:<>()[\]\\"\p{C}]+@[^\s@,;:<>()[\]\\"\p{C}]+$/u

/** One address in lower case, or none: what is no single address is not kept at all. */
function emailOf(email: unknown): string | null {
  if (typeof email !== "string") return null
  const trimmed = email.trim()
  if (foldsIntoOthers(trimmed)) return null
  const address = trimmed.toLowerCase()
  return address.length <= 320 && oneAddress.test(address) ? address : null
}

/** What the provider says of the address. A flag in a form of its own is no proof. */
function standingOf(judge: ((profile: Profile) => boolean | undefined) | undefined, profile: Profile): EmailStanding {
  const flag: unknown = judge ? judge(profile) : profile.email_verified
  if (flag === undefined || flag === null) return "unstated"
  return flag === true || flag === "true" ? "verified" : "unverified"
}
