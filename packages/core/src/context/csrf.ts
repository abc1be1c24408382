/** Protection against forged requests: a token in the form or page, and the same token sealed in a cookie. */
import { defaults } from "../config/options.js"
import { open, seal } from "../crypto/jwe.js"
import { randomHex, sha256Hex } from "../crypto/token.js"
import { reasonNotSent } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { equalInConstantTime } from "../std/bytes.js"
import { toSeconds } from "../std/time.js"
import type { Context } from "./context.js"

/** A cookie that is older is sealed anew, so that it does not end while it is in use. */
const resealAfter = 24 * 60 * 60
/** Far beyond any form of the cookie. */
const longestCookie = 2048
/** The format of Auth.js: the token and SHA-256 of token and secret. */
const authJsForm = /^([0-9a-f]{64})\|([0-9a-f]{64})$/

interface Received {
  readonly token: string
  /** The cookie has to be written again: it is old, or in the format of Auth.js. */
  readonly isDue: boolean
}

/** The token for forms, and the cookie when it has to be set. A valid token is kept. Without protection there is none. */
export async function issueCsrf(context: Context): Promise<{ token?: string; cookies: CookieChange[] }> {
  if (context.settings.skipCsrfCheck) return { cookies: [] }
  const received = await read(context)
  if (received && !received.isDue) return { token: received.token, cookies: [] }
  const token = received?.token ?? randomHex()
  return { token, cookies: [await sealed(context, token)] }
}

/**
 * Says whether the request may change something: its form carries the token of its cookie, an integration has seen
 * that this application sent it, or the check is not needed. A request that is known to come from another site is refused even where
 * the token is switched off.
 */
export async function verifyCsrf(context: Context): Promise<boolean> {
  const { incoming, settings } = context
  const { caller, sender } = incoming
  if (settings.skipCsrfCheck) return sender !== "foreign"
  if (sender === "own" || (caller === "server" && sender === undefined)) return true
  const given = incoming.form["csrfToken"]
  if (typeof given !== "string" || !given) return false
  const received = await read(context)
  return received !== undefined && equalInConstantTime(received.token, given)
}

/**
 * Can {@link verifyCsrf} say yes, whatever the form holds? Where it cannot, the body of a request need not be read.
 */
export function mayPassCsrf({
  cookies,
  incoming,
  settings,
}: Pick<Context, "cookies" | "incoming" | "settings">): boolean {
  const { sender } = incoming
  return settings.skipCsrfCheck
    ? sender !== "foreign"
    : sender === "own" || hasFitLength(incoming.cookies.get(cookies.csrfToken.name))
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
export async function renewCsrf(context: Context): Promise<CookieChange[]> {
  const { cookies, incoming, settings } = context
  if (settings.skipCsrfCheck || !incoming.cookies.has(cookies.csrfToken.name)) return []
  return [await sealed(context, randomHex())]
}

async function sealed({ cookies, settings, now }: Context, csrfToken: string): Promise<CookieChange> {
  const salt = cookies.csrfToken.name
  const value = await seal({ csrfToken }, { keyring: settings.keyring, salt, maxAge: defaults.csrfMaxAge, now })
  return { role: "csrfToken", value }
}

async function read(context: Context): Promise<Received | undefined> {
  const { cookies, incoming } = context
  const value = incoming.cookies.get(cookies.csrfToken.name)
  if (!hasFitLength(value)) return undefined
  return value.includes("|") ? readAuthJsForm(context, value) : readSealed(context, value)
}

function hasFitLength(cookie: string | undefined): cookie is string {
  return cookie !== undefined && cookie !== "" && cookie.length <= longestCookie
}

async function readSealed({ cookies, settings, now }: Context, value: string): Promise<Received | undefined> {
  try {
    const opened = await open(value, { keyring: settings.keyring, salt: cookies.csrfToken.name, now })
    const { csrfToken: token, iat } = opened
    if (typeof token !== "string" || !token) return undefined
    return { token, isDue: typeof iat !== "number" || toSeconds(now) - iat >= resealAfter }
  } catch {
    return undefined
  }
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
