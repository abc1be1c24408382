/** How often this request may be repeated: by the person it names and the network it comes from, before anything is checked. */

import type { Settings } from "../config/settings.js"
import { TooManyRequests, UnreadableRequest } from "../errors.js"
import { budgetOf, type Endpoint } from "../http/endpoints.js"
import type { CookieChange, Result } from "../http/result.js"
import { type Counter, forgetPerson, tryAtPerson, tryInWindow, type Verdict } from "../ports/limiter.js"
import type { TryStore } from "../ports/try-store.js"
import { networkOf } from "../std/network.js"
import type { LimitBudget, PersonLimit } from "../types/limits.js"
import { addressOf } from "./address.js"
import type { Context } from "./context.js"
import { type CounterName, keyOf, personKeys } from "./count-keys.js"
import { refuseElsewhere } from "./elsewhere.js"
import { isKnownTo, type KnownBrowser, readBrowser, rememberIn } from "./known-browser.js"
import { hasNoAnswer } from "./no-answer.js"
import { type Named, readingsOf, whoIn } from "./typed.js"

/** How a request that was let through ended. `refused`: what it said was checked and is wrong. */
type TryOutcome = "signedIn" | "succeeded" | "refused" | "failed"
type Answered = Pick<Result, "cookies" | "staysCounted">

/** A request that was let through. */
export interface Passage {
  /** Settles what was counted; the browser of somebody who has signed in is known from then on. Never throws. */
  leave(ended: Answered | "succeeded" | "refused" | "failed"): Promise<readonly CookieChange[]>
}

const uncounted: Passage = { leave: async () => [] }

/** A request that was answered: has a session begun? */
function outcomeOf(ended: TryOutcome | Answered): TryOutcome {
  if (typeof ended === "string") return ended
  const { cookies, staysCounted } = ended
  if (staysCounted) return "refused"
  return cookies.some((change) => change.role === "sessionToken" && "value" in change) ? "signedIn" : "succeeded"
}

/**
 * Counts the request, and lets it through or refuses it.
 * @throws TooManyRequests when there were too many; MissingCSRF for one that a page of another site sent, which is not counted
 */
export async function enterLimits(context: Context, row: Pick<Endpoint, "limit">): Promise<Passage> {
  const name = budgetOf(row, context.provider?.type)
  if (!name || (name === "code" && !isGuessable(context))) return uncounted
  refuseElsewhere(context)
  return enter(context, name)
}

/**
 * Counts a response of a provider before its code is exchanged, by the size of the budget `ceremony`: whoever has begun one
 * sign-in could otherwise send any number of invented codes with its state, and each goes on to the provider. Counted apart from
 * sign-ins that begin, or those that others of the network begin would keep a person from ending theirs.
 * @throws TooManyRequests when there were too many
 */
export const enterExchange = (context: Context): Promise<Passage> => enter(context, "exchange")

async function enter(context: Context, name: CounterName): Promise<Passage> {
  const { limits } = context.settings
  if (!limits) return uncounted
  const store = limits.triesAt(context.now, (error) => context.log.error(error))
  const counted = await countersOf(context, name, limits.budgets[name === "exchange" ? "ceremony" : name])
  const passed: Passed[] = []
  for await (const attempt of counted.tries) {
    const verdict = await attempt(store)
    if (verdict.kind === "wait") throw refusalOf(context, verdict.until)
    passed.push(verdict)
  }
  return isChecked(name) ? { leave: (ended) => settleTries({ context, counted, passed }, outcomeOf(ended)) } : uncounted
}

/** Are there wrong tries and right ones? */
const isChecked = (name: CounterName): boolean => name === "guess" || name === "code" || name === "exchange"

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

type Attempt = (store: TryStore) => Promise<Verdict>

interface Counted {
  readonly tries: AsyncIterable<Attempt> | readonly Attempt[]
  /** Whether a success forgets what the last of `tries` counted: at the person, or in a known browser. */
  readonly mayForget: boolean
  /** Whether somebody is named for sure, in a field that the application has listed. */
  readonly isNamed: boolean
  /** Who was named, character by character, and at which provider: to them the browser is known after a success. */
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
  // A page that always asks to confirm a link has not looked at it.
  const isProven = outcome === "signedIn" || (outcome === "succeeded" && context.provider?.type === "credentials")
  try {
    const last = isProven && counted.mayForget ? passed.at(-1) : undefined
    const isForgotten = last?.forget !== undefined && (await last.forget())
    // The page that asked to confirm counted against the network as well, and showed a right code.
    const tries = isForgotten && last.isFurther && isConfirmed(context) ? 2 : 1
    const isUnanswered = outcome === "failed" && hasNoAnswer(context)
    for (const verdict of passed) {
      const isPerson = verdict.forget !== undefined
      // What stays counted, or is forgotten as a whole, is not given back.
      const stays = isUnanswered ? isPerson || !counted.isNamed : isForgotten && verdict === last
      if (!stays) await verdict.giveBack(tries)
    }
    return outcome === "signedIn" && written !== undefined ? [await rememberIn(context, browser, written)] : []
  } catch (error) {
    // The answer stands: at worst a try too many is counted.
    context.log.error(error as Error)
    return []
  }
}

