/** What a provider says of the address that its profile was mapped to: a statement about another address says nothing of it. */
import { askInTime } from "../../context/ask.js"
import { isThenable } from "../../std/deadline.js"
import type { Awaitable, Profile } from "../../types/identity.js"
import type { EmailStatus } from "../method.js"
import type { Exchanged } from "./exchange.js"

interface MappedAddress {
  readonly profile: Profile
  readonly address: string | null
}

/** There at once where the file of the provider need not be asked which address it speaks of. */
export function emailStatusOf(exchanged: Exchanged, mapped: MappedAddress): Awaitable<EmailStatus> {
  const said = statementOf(exchanged.provider, mapped.profile)
  if (said === undefined) return silence(exchanged)
  // What claims nothing is about no address.
  if (said !== "verified" || mapped.address === null) return said
  const isAbout = isAboutAddress(exchanged, mapped)
  const statusFor = (isIt: boolean): EmailStatus => (isIt ? said : silence(exchanged))
  return isThenable(isAbout) ? isAbout.then(statusFor) : statusFor(isAbout)
}

/** A provider that says of addresses whether they are verified has not verified one of which it says nothing: some services leave out what is false. */
const silence = ({ provider }: Exchanged): EmailStatus => (provider.callsVerified ? "unverified" : "unstated")

/** A flag of another type is no proof, and neither is one that every object has. */
function statementOf(provider: Exchanged["provider"], profile: Profile): EmailStatus | undefined {
  const read = readerOf(provider)
  const claimed: unknown = Object.hasOwn(profile, "email_verified") ? profile.email_verified : undefined
  const flag: unknown = read ? read(profile) : claimed
  if (flag === "unstated" && read) return flag
  if (flag === undefined || flag === null) return undefined
  return flag === true || flag === "true" ? "verified" : "unverified"
}

function readerOf({ config }: Exchanged["provider"]) {
  return Object.hasOwn(config, "emailVerified") ? config.emailVerified : undefined
}

/**
 * OpenID Connect Core §5.1: `email_verified` is about the claim `email`, and `emailVerified` of a provider's file about the
 * address that the `profile` of that file maps. An application that maps another one says itself what it is worth.
 */
function isAboutAddress(exchanged: Exchanged, { profile, address }: MappedAddress): Awaitable<boolean> {
  const { filesProfile } = exchanged.provider
  const isIt = (email: unknown): boolean => typeof email === "string" && email.trim().toLowerCase() === address
  if (!readerOf(exchanged.provider)) return isIt(profile.email)
  return filesProfile ? filesAddress(exchanged, profile).then(isIt, () => false) : true
}

/** The file is asked for the address alone: a picture is not fetched for that. */
async function filesAddress(exchanged: Exchanged, profile: Profile): Promise<unknown> {
  const { filesProfile, id } = exchanged.provider
  const fetch = (): Promise<never> => Promise.reject(new Error("Nothing is fetched for the address."))
  const user = await askInTime(exchanged, `providers.${id}.profile`, () =>
    filesProfile?.({ ...profile }, {}, { fetch }),
  )
  return user?.email
}
