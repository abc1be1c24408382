/**
 * Browsers in which somebody has signed in with a password before: they have a budget of their own, so that strangers who
 * guess at the same person do not slow them. A sealed cookie names the browser, and at most three people by keyed hashes.
 */
import { open, seal } from "../crypto/jwe.js"
import { keyedHash, randomBase64url } from "../crypto/token.js"
import type { CookieChange } from "../http/result.js"
import { secondsAfter } from "../std/time.js"
import type { Context } from "./context.js"

/** A browser that said which it is. */
export interface KnownBrowser {
  /** 128 random bits, the same for as long as the cookie is renewed: a new sign-in brings no second budget. */
  readonly id: string
  /** Who signed in, newest first: beginnings of keyed hashes. */
  readonly people: readonly string[]
}

const mostPeople = 3
/** Seconds: 400 days, the longest that browsers keep a cookie (RFC 6265bis §5.5). */
const lifetime = 400 * 24 * 60 * 60
/** Characters of a hash: 132 bits. */
const hashLength = 22

/** The browser of this request; `undefined` when its cookie is missing, too old, or not one of ours. */
export async function readBrowser(context: Context): Promise<KnownBrowser | undefined> {
  const { cookies, incoming, now, settings } = context
  const { name } = cookies.device
  const sealed = incoming.cookies.get(name)
  if (!sealed) return undefined
  try {
    const { id, people } = await open(sealed, { keyring: settings.keyring, salt: name, now })
    if (typeof id !== "string" || !Array.isArray(people)) return undefined
    return { id, people: people.filter((person): person is string => typeof person === "string") }
  } catch {
    context.log.debug("The cookie of a known browser cannot be opened: the browser counts as unknown.")
    return undefined
  }
}

/** Has this person signed in in this browser? A secret that was rotated since makes no difference. */
export async function isKnownTo(context: Context, { people }: KnownBrowser, person: string): Promise<boolean> {
  if (people.length === 0) return false
  for (const index of context.settings.keyring.secrets.keys()) {
    if (people.includes(await hashOf(context, { person, index }))) return true
  }
  return false
}

/** The cookie of a browser in which this person has just signed in. */
export async function rememberIn(
  context: Context,
  browser: KnownBrowser | undefined,
  person: string,
): Promise<CookieChange> {
  const { cookies, now, settings } = context
  const hash = await hashOf(context, { person, index: 0 })
  const others = (browser?.people ?? []).filter((other) => other !== hash)
  const claims = { id: browser?.id ?? randomBase64url(16), people: [hash, ...others].slice(0, mostPeople) }
  const sealing = { keyring: settings.keyring, salt: cookies.device.name, maxAge: lifetime, now }
  return { role: "device", value: await seal(claims, sealing), expires: secondsAfter(now, lifetime) }
}

async function hashOf(
  { settings }: Context,
  { person, index }: { readonly person: string; readonly index: number },
): Promise<string> {
  const { bytes } = await settings.keyring.derive(index, "latchkey.device")
  return (await keyedHash(bytes, person)).slice(0, hashLength)
}