/** Was the button pressed on a page that counted as a try? */
function isConfirmed({ provider, incoming }: Context): boolean {
  return incoming.method === "POST" && provider?.type === "email" && provider.config.confirm === "other-browser"
}

async function countersOf(context: Context, name: CounterName, budget: LimitBudget): Promise<Counted> {
  const { now } = context
  const { person } = budget
  const who = person ? whoIn(context) : undefined
  const { people = [], written = "" } = who ?? {}
  const [only] = who?.isCertain ? people : []
  const browser = isChecked(name) && only ? await readBrowser(context) : undefined
  if (person && only && browser && (await isKnownTo(context, browser, written))) {
    // Neither strangers who guess at the person nor those who share the network count against this browser.
    const key = await keyOf(context, [name, "browser", browser.id, written])
    const [own = ""] = await personKeys(context, name, only)
    const counter: Counter<PersonLimit> = { key, person: own, limit: person, now }
    const atBrowser: Attempt = (store) => tryAtPerson(store, counter)
    // Where another field may say who it is, a known browser may guess at anybody.
    const atNetwork = who?.isSure ? undefined : await networkTry(context, name, budget)
    const tries = atNetwork ? [atNetwork, atBrowser] : [atBrowser]
    return { tries, mayForget: true, isNamed: who?.isSure === true, written, browser }
  }
  const tries = triesOf({ context, name, budget, who })
  const isNamed = who?.isSure === true && (people.length > 0 || who.isOdd)
  // Of several names nobody knows by which one the application has found somebody.
  return only ? { tries, mayForget: true, isNamed, written, browser } : { tries, mayForget: false, isNamed }
}

interface Counting {
  readonly context: Context
  readonly name: CounterName
  readonly budget: LimitBudget
  readonly who: Named | undefined
}

/** One is made when those before it were let through: to fold a name takes time, which is not spent on a network that has to wait. */
async function* triesOf({ context, name, budget, who }: Counting): AsyncGenerator<Attempt> {
  const { now } = context
  const { person } = budget
  const atNetwork = await networkTry(context, name, budget)
  if (atNetwork) yield atNetwork
  if (!person || !who) return
  if (who.isOdd) {
    const key = await keyOf(context, [name, "odd names"])
    yield (store) => tryAtPerson(store, { key, limit: person, now })
  }
  const keys = await Promise.all(who.people.map((typed) => personKeys(context, name, typed)))
  const [key, ...others] = new Set(keys.flat())
  if (key === undefined) return
  for (const other of others) yield (store) => tryAtPerson(store, { key: other, limit: person, now })
  const spelling = await keyOf(context, [name, "spelling", who.written])
  yield (store) => tryAtPerson(store, { key, spelling, limit: person, now })
}

/** @throws UnreadableRequest where nobody knows any more from where it came */
async function networkTry(context: Context, name: CounterName, { network }: LimitBudget): Promise<Attempt | undefined> {
  if (!network) return undefined
  const address = addressOf(context)
  if (address === null) throw clientGone()
  const from = networkOf(address)
  if (from === undefined) return undefined
  const key = await keyOf(context, [name, "network", from])
  return (store) => tryInWindow(store, { key, limit: network, now: context.now })
}

/** Whoever resets a connection hides where it came from, and what was sent would be carried out all the same. */
function clientGone(): UnreadableRequest {
  return new UnreadableRequest(
    "The other end has ended the connection, so that the request can be counted at no network.",
  )
}

const before = new Date(0)

/**
 * Forgets what was counted for whoever types `who`, where several fields say who it is into all of them.
 * @throws AdapterError when the records cannot be asked
 */
export async function forgetTyped(settings: Settings, who: string | readonly string[]): Promise<void> {
  const { records, caches } = settings
  for (const typed of readingsOf(settings, who)) {
    for (const name of ["guess", "code", "mail"] as const) {
      for (const key of await personKeys({ settings }, name, typed)) {
        if (records.isPresent) await forgetPerson(records, key, before)
        // Counted here while the records could not be asked.
        await forgetPerson(caches.tries, key, before)
      }
    }
  }
}

function refusalOf({ now }: Context, until: Date): TooManyRequests {
  const error = new TooManyRequests("There were too many tries.")
  error.retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return error
}
