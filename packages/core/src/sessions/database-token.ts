/** The token that names a row of a session: read from the cookie, and made. */
import { askInTime } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { randomHex } from "../crypto/token.js"
import { InvalidConfiguration } from "../errors.js"
import { sessionChunks } from "../http/cookies.js"
import { hasControlCharacters } from "../std/text.js"
import { actingToken, isActingToken, tokenWithAccount } from "./current-session.js"

/** Longer than any look-up value: a longer value was set by other software and is not looked up. */
const longestToken = 4096

/** What the cookie carries; `undefined` for no cookie, `null` for one that cannot name a row. */
export function tokenOf({ incoming, cookies, settings }: Context): string | null | undefined {
  const { value, names, isTooLarge } = sessionChunks(incoming.cookies, cookies.sessionToken.name)
  if (names.length === 0 || isTooLarge) return undefined
  // Where sessions are not managed, nothing would say any more that somebody acts for the user, and when that ends.
  const isLost = !settings.features.sessions && value !== undefined && isActingToken(value)
  return value && value.length <= longestToken && !isLost ? value : null
}

/**
 * May it be what a store shows in place of a token, such as `sha256:` and its hash? Adapters end a session by that, for whoever
 * administers it; out of a cookie it may end only what it opens. Tokens that are made here never look like it.
 */
export function mayBeStoredForm(token: string): boolean {
  return !/^[\w.-]+$/.test(token)
}

/** A token that the application makes stays as it made it, and could not say that somebody acts for the user. */
export async function newToken(
  context: Context,
  { unprovenAccount, isActing }: { readonly unprovenAccount: string | undefined; readonly isActing: boolean },
): Promise<string> {
  const { config, options } = context.settings
  if (isActing) return actingToken(randomHex())
  const generate = options["session.generateSessionToken"]
  if (generate)
    return fitToken(await askInTime(context, "session.generateSessionToken", () => generate.call(config.session)))
  const token = randomHex()
  return unprovenAccount === undefined ? token : tokenWithAccount(token, unprovenAccount)
}

/** Can a cookie carry it, and is it read back? Values that hide control characters are never read. */
function fitToken(made: unknown): string {
  if (typeof made === "string" && made !== "" && made.length <= longestToken && !hasControlCharacters(made)) return made
  throw new InvalidConfiguration(
    `\`session.generateSessionToken\` must return a string of 1 to ${longestToken} characters that are not control characters, not ${typeof made}.`,
  )
}
