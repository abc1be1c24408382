/** The WebAuthn challenge: sealed twice, for its ceremony and for its cookie, as deployed browsers hold it. */
import { defaults } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { open, seal } from "../crypto/jwe.js"
import { InvalidCheck } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import type { User } from "../types/identity.js"
import { openCheck, sealCheck } from "./sealed.js"

/** What a ceremony must be answered with. */
export interface Challenge {
  /** The challenge, base64url. */
  readonly challenge: string
  /** Registration only: who the credential is for. */
  readonly registerData?: User
}

const salt = "encodedWebauthnChallenge"

/** Seals the challenge of a ceremony into its cookie. */
export async function sealChallenge(context: Context, { challenge, registerData }: Challenge): Promise<CookieChange> {
  const { settings, now } = context
  const claims = { challenge, ...(registerData && { registerData }) }
  const { keyring } = settings.jwt
  const value = await seal(claims, { keyring, salt, maxAge: defaults.checkMaxAge, now })
  return sealCheck(context, { role: "webauthnChallenge", value })
}

/**
 * Opens the challenge of the ceremony that was begun last.
 * @throws InvalidCheck when there is none for this provider, or it is too old.
 */
export async function openChallenge(context: Context): Promise<Challenge> {
  const { value } = await openCheck(context, { role: "webauthnChallenge" })
  const { challenge, registerData } = await openInner(context, value)
  if (typeof challenge !== "string" || challenge === "") throw new InvalidCheck("The sealed challenge is empty.")
  const isUser = typeof registerData === "object" && registerData !== null && !Array.isArray(registerData)
  return { challenge, ...(isUser && { registerData: registerData as User }) }
}

async function openInner(context: Context, value: string): Promise<Record<string, unknown>> {
  try {
    return await open(value, { keyring: context.settings.jwt.keyring, salt, now: context.now })
  } catch (error) {
    throw new InvalidCheck("The sealed challenge cannot be opened.", { cause: { err: error as Error } })
  }
}
