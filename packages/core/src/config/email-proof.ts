/** What the configuration says about e-mail addresses: whether users are found by them, and which providers verify them. */
import type { Report } from "./report.js"
import type { ResolvedOAuthProvider, ResolvedProvider } from "./settings.js"

type Providers = ReadonlyMap<string, ResolvedProvider>

/**
 * Does the provider's file or the configuration call its addresses verified, all of them or each by its profile? A
 * function that does not look at the profile says the same of every user.
 */
export function callsVerified({ emailVerified, allowUnverifiedEmail }: Readonly<Record<string, unknown>>): boolean {
  if (allowUnverifiedEmail === true || typeof emailVerified !== "function") return false
  if (emailVerified.length > 0) return true
  try {
    return emailVerified({}) === true
  } catch {
    return false
  }
}

const oauthOf = (providers: Providers): readonly ResolvedOAuthProvider[] =>
  [...providers.values()].flatMap((one) => (one.type === "oauth" || one.type === "oidc" ? [one] : []))

/** Can people prove an address by a link? */
export function hasMail(providers: Providers): boolean {
  return [...providers.values()].some(({ type }) => type === "email")
}

/** The providers under which passkeys are stored. */
export function passkeyProviders(providers: Providers): readonly string[] {
  return [...providers.values()].filter(({ type }) => type === "webauthn").map(({ id }) => id)
}

/** Can people sign in with a passkey? */
function hasPasskeys(providers: Providers): boolean {
  return passkeyProviders(providers).length > 0
}

/** Are users found by their address: by mail, by a passkey that is registered for one, or by a provider that links by it? */
export function findsByAddress(providers: Providers): boolean {
  return hasMail(providers) || hasPasskeys(providers) || linksByAddress(providers)
}

/** May any provider link by the address? */
export function linksByAddress(providers: Providers): boolean {
  return oauthOf(providers).some((provider) => provider.allowDangerousEmailAccountLinking)
}

/** Can a visitor sign in as the user of an address because a provider has verified it? */
export function arrivesByProvider(providers: Providers): boolean {
  return oauthOf(providers).length > 0 && (hasPasskeys(providers) || linksByAddress(providers))
}

/** Can the owner of an address sign in as the user of that address, whoever created it? */
export function ownerMayArrive(providers: Providers): boolean {
  return hasMail(providers) || arrivesByProvider(providers)
}

/** The providers that do not say that their addresses are verified. */
export function unverifyingProviders(providers: Providers): readonly string[] {
  return oauthOf(providers)
    .filter((provider) => !provider.callsVerified)
    .map(({ id }) => id)
}

/** The operations needed to remove what an attacker linked. */
const removing = ["listAccountsByUserId", "unlinkAccount"] as const

/** Warns of providers that do not verify addresses, where the configuration relies on that. */
export function checkEmailProof(
  { providers, adapter }: { readonly providers: Providers; readonly adapter: unknown },
  report: Report,
): void {
  const ids = unverifyingProviders(providers)
  if (typeof adapter !== "object" || adapter === null || ids.length === 0) return
  const names = `Providers: ${ids.map((id) => `"${id}"`).join(", ")}.`
  if (linksByAddress(providers)) report.warn("linking-of-unverified-email", names)
  const offered = adapter as Readonly<Record<string, unknown>>
  const canRemove = removing.every((operation) => typeof offered[operation] === "function")
  if (hasMail(providers) && !canRemove) report.warn("accounts-of-unverified-email", names)
}
