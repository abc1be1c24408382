/** The cookies of a session that nobody has: how large a session becomes, for tools. Nothing is stored, announced or set. */
import { createContext } from "../context/context.js"
import { concreteCookies } from "../http/cookies.js"
import { craftIncoming } from "../http/incoming.js"
import { accountDigest } from "../sessions/current-session.js"
import { claimOf } from "../sessions/jwt-begin.js"
import { writeToken } from "../sessions/jwt-cookie.js"
import { passSignIn } from "../sessions/sign-in-token.js"
import type { Cookie } from "../types/config.js"
import type { Account, Profile, User } from "../types/identity.js"
import type { AuthService } from "./public.js"
import { settingsOf } from "./service.js"

/** Whose session is tried, and as after which sign-in. */
export interface SessionTrial {
  /** The user, as the `jwt` callback is shown them. */
  readonly user: User
  /** The account that the callback is shown, with its tokens. */
  readonly account: Account
  /** What the provider would have said of the person. */
  readonly profile?: Profile
  /** When the person would have signed in. */
  readonly now: Date
}

/**
 * Makes the cookies of a session in a token, as a first sign-in would. The `jwt` callback and `jwt.encode` are called; the
 * store, the records and the events are not.
 * @returns the cookies; none where the callback answers `null`; `undefined` with sessions in the database.
 * @throws AuthError when the callback fails, the session is larger than cookies can carry, or `jwt.encode` drops a claim.
 */
export async function trySession(
  auth: AuthService<unknown>,
  { user, account, profile, now }: SessionTrial,
): Promise<readonly Cookie[] | undefined> {
  const settings = settingsOf(auth)
  if (settings?.strategy !== "jwt") return undefined
  const source = { url: settings.fixedOrigin ?? "http://localhost:3000", headers: {} }
  const incoming = craftIncoming(source, { action: "session", method: "GET" }, settings)
  const context = createContext({ settings, incoming, now })
  // An `encode` of the application is tried with each claim that it has to keep.
  const isMarked = settings.store.isPresent && settings.options["jwt.encode"] !== undefined
  const marks = isMarked ? { unprovenAccount: await accountDigest(account) } : {}
  const login = { user, account, isNew: true, ...marks, ...(profile && { profile }) }
  const token = await passSignIn(
    context,
    login,
    settings.features.keepsFacts ? claimOf(context, login).claim : undefined,
  )
  return token ? concreteCookies(await writeToken(context, token), context) : []
}
