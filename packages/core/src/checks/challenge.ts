/** The WebAuthn challenge: sealed twice, for its ceremony and for its cookie, as deployed browsers hold it. */
import { defaults } from "../config/options.js"
import type { Context } from "../context/context.js"
import { sha256 } from "../crypto/token.js"
import { InvalidCheck, InvalidConfiguration } from "../errors.js"
import { fitsOneCookie } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { toBase64url } from "../std/bytes.js"
import { isMembers } from "../std/json.js"
import { secondsAfter } from "../std/time.js"
import type { User } from "../types/identity.js"
import { openCheck, openClaims, sealCheck, sealClaims } from "./sealed.js"

/** What a ceremony must be answered with. */
export interface Challenge {
  /** The challenge, base64url. */
  readonly challenge: string
  /** Registration only: who the credential is for. */
  readonly registerData?: User
  /** Authentication only: digests of the credentials that were offered; absent when the authenticator may choose. */
  readonly offered?: readonly string[]
}

const role = "webauthnChallenge"
const salt = "encodedWebauthnChallenge"

/**
 * Seals the challenge of a ceremony into its cookie.
 * @throws InvalidConfiguration when what `getUserInfo` says of a new person makes it larger than a cookie can be.
 */
export async function sealChallenge(context: Context, sealed: Challenge): Promise<CookieChange> {
  const { challenge, registerData, offered } = sealed
  const claims = { challenge, ...(registerData && { registerData }), ...(offered && { offered }) }
  const cookie = await sealCheck(context, { role, value: await sealClaims(context, salt, claims) })
  if ("value" in cookie && !fitsOneCookie(cookie.value, context.cookies[role])) throw tooLong(registerData ?? {})
  return cookie
}

function tooLong(person: object): InvalidConfiguration {
  const sizes = Object.entries(person).map(([name, value]) => ({ name, size: JSON.stringify(value ?? "").length }))
  const [longest] = sizes.sort((a, b) => b.size - a.size)
  const which = longest ? `: "${longest.name}" has ${longest.size} characters` : ""
  return new InvalidConfiguration(
    `What \`getUserInfo\` says of a new person does not fit into the cookie of a passkey registration${which}. Leave it out, and store it once the person is registered.`,
  )
}

/**
 * Opens the challenge of the ceremony that was begun last.
 * @throws InvalidCheck when there is none for this provider, or it is too old.
 */
export async function openChallenge(context: Context): Promise<Challenge> {
  const { value } = await openCheck(context, { role })
  const failure = "The sealed challenge cannot be opened."
  const { challenge, registerData, offered } = await openClaims(context, salt, { sealed: value, failure })
  if (typeof challenge !== "string" || challenge === "") throw new InvalidCheck("The sealed challenge is empty.")
  return {
    challenge,
    ...(isMembers(registerData) && { registerData: registerData as User }),
    ...(Array.isArray(offered) && { offered: offered.filter((name) => typeof name === "string") }),
  }
}

/**
 * Remembers in the store that a challenge was answered: its cookie can be copied, and an authenticator that does not
 * count sends the same response to the same challenge each time. Where the store keeps no tokens, only the cookie is cleared.
 * @throws InvalidCheck when the challenge was answered before; AdapterError when the store fails, or refuses to keep the
 * same row twice because two answers came at once.
 */
export async function spendChallenge(context: Context, challenge: string): Promise<void> {
  const { store } = context.settings
  if (!store.has("createVerificationToken") || !store.has("useVerificationToken")) return
  const key = { identifier: `webauthn-challenge:${context.provider?.id}`, token: toBase64url(await sha256(challenge)) }
  // The challenge is refused by its age before its row is swept.
  const row = { ...key, expires: secondsAfter(context.now, 2 * defaults.checkMaxAge) }
  await store.transaction(async (inside) => {
    const before = await inside.useVerificationToken(key)
    // Also when the row existed: looking it up removed it, and not every store rolls back.
    await inside.createVerificationToken(row)
    if (before) throw new InvalidCheck("The challenge was used already.")
  })
}
