/** At whom and at which network the tries of a request count, each by its own counter. */

import { UnreadableRequest } from "../errors.js"
import { type Counter, tryAtPerson, tryInWindow, type Verdict } from "../ports/limiter.js"
import type { TryStore } from "../ports/try-store.js"
import { networkOf } from "../std/network.js"
import type { LimitBudget, PersonLimit } from "../types/limits.js"
import { addressOf } from "./address.js"
import type { Context } from "./context.js"
import { type CounterName, keyOf, keyOfBrowsers, personKeys } from "./count-keys.js"
import { isKnownTo, type KnownBrowser, readBrowser } from "./known-browser.js"
import { type Named, whoIn } from "./typed.js"

/** A try that was let through, by one counter. */
export type Passed = Extract<Verdict, { kind: "go" }>

type Attempt = (store: TryStore) => Promise<Verdict>

/** What a request counts at. */
export interface Counted {
  /** One is made when those before it were let through. */
  readonly tries: AsyncIterable<Attempt>
  /** Whether a success forgets what was counted: at the person, or in a known browser. */
  readonly mayForget: boolean
  /** Whether somebody is named for sure, in a field that the application has listed. */
  readonly isNamed: boolean
  /** Who was named, character by character, and at which provider: to them the browser is known after a success. */
  readonly written?: string
  readonly browser?: KnownBrowser | undefined
}

/** Are there wrong tries and right ones? */
export const isChecked = (name: CounterName): boolean => name === "guess" || name === "code" || name === "exchange"

interface Counting {
  readonly context: Context
  readonly name: CounterName
  readonly budget: LimitBudget
  readonly who: Named | undefined
}

/** Whom a request names, whether its browser is known to them, and what that counts at. */
export async function countersOf(context: Context, name: CounterName, budget: LimitBudget): Promise<Counted> {
  const who = budget.person ? whoIn(context) : undefined
  const { people = [], written = "" } = who ?? {}
  // Of several readings of one name the last is what all ways to write it have in common.
  const only = who?.isCertain ? people.at(-1) : undefined
  const browser = isChecked(name) && only ? await readBrowser(context) : undefined
  const counting = { context, name, budget, who }
  if (budget.person && only && browser && (await isKnownTo(context, browser, written))) {
    const tries = triesInBrowser(counting, { browser, only, limit: budget.person })
    return { tries, mayForget: true, isNamed: who?.isSure === true, written, browser }
  }
  const tries = triesOf(counting)
  const isNamed = who?.isSure === true && (people.length > 0 || who.isOdd)
  // Of several names nobody knows by which one the application has found somebody.
  return only ? { tries, mayForget: true, isNamed, written, browser } : { tries, mayForget: false, isNamed }
}

/** To fold a name takes time, which is not spent on a network that has to wait. */
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
  const spelling = await keyOf(context, [name, "spelling", who.written])
  for (const one of [...others, key]) yield (store) => tryAtPerson(store, { key: one, spelling, limit: person, now })
}

interface InBrowser {
  readonly browser: KnownBrowser
  readonly only: readonly string[]
  readonly limit: PersonLimit
}

/**
 * Neither strangers who guess at the person nor those who share the network count against this browser. Whoever knew the
 * password once may have made any number of known browsers: all of them together have as many wrong tries as one person, and
 * beyond that they count at the network as well. Not at the person, where strangers have counted: several people may have a name
 * that is read alike, and one of them could keep the others out.
 */
async function* triesInBrowser(counting: Counting, { browser, only, limit }: InBrowser): AsyncGenerator<Attempt> {
  const { context, name, budget, who } = counting
  const { now } = context
  // Where another field may say who it is, a known browser may guess at anybody.
  const atNetwork = who?.isSure ? undefined : await networkTry(context, name, budget)
  if (atNetwork) yield atNetwork
  const [own = ""] = await personKeys(context, name, only)
  const ofAll = { key: await keyOfBrowsers(context, name, own), limit: { free: limit.most, window: limit.window }, now }
  let all: Verdict | undefined
  yield async (store) => {
    all = await tryInWindow(store, ofAll)
    return passedBy
  }
  const isUsedUp = all?.kind === "wait"
  const late = isUsedUp && !atNetwork ? await networkTry(context, name, budget) : undefined
  if (late) yield late
  const key = await keyOf(context, [name, "browser", browser.id, who?.written ?? ""])
  const counter: Counter<PersonLimit> = { key, person: own, limit, now }
  yield async (store) => withAll(all, await tryAtPerson(store, counter))
}

/** Counted in all known browsers of the person only as long as it is in this one. */
async function withAll(all: Verdict | undefined, verdict: Verdict): Promise<Verdict> {
  if (all?.kind !== "go") return verdict
  if (verdict.kind === "wait") {
    await all.giveBack()
    return verdict
  }
  const giveBack = async (): Promise<void> => {
    await verdict.giveBack()
    await all.giveBack()
  }
  const forget = async (): Promise<boolean> => {
    const isForgotten = (await verdict.forget?.()) ?? false
    if (isForgotten) await all.giveBack()
    return isForgotten
  }
  return { ...verdict, giveBack, forget }
}

const passedBy: Passed = { kind: "go", giveBack: async () => {} }

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
    "The other end has ended the connection, so that the request can be counted at no network. A route that signs in has to do so before it answers.",
  )
}
