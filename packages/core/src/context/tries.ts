/** How often this request may be repeated: by the person it names and the network it comes from, before anything is checked. */

import type { Settings } from "../config/settings.js"
import { TooManyRequests } from "../errors.js"
import { budgetOf, type Endpoint } from "../http/endpoints.js"
import type { CookieChange, Result } from "../http/result.js"
import { forgetPerson, forgetWindow } from "../ports/limiter.js"
import type { Context } from "./context.js"
import { type CounterName, keyOfBrowsers, personKeys } from "./count-keys.js"
import { type Counted, countersOf, isChecked, type Passed } from "./counters.js"
import { refuseElsewhere } from "./elsewhere.js"
import { rememberIn } from "./known-browser.js"
import { hasNoAnswer } from "./no-answer.js"
import { readingsOf } from "./typed.js"

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

/** Shorter than a random token that nobody can guess: 112 bits in base64url. */
const leastToken = 19

/**
 * Can a link be guessed? What came is as short as a code that people type, so it is none of the service's own. Another
 * provider may have mailed it, or another application with the same store and secret: rows do not say which.
 */
function isGuessable({ provider, incoming }: Context): boolean {
  return provider?.type === "email" && (incoming.query["token"] ?? "").length < leastToken
}

interface Settling {
  readonly context: Context
  readonly counted: Counted
  readonly passed: readonly Passed[]
}

/**
 * Wrong tries stay counted; correct ones do not, nor those that could not be checked. Where the application gave no answer,
 * or a right password leads elsewhere, nobody knows which it was: it counts at the person, and not against those who share the
 * network while the application is out of order, or have a second step.
 */
async function settleTries(
  { context, counted, passed }: Settling,
  outcome: TryOutcome,
): Promise<readonly CookieChange[]> {
  if (outcome === "refused") return []
  const { written, browser } = counted
  const isPassword = context.provider?.type === "credentials"
  // Neither is one that leads elsewhere: a second factor that came with the password may have been wrong, and a page that always
  // asks to confirm a link has not looked at it.
  const isProven = outcome === "signedIn"
  try {
    const forgotten = isProven && counted.mayForget ? await forgetAll(passed) : []
    // The page that asked to confirm counted against the network as well, and showed a right code.
    const tries = forgotten.some(({ isFurther }) => isFurther) && isConfirmed(context) ? 2 : 1
    const isUndecided = (outcome === "failed" && hasNoAnswer(context)) || (outcome === "succeeded" && isPassword)
    for (const verdict of passed) {
      const isPerson = verdict.forget !== undefined
      // What stays counted, or is forgotten as a whole, is not given back.
      const stays = isUndecided ? isPerson || !counted.isNamed : forgotten.includes(verdict)
      if (!stays) await verdict.giveBack(tries)
    }
    return outcome === "signedIn" && written !== undefined ? [await rememberIn(context, browser, written)] : []
  } catch (error) {
    // The answer stands: at worst a try too many is counted.
    context.log.error(error as Error)
    return []
  }
}

/** Those of which everything is forgotten: a name counts in as many places as there are ways to read it. */
async function forgetAll(passed: readonly Passed[]): Promise<readonly Passed[]> {
  const forgotten: Passed[] = []
  for (const verdict of passed) if (await verdict.forget?.()) forgotten.push(verdict)
  return forgotten
}

/** Was the button pressed on a page that counted as a try? */
function isConfirmed({ provider, incoming }: Context): boolean {
  return incoming.method === "POST" && provider?.type === "email" && provider.config.confirm === "other-browser"
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
        const ofBrowsers = await keyOfBrowsers({ settings }, name, key)
        // Counted here while the records could not be asked.
        for (const store of records.isPresent ? [records, caches.tries] : [caches.tries]) {
          await forgetPerson(store, key, before)
          await forgetWindow(store, ofBrowsers, before)
        }
      }
    }
  }
}

function refusalOf({ now }: Context, until: Date): TooManyRequests {
  const error = new TooManyRequests("There were too many tries.")
  error.retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return error
}
