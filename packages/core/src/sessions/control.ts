/** Managed sessions: list, end, rotate, act for somebody. What each means for a strategy is in `jwt-control.ts` and `database-control.ts`. */
import { announceAll, record } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { entryOfSession, type SessionFact } from "../context/trail.js"
import { InvalidConfiguration } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import type { SessionContent, SessionRecord } from "../ledger/session.js"
import { kindOf } from "../std/kind-of.js"
import type { SessionEntry } from "../types/managed-sessions.js"
import { isActorGone } from "./actor.js"
import { databaseControl } from "./database-control.js"
import { endSignInsUnderWay } from "./ended-meanwhile.js"
import { jwtControl } from "./jwt-control.js"
import { type Ending, endNamed, failureOf, isFromBefore, oneOfEach, orLogged } from "./managed.js"
import { strengthOf } from "./policy.js"
import { selectStrategy } from "./select.js"
import type { SessionControl, SessionHere } from "./strategy.js"

/** What a change of sessions came to. */
export interface ControlResult {
  /** How many sessions it ended, or gave a new token; 0: there is no such session. */
  readonly count: number
  readonly cookies: readonly CookieChange[]
  /** Nobody is signed in any more, or with a token that has been replaced. */
  readonly isSignedOut?: true
}

const nothing: ControlResult = { count: 0, cookies: [] }
const nobody: ControlResult = { ...nothing, isSignedOut: true }

/** The control of a configuration. */
export function selectControl({ settings }: Context): SessionControl {
  return settings.strategy === "jwt" ? jwtControl : databaseControl
}

