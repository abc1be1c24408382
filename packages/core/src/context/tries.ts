/** How often this request may be repeated: by the person it names and the network it comes from, before anything is checked. */

import type { Settings } from "../config/settings.js"
import { keyedHash } from "../crypto/token.js"
import { TooManyRequests } from "../errors.js"
import { budgetOf, type Endpoint } from "../http/endpoints.js"
import type { CookieChange, Result } from "../http/result.js"
import { type Counter, forgetPerson, tryAtPerson, tryInWindow, type Verdict } from "../ports/limiter.js"
import type { TryStore } from "../ports/try-store.js"
import { folded } from "../std/folded.js"
import { networkOf } from "../std/network.js"
import type { BudgetName, LimitBudget, PersonLimit } from "../types/limits.js"
import { addressOf } from "./address.js"
import type { Context } from "./context.js"
import { isKnownTo, type KnownBrowser, readBrowser, rememberIn } from "./known-browser.js"
import { hasNoAnswer } from "./no-answer.js"

/** How a request that was let through ended. `refused`: what it said was checked and is wrong. */
type TryOutcome = "signedIn" | "succeeded" | "refused" | "failed"
type Answered = Pick<Result, "cookies">

/** A request that was let through. */
export interface Passage {
  /** Settles what was counted; the browser of somebody who has signed in is known from then on. Never throws. */
  leave(ended: Answered | "refused" | "failed"): Promise<readonly CookieChange[]>
}

const uncounted: Passage = { leave: async () => [] }

/** A request that was answered: has a session begun? */
function outcomeOf(ended: TryOutcome | Answered): TryOutcome {
  if (typeof ended === "string") return ended
  const { cookies } = ended
  return cookies.some((change) => change.role === "sessionToken" && "value" in change) ? "signedIn" : "succeeded"
}

/**
 * Counts the request, and lets it through or refuses it.
 * @throws TooManyRequests when there were too many
 */
export async function enterLimits(context: Context, row: Pick<Endpoint, "limit">): Promise<Passage> {
  const { limits } = context.settings
  const name = limits && budgetOf(row, context.provider?.type)
  if (!limits || !name || (row.limit === "code" && !isGuessable(context))) return uncounted
  const store = limits.triesAt(context.now, (error) => context.log.error(error))
  const counted = await countersOf(context, name, limits.budgets[name])
  const passed: Passed[] = []
  for (const attempt of counted.tries) {
    const verdict = await attempt(store)
    if (verdict.kind === "wait") throw refusalOf(context, verdict.until)
    passed.push(verdict)
  }
  return name === "guess"
    ? { leave: (ended) => settleTries({ context, counted, passed }, outcomeOf(ended)) }
    : uncounted
}

/** Shorter than a random token that nobody can guess: 112 bits in base64url. */
const leastToken = 19

/**
 * Can a link be guessed? What came is as short as a code that people type, so it is none of the service's own. Another
 * provider may have mailed it, or another application with the same store and secret: rows do not say which.
 */
function isGuessable({ provider, incoming }: Context): boolean {
  return provider?.type === "email" && (incoming.query["token"] ?? "").length < leastToken
}

type Passed = Extract<Verdict, { kind: "go" }>

interface Counted {
  readonly tries: readonly ((store: TryStore) => Promise<Verdict>)[]
  /** Who was named, character by character, and at which provider. A success forgets what the last of `tries` counted: at the person, or in a known browser. */
  readonly written?: string
  readonly browser?: KnownBrowser | undefined
}

interface Settling {
  readonly context: Context
  readonly counted: Counted
  readonly passed: readonly Passed[]
}

/**
 * Wrong tries stay counted; correct ones do not, nor those that could not be checked. Where the application gave no answer,
 * nobody knows which it was: it counts at the person, and not against those who share the network while the application is out
 * of order.
 */
async function settleTries(
  { context, counted, passed }: Settling,
  outcome: TryOutcome,
): Promise<readonly CookieChange[]> {
  if (outcome === "refused") return []
  const { written, browser } = counted
  // A page that asks to confirm a link has not looked at it.
  const isProven = outcome === "signedIn" || (outcome === "succeeded" && context.provider?.type === "credentials")
  try {
    const forget = isProven && written !== undefined ? passed.at(-1)?.forget : undefined
    // What stays counted, or is forgotten as a whole, is not given back.
    const isSettled = (outcome === "failed" && hasNoAnswer(context)) || (forget !== undefined && (await forget()))
    for (const verdict of isSettled ? passed.slice(0, -1) : passed) await verdict.giveBack()
    return outcome === "signedIn" && written !== undefined ? [await rememberIn(context, browser, written)] : []
  } catch (error) {
    // The answer stands: at worst a try too many is counted.
    context.log.error(error as Error)
    return []
  }
}

