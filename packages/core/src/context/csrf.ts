/** Protection against forged requests: a token in the form or page, and the same token sealed in a cookie. */
import { defaults } from "../config/options.js"
import { chain } from "../crypto/cipher.js"
import { open, seal } from "../crypto/jwe.js"
import { randomHex, sha256Hex } from "../crypto/token.js"
import { MissingCSRF } from "../errors.js"
import { reasonNotSent } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { equalInConstantTime } from "../std/bytes.js"
import { isThenable } from "../std/deadline.js"
import { toSeconds } from "../std/time.js"
import type { Awaitable } from "../types/identity.js"
import type { Context } from "./context.js"
import { hasFitLength } from "./csrf-cookie.js"

/** A cookie that is older is sealed anew, so that it does not end while it is in use. */
const resealAfter = 24 * 60 * 60
/** The format of Auth.js: the token and SHA-256 of token and secret. */
const authJsForm = /^([0-9a-f]{64})\|([0-9a-f]{64})$/

interface Received {
  readonly token: string
  /** The cookie has to be written again: it is old, or in the format of Auth.js. */
  readonly isDue: boolean
}

/** A token for forms, and the cookie when it has to be set. */
export interface IssuedCsrf {
  /** Absent where there is no protection. */
  readonly token?: string
  readonly cookies: readonly CookieChange[]
}

/** The token for forms, and the cookie when it has to be set. A valid token is kept. Without protection there is none. */
export function issueCsrf(context: Context): Awaitable<IssuedCsrf> {
  if (context.settings.skipCsrfCheck) return { cookies: [] }
  return chain(read(context), (received) => {
    if (received && !received.isDue) return { token: received.token, cookies: [] }
    const token = received?.token ?? randomHex()
    return chain(sealed(context, token), (cookie) => ({ token, cookies: [cookie] }))
  })
}

/**
 * Says whether the request may change something: its form carries the token of its cookie, an integration has seen
 * that this application sent it, or the check is not needed. A request that is known to come from another site is refused even where
 * the token is switched off.
 */
export function verifyCsrf(context: Context): Awaitable<boolean> {
  const { incoming, settings } = context
  const { caller, sender } = incoming
  if (settings.skipCsrfCheck) return sender !== "foreign"
  if (sender === "own" || (caller === "server" && sender === undefined)) return true
  const given = incoming.form["csrfToken"]
  if (typeof given !== "string" || !given) return false
  return chain(read(context), (received) => received !== undefined && equalInConstantTime(received.token, given))
}

/** Lets a request pass that may change something. @throws MissingCSRF for any other */
export function requireCsrf(context: Context): Awaitable<void> {
  return chain(verifyCsrf(context), (isFit) => {
    if (!isFit) throw new MissingCSRF(explainCsrf(context))
  })
}

/** Why {@link verifyCsrf} said no, for the log: what came and what did not. */
export function explainCsrf(context: Context): string {
  const { cookies, incoming } = context
  if (incoming.sender === "foreign") return "A page of another origin sent the form."
  const { name, options } = cookies.csrfToken
  const field = incoming.form["csrfToken"]
  if (!incoming.cookies.has(name)) {
    const lost = reasonNotSent(context, options)
    return `The CSRF token cannot be compared, because its cookie "${name}" is missing${lost}. Load the page again and repeat.`
  }
  if (typeof field !== "string" || field === "") {
    return 'The form has no CSRF token. Send the token that GET "csrf" returns as the field "csrfToken".'
  }
  return "The CSRF token does not match its cookie. Load the page again and repeat."
}

/** A new token, after signing in or out. A browser that had none gets none. */
export function renewCsrf(context: Context): Awaitable<readonly CookieChange[]> {
  const { cookies, incoming, settings } = context
  if (settings.skipCsrfCheck || !incoming.cookies.has(cookies.csrfToken.name)) return []
  return chain(sealed(context, randomHex()), (cookie) => [cookie])
}

function sealed({ cookies, settings, now }: Context, csrfToken: string): Awaitable<CookieChange> {
  const salt = cookies.csrfToken.name
  const value = seal({ csrfToken }, { keyring: settings.keyring, salt, maxAge: defaults.csrfMaxAge, now })
  return chain(value, (sealedToken) => ({ role: "csrfToken", value: sealedToken }))
}

function read(context: Context): Awaitable<Received | undefined> {
  const { cookies, incoming } = context
  const value = incoming.cookies.get(cookies.csrfToken.name)
  if (!hasFitLength(value)) return undefined
  return value.includes("|") ? readAuthJsForm(context, value) : readSealed(context, value)
}

function readSealed({ cookies, settings, now }: Context, value: string): Awaitable<Received | undefined> {
  const unreadable = (): undefined => undefined
  try {
    const opened = open(value, { keyring: settings.keyring, salt: cookies.csrfToken.name, now })
    return isThenable(opened) ? opened.then((claims) => receivedOf(claims, now), unreadable) : receivedOf(opened, now)
  } catch {
    return undefined
  }
}

function receivedOf({ csrfToken: token, iat }: Readonly<Record<string, unknown>>, now: Date): Received | undefined {
  if (typeof token !== "string" || !token) return undefined
  return { token, isDue: typeof iat !== "number" || toSeconds(now) - iat >= resealAfter }
}

async function readAuthJsForm({ settings }: Context, value: string): Promise<Received | undefined> {
  const [, token, hash] = authJsForm.exec(value) ?? []
  if (!token || !hash) return undefined
  const { secrets } = settings.keyring
  let isOurs = false
  // Auth.js hashes with a list of secrets joined by commas; ours may have been rotated since.
  for (const secret of new Set([...secrets, secrets.join(",")])) {
    if (secret && equalInConstantTime(await sha256Hex(token + secret), hash)) isOurs = true
  }
  return isOurs ? { token, isDue: true } : undefined
}