/** The sessions of the signed-in user, newest first; empty when nobody is. */
export async function listEntries(context: Context): Promise<readonly SessionEntry[]> {
  const control = selectControl(context)
  const here = await control.current(context)
  if (!here) return []
  const records: SessionRecord[] = []
  for (const record of await control.list(context, here.userId))
    if (!(await isActorGone(context, record.content))) records.push(record)
  return oneOfEach(records.filter((record) => !record.content.isReplaced && control.isShown(record)))
    .map((record) => entryOf(record, here.facts.id))
    .toSorted((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
}

function entryOf({ content, expires }: SessionRecord, current: string): SessionEntry {
  const { facts, via, client, seenAt } = content
  const { id, startedAt, proofs, actor } = facts
  const acr = strengthOf(proofs)
  return {
    id,
    current: id === current,
    startedAt: new Date(startedAt * 1000),
    seenAt: new Date(seenAt * 1000),
    expires,
    ...(via && { via }),
    ...(acr && { acr }),
    ...(actor !== undefined && { actor }),
    client,
  }
}

/** Ends one session of the signed-in user, by its public name. */
export async function endOne(context: Context, id: string): Promise<ControlResult> {
  const control = selectControl(context)
  const here = await control.current(context)
  if (!here) return nobody
  if (here.facts.id === id) return endCurrent(context, here)
  if (here.isReplaced) return nobody
  // Who looks at a list may know it by the name that it had before an account was added.
  const isMeant = ({ facts, follows }: SessionContent): boolean =>
    facts.id === id || (follows?.includes(id) === true && facts.id !== here.facts.id)
  const meant = { userId: here.userId, isMeant, except: here.facts.id }
  const { ids, failed } = await endNamed(context, control, meant)
  if (ids.size > 0) await trail(context, { what: "sessionEnded", userId: here.userId, sessionId: id })
  if (failed) throw failed.reason
  return { count: ids.size, cookies: [] }
}

/** The same as signing out, without going anywhere. */
async function endCurrent(context: Context, here: SessionHere): Promise<ControlResult> {
  const { cookies, events, failure } = await selectStrategy(context.settings).end(context)
  if (failure) throw failure
  const isMeant = ({ facts }: SessionContent): boolean => facts.id === here.facts.id
  const { failed } = await endNamed(context, selectControl(context), { userId: here.userId, isMeant })
  await announceAll(context, events)
  if (failed) throw failed.reason
  return { count: 1, cookies }
}

/**
 * Ends all other sessions of the signed-in user, and gives this one a new token: last, so that no new token is lost when the
 * store fails on the way. A session from before gets its record with that token, and those from before end after it.
 */
export async function endOthers(context: Context): Promise<ControlResult> {
  const control = selectControl(context)
  const here = await control.current(context)
  // A copy of the token before would end what its owner has begun since.
  if (!here || here.isReplaced) return nobody
  const { userId, facts, keys } = here
  const isEarlier = keys.length === 0
  // A session from before would end itself with those from before: until it has its record, sign-ins under way alone end.
  const first = isEarlier ? endSignInsUnderWay(context, userId) : control.endEarlier(context, userId, facts)
  const failed = await failureOf(first)
  const { ids: ended, failed: unmarked } = await endAllBut(context, here)
  await control.endUnknown(context, userId)
  for (const step of [failed, unmarked]) if (step) throw step.reason
  const cookies = (await control.rotate(context)) ?? []
  if (isEarlier) await control.endEarlier(context, userId, facts)
  // Until then one from before could get a record that was not in the list, and a copy of this one go on with an account added.
  // Who signed in meanwhile stays.
  const isLate = (content: SessionContent): boolean =>
    (isEarlier && isFromBefore(content)) || content.follows?.includes(facts.id) === true
  const endLate = async (): Promise<number> => {
    const { ids, failed } = await endAllBut(context, here, isLate)
    if (failed) throw failed.reason
    return ids.size
  }
  // The new token must reach its browser.
  const late = isEarlier ? await endLate() : ((await orLogged(context.log, endLate)) ?? 0)
  await trail(context, { what: "sessionRotated", userId, sessionId: facts.id })
  return { count: ended.size + late, cookies }
}

/** Ends all sessions of a user that have a record, but this one. `among`: those that may end. */
async function endAllBut(
  context: Context,
  { userId, facts }: SessionHere,
  among: (content: SessionContent) => boolean = () => true,
): Promise<Ending> {
  const isMeant = (content: SessionContent): boolean => content.facts.id !== facts.id && among(content)
  const ending = await endNamed(context, selectControl(context), { userId, isMeant, except: facts.id })
  for (const sessionId of ending.ids) await trail(context, { what: "sessionEnded", userId, sessionId })
  return ending
}

/** Gives the session of the request a new token. */
export async function rotate(context: Context): Promise<ControlResult> {
  const control = selectControl(context)
  // Asked for the entry alone: the answer needs nothing of it.
  const here = context.settings.trail.isHeard ? await control.current(context) : null
  const cookies = await control.rotate(context)
  if (!cookies) return nothing
  if (here) await trail(context, { what: "sessionRotated", userId: here.userId, sessionId: here.facts.id })
  return { count: 1, cookies }
}

/** Ends all sessions of a user. Says how many there were. */
export async function endAll(context: Context, userId: string): Promise<number> {
  expectId("endAll", userId)
  const count = await selectControl(context).endAll(context, userId)
  await trail(context, { what: "sessionEnded", userId })
  return count
}

/** Some adapters take no id for any, so that everybody's sessions would end, and an object for a condition. */
function expectId(method: string, userId: unknown): void {
  if (typeof userId === "string" || typeof userId === "number") return
  throw new InvalidConfiguration(`${method}: expected the id of a user, received ${kindOf(userId)}.`)
}

async function trail(context: Context, fact: SessionFact): Promise<void> {
  if (context.settings.trail.isHeard) await record(context, () => entryOfSession(context, fact))
}

/** Begins a session of another user for the signed-in user. */
export async function actAs(context: Context, userId: string): Promise<ControlResult> {
  expectId("actAs", userId)
  const here = await selectControl(context).current(context)
  if (!here || here.isReplaced) return nothing
  const { store } = context.settings
  const user = await store.getUser(userId)
  if (!user) return nothing
  // Who acts already stays the one who acts, and their time goes on.
  const actor = here.facts.actor ?? here.userId
  const isActorStored = (await store.getUser(actor)) !== null
  // Deleted since the session was read: nobody would look for them any more.
  if (!isActorStored && here.holderId !== undefined && !(await store.getUser(here.holderId))) return nothing
  const login = {
    user,
    account: null,
    isNew: false,
    actor,
    ...(isActorStored && { isActorStored: true as const }),
    ...(here.facts.actor !== undefined && { actingSince: here.facts.startedAt }),
  }
  const { cookies, isOver } = await selectStrategy(context.settings).begin(context, login, store)
  if (isOver) return nothing
  await trail(context, { what: "signIn", userId: user.id, actor })
  return { count: 1, cookies }
}
