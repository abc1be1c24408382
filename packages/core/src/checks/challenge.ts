/** The WebAuthn challenge: sealed twice, for its ceremony and for its cookie, as deployed browsers hold it. */
import { defaults } from "../config/options.js"
import type { Context } from "../context/context.js"
import { sha256 } from "../crypto/token.js"
import { InvalidCheck, InvalidConfiguration, UnreadableRequest } from "../errors.js"
import { fitsOneCookie } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { toBase64url, utf8 } from "../std/bytes.js"
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

/** A challenge to be sealed. */
export interface ChallengeDraft extends Challenge {
  /** Nobody is signed in: the length of the cookie must not tell whether the person is known. */
  readonly isForVisitor?: boolean
}

const role = "webauthnChallenge"
const salt = "encodedWebauthnChallenge"
/**
 * Bytes of a described person, as JSON. They make a cookie value of 2,900 characters at most, which leaves more than a
 * thousand of the 4,096 that browsers keep to its name and attributes.
 */
const personSize = 1024

/**
 * Seals the challenge of a ceremony into its cookie. For a visitor the cookie is padded to one length, where there is
 * room; opening it ignores the padding.
 * @throws UnreadableRequest when a visitor's does not fit into a cookie, because `getUserInfo` took too much from the
 * request; InvalidConfiguration when not even the challenge does, because of the cookie's name and attributes.
 */
export async function sealChallenge(context: Context, draft: ChallengeDraft): Promise<CookieChange> {
  const { challenge, registerData, offered, isForVisitor } = draft
  const claims = { challenge, ...(registerData && { registerData }), ...(offered && { offered }) }
  const padding = isForVisitor ? paddingBeside(registerData) : undefined
  const padded = padding === undefined ? undefined : await cookieOf(context, { ...claims, padding })
  // Long names and attributes of the cookie may leave no room for it.
  const cookie = padded ?? (await cookieOf(context, claims))
  if (cookie) return cookie
  // Without the person it would fit.
  if (isForVisitor && registerData && (await cookieOf(context, { challenge }))) throw tooLong(registerData)
  throw new InvalidConfiguration("Name and attributes of the cookie `webauthnChallenge` leave no room for a challenge.")
}

/** `undefined`: it does not fit into one cookie. */
async function cookieOf(context: Context, claims: object): Promise<CookieChange | undefined> {
  const cookie = await sealCheck(context, { role, value: await sealClaims(context, salt, claims) })
  const fits = "value" in cookie && fitsOneCookie(cookie.value, context.cookies[role])
  return fits ? cookie : undefined
}

/** `undefined`: the person is longer than that already. */
function paddingBeside(person: object | undefined): string | undefined {
  const room = personSize - utf8(JSON.stringify(person ?? {})).length
  return room < 0 ? undefined : "-".repeat(room)
}

function tooLong(person: object): UnreadableRequest {
  const sizes = Object.entries(person).map(([name, value]) => ({ name, size: JSON.stringify(value ?? "").length }))
  const [longest] = sizes.sort((a, b) => b.size - a.size)
  const which = longest ? `: "${longest.name}" has ${longest.size} characters` : ""
  return new UnreadableRequest(
    `What \`getUserInfo\` says of a new person does not fit into the cookie of a passkey registration${which}. Limit the length of what it takes from the request, and store what is long once the person is registered.`,
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

const used = (): InvalidCheck => new InvalidCheck("The challenge was used already.")
const counted: unique symbol = Symbol("counted answers to a challenge")

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
  // Another answer would find the row absent while it is written again, also where a transaction does not cover these rows.
  if ((await timesAnswered(context, key.token)) > 1) throw used()
  // The challenge is refused by its age before its row is swept.
  const row = { ...key, expires: secondsAfter(context.now, 2 * defaults.checkMaxAge) }
  await store.transaction(async (inside) => {
    const before = await inside.useVerificationToken(key)
    // Also when the row existed: looking it up removed it, and not every store rolls back.
    await inside.createVerificationToken(row)
    if (before) throw used()
  })
}

/** Counts this answer in one step, in records, else in the memory of the process. A request counts once, however often it is tried. */
function timesAnswered(context: Context, key: string): Promise<number> {
  return context.once(counted, async () => {
    const { now, log, settings } = context
    const counters = settings.limits?.triesAt(now, (error) => log.error(error)) ?? settings.caches.tries
    const expires = secondsAfter(now, 2 * defaults.checkMaxAge)
    return (await counters.countRecord({ kind: "challenge", key }, { add: 1, expires, now })).sum
  })
}
