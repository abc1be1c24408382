/**
 * Sessions without a store: the claims are sealed into the cookie, and every access passes through the jwt callback.
 * Here is what reading a session needs; `jwt-visits.ts` begins and ends them, `jwt-facts.ts` reads those that rest on more than their token.
 */
import { warnOnce } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { chain } from "../crypto/cipher.js"
import { AdapterError, InvalidConfiguration, JWTSessionError, MissingAdapterMethods } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { isThenable } from "../std/deadline.js"
import { fromModule } from "../std/lazy.js"
import type { Awaitable } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { type Access, explained, passAccess, presentToken } from "./callbacks.js"
import { changedCookie, keepChanged, type Peeked, peeked } from "./changed-token.js"
import { withoutDigest } from "./facts-claim.js"
import { endOf, endOfNew, isDue, readToken, writeToken } from "./jwt-cookie.js"
import { type Checked, ended, noSession, type Strategy } from "./strategy.js"
import { isTokenOver } from "./token-over.js"

// Sign-ins, and sessions that are kept in records, load more anyway: most requests only read a session.
const visits = (): Promise<typeof import("./jwt-visits.js")> => import("./jwt-visits.js")

const accessWithFacts = fromModule(
  () => import("./jwt-facts.js"),
  (module) => module.accessWithFacts,
)

/** Sessions in a sealed cookie. */
export const jwtStrategy: Strategy = {
  beginsInStore: false,
  peek: fromModule(visits, ({ peek }) => peek),
  sessionUser: fromModule(visits, ({ sessionUser }) => sessionUser),
  leaves,
  check: (context, fixed) => access(context, { fixed }),
  update: (context, data) => access(context, { update: { data } }),
  begin: fromModule(visits, ({ begin }) => begin),
  end: fromModule(visits, ({ end }) => end),
}

function leaves(context: Context): Awaitable<readonly CookieChange[]> {
  const pending = context.kept<Promise<Peeked>>(peeked)
  if (!pending) return changedCookie(context)
  return pending.then(
    ({ cookies }) => cookies,
    () => [],
  )
}

function access(context: Context, given: Access): Awaitable<Checked> {
  return chain(readToken(context), (carried) => {
    if (carried.kind === "none") return noSession
    return carried.kind === "broken" ? ended : accessClaims(context, carried.claims, given)
  })
}

function accessClaims(context: Context, claims: JWT, given: Access): Awaitable<Checked> {
  try {
    const { keepsFacts } = context.settings.features
    const checked = keepsFacts ? accessWithFacts(context, claims, given) : slide(context, claims, given)
    return isThenable(checked) ? checked.then(undefined, failedAccess) : checked
  } catch (thrown) {
    return failedAccess(thrown)
  }
}

/** An error is not a missing session: the cookie stays. */
function failedAccess(thrown: unknown): never {
  if (thrown instanceof InvalidConfiguration || thrown instanceof MissingAdapterMethods) throw thrown
  const error = explained(JWTSessionError, thrown)
  if (!(thrown instanceof AdapterError)) error.status = 500
  throw error
}

/** Asks the callbacks; seals anew only what changed or is due, and can still be set. Waits for nothing that is there at once. */
function slide(context: Context, claims: JWT, { update, fixed = false }: Access): Awaitable<Checked> {
  // Before the callback, which may look for the user as well and fail without it.
  return chain(isTokenOver(context, claims), (isOver) => {
    if (isOver) return ended
    return chain(passAccess(context, claims, update), ({ token, isChanged }) => {
      if (!token) return ended
      if (fixed && isChanged) warnOnce(context.settings, "session-not-saved")
      const isNew = !fixed && (isChanged || isDue(context, claims))
      const expires = isNew ? endOfNew(context) : endOf(context, claims)
      return chain(isNew ? writeToken(context, token) : [], (cookies) => {
        if (isChanged) keepChanged(context, cookies)
        return chain(presentToken(context, { token, expires, update }), (session) => ({
          session,
          cookies,
          events: session ? [{ kind: "session", message: { token: withoutDigest(token) } }] : [],
        }))
      })
    })
  })
}
