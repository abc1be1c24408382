/** Sessions without a store: the claims are sealed into the cookie, and every access passes through the jwt callback. */
import type { Context } from "../context/context.js"
import { CallbackRouteError, InvalidConfiguration, JWTSessionError, SignOutError } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { CallbacksOptions } from "../types/hooks.js"
import type { AdapterUser } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { presentToken, type Update } from "./present.js"
import type { Changed, Checked, Login, Presence, Strategy } from "./strategy.js"
import { fingerprint, isClaims, readToken, shown, writeToken } from "./token.js"

/** Sessions in a sealed cookie. */
export const jwtStrategy: Strategy = {
  beginsInStore: false,
  peek,
  check: (context) => access(context, undefined),
  update: (context, data) => access(context, { data }),
  begin,
  end,
}

const clear: readonly CookieChange[] = Object.freeze([{ role: "sessionToken", clear: true } as const])
const nobody: Checked = Object.freeze({ session: null, cookies: Object.freeze([]), events: Object.freeze([]) })
const ended: Checked = Object.freeze({ ...nobody, cookies: clear })

async function peek({ settings, ...rest }: Context): Promise<Presence | null> {
  const carried = await readToken({ settings, ...rest })
  const id = carried.kind === "token" ? carried.claims.sub : undefined
  if (carried.kind !== "token" || id === undefined || id === "") return null
  const { store } = settings
  if (store.isPresent && store.has("getUser")) {
    const user = await store.getUser(id)
    return user && { user, session: undefined }
  }
  return { user: userOf(id, carried.claims), session: undefined }
}

function userOf(id: string, { name, email, picture, image }: JWT): AdapterUser {
  return {
    id,
    name: name ?? null,
    email: email ?? "",
    image: typeof image === "string" ? image : (picture ?? null),
    emailVerified: null,
  }
}

async function access(context: Context, update: Update | undefined): Promise<Checked> {
  const carried = await readToken(context)
  if (carried.kind === "none") return nobody
  if (carried.kind === "broken") return ended
  const before = { print: fingerprint(carried.claims), claims: carried.claims }
  try {
    const token = await askJwt(context, {
      token: { ...carried.claims },
      ...(update && { trigger: "update", session: update.data }),
    })
    if (!token) return ended
    const followed = followPicture(token, before.claims)
    const isDue = isSealingDue(context, carried.claims) || fingerprint(followed) !== before.print
    const cookies = isDue ? await writeToken(context, followed) : []
    const expires = isDue ? endOfNew(context) : endOf(context, carried.claims)
    const session = await presentToken(context, { token: followed, expires, update })
    return { session, cookies, events: session ? [{ kind: "session", message: { token: followed } }] : [] }
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration) throw thrown
    const error = new JWTSessionError(asError(thrown))
    error.status = 500
    throw error
  }
}