async function countersOf(context: Context, name: BudgetName, { network, person }: LimitBudget): Promise<Counted> {
  const { now } = context
  const said = person && typedIn(context)
  const typed = said === undefined ? undefined : folded(said)
  const written = writtenIn(context)
  const browser = name === "guess" && typed !== undefined ? await readBrowser(context) : undefined
  if (person && typed !== undefined && browser && (await isKnownTo(context, browser, written))) {
    // Neither strangers who guess at the person nor those who share the network count against this browser.
    const key = await keyOf(context, [name, "browser", browser.id, written])
    const counter: Counter<PersonLimit> = { key, person: await personKey(context, name, typed), limit: person, now }
    return { tries: [(store) => tryAtPerson(store, counter)], written, browser }
  }
  const tries: Counted["tries"][number][] = []
  const from = network && networkOf(addressOf(context))
  if (network && from !== undefined) {
    const counter: Counter<typeof network> = { key: await keyOf(context, [name, "network", from]), limit: network, now }
    tries.push((store) => tryInWindow(store, counter))
  }
  if (!person || typed === undefined) {
    if (person && hasOddName(context)) {
      const key = await keyOf(context, [name, "odd names"])
      tries.push((store) => tryAtPerson(store, { key, limit: person, now }))
    }
    return { tries }
  }
  const key = await personKey(context, name, typed)
  const spelling = await keyOf(context, [name, "spelling", written])
  tries.push((store) => tryAtPerson(store, { key, spelling, limit: person, now }))
  return { tries, written, browser }
}

const before = new Date(0)

/** Forgets what was counted for whoever types `who`. @throws AdapterError when the records cannot be asked */
export async function forgetTyped(settings: Settings, who: string): Promise<void> {
  const { records, caches } = settings
  for (const name of ["guess", "mail"] as const) {
    const key = await personKey({ settings }, name, who)
    if (records.isPresent) await forgetPerson(records, key, before)
    // Counted here while the records could not be asked.
    await forgetPerson(caches.tries, key, before)
  }
}

/** The key under which tries at somebody are counted. */
function personKey(context: Pick<Context, "settings">, name: BudgetName, typed: string): Promise<string> {
  return keyOf(context, [name, "person", folded(typed)])
}

/** Nothing that was typed and no address is kept: a keyed hash stands for them. */
async function keyOf({ settings }: Pick<Context, "settings">, parts: readonly string[]): Promise<string> {
  const { bytes } = await settings.keyring.derive(0, "latchkey.limits")
  return keyedHash(bytes, JSON.stringify(parts))
}

/** Who the request says it is about: the address a mail goes to or a link was sent to, the name beside a password. */
export function typedIn(context: Context): string | undefined {
  const { provider, incoming } = context
  const typed = nameIn(rawIn(context))
  if (provider?.type !== "email" || incoming.route?.action === "callback") return typed
  return mailAddressOf(typed, provider.config.normalizeIdentifier)
}

/** The field that names somebody, as it came. */
function rawIn({ provider, incoming }: Context): unknown {
  if (provider?.type === "email")
    return (incoming.route?.action === "callback" ? incoming.query : incoming.form)["email"]
  const field = provider?.type === "credentials" ? accountFieldOf(provider.config) : undefined
  return field === undefined ? undefined : incoming.form[field]
}

/** Another provider may have the same name in a table of its own, as somebody else's: what is right there says nothing here. */
function writtenIn(context: Context): string {
  const raw = rawIn(context)
  // Objects name nobody, and some cannot be made a text.
  return JSON.stringify([context.provider?.id, typeof raw === "object" ? "" : String(raw)])
}

function nameIn(typed: unknown): string | undefined {
  const text = typeof typed === "string" ? typed.trim() : typeof typed === "number" ? String(typed) : ""
  return text === "" ? undefined : text.slice(0, longestTyped)
}

/**
 * Does a list, an object or a truth value stand where a name is expected? No page sends one, but an application or a database
 * that reads it loosely finds a person in it, in any number of ways to write it: all of them are counted together.
 */
function hasOddName({ provider, incoming }: Context): boolean {
  if (provider?.type !== "credentials") return false
  const field = accountFieldOf(provider.config)
  const given = field === undefined ? undefined : incoming.form[field]
  return typeof given === "boolean" || (typeof given === "object" && given !== null)
}

/** Many spellings may lead to one mailbox, so the address is counted as the provider's own function reads it. */
function mailAddressOf(typed: string | undefined, normalize?: (identifier: string) => string): string | undefined {
  if (typed === undefined || !normalize) return typed
  try {
    return String(normalize(typed))
  } catch {
    // What it refuses gets no mail.
    return undefined
  }
}

/** Characters of a name that are looked at. */
const longestTyped = 512

function accountFieldOf(config: {
  readonly accountField?: string | undefined
  readonly credentials?: Readonly<Record<string, { readonly type?: unknown }>>
}): string | undefined {
  if (config.accountField !== undefined) return config.accountField
  return Object.entries(config.credentials ?? {}).find(([name, input]) => !isPassword(name, input?.type))?.[0]
}

/** Applications with a page of their own leave the type out. */
function isPassword(name: string, type: unknown): boolean {
  return type === "password" || (type === undefined && /pass(?!port)|pwd/i.test(name))
}

function refusalOf({ now }: Context, until: Date): TooManyRequests {
  const error = new TooManyRequests("There were too many tries.")
  error.retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return error
}
