/** Managed sessions: list, end, rotate, act for somebody. What each means for a strategy is in `token-control.ts` and `row-control.ts`. */
import { announceAll } from "../context/ask.js"
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import type { SessionRecord } from "../ledger/session.js"
import type { SessionEntry } from "../types/managed-sessions.js"
import { strengthOf } from "./policy.js"
import { rowControl } from "./row-control.js"
import { selectStrategy } from "./select.js"
import type { SessionControl } from "./session-control.js"
import { tokenControl } from "./token-control.js"

/** What a change of sessions came to. */
export interface ControlResult {
  /** How many sessions it ended, or gave a new token; 0: there is no such session. */
  readonly count: number
  readonly cookies: readonly CookieChange[]
}

const nothing: ControlResult = { count: 0, cookies: [] }

/** The control of a configuration. */
export function selectControl({ settings }: Context): SessionControl {
  return settings.strategy === "jwt" ? tokenControl : rowControl
}

/** The sessions of the signed-in user, newest first; empty when nobody is. */
export async function listEntries(context: Context): Promise<readonly SessionEntry[]> {
  const control = selectControl(context)
  const here = await control.current(context)
  if (!here) return []
  const records = (await control.list(context, here.userId)).filter(({ content }) => !content.isReplaced)
  return records
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
  if (!here) return nothing
  if (here.facts.id === id) return endCurrent(context)
  const named = (await control.list(context, here.userId)).filter(({ content }) => content.facts.id === id)
  // A session that got a new token a moment ago has two records.
  for (const record of named) await control.end(context, record)
  return { count: Math.min(named.length, 1), cookies: [] }
}

/** The same as signing out, without going anywhere. */
async function endCurrent(context: Context): Promise<ControlResult> {
  const control = selectControl(context)
  const here = await control.current(context)
  const records = here ? await control.list(context, here.userId) : []
  const { cookies, events, failure } = await selectStrategy(context.settings).end(context)
  if (failure) throw failure
  for (const record of records) if (record.content.facts.id === here?.facts.id) await control.end(context, record)
  await announceAll(context, events)
  return { count: 1, cookies }
}

/** Ends all other sessions of the signed-in user, and gives this one a new token. */
export async function endOthers(context: Context): Promise<ControlResult> {
  const control = selectControl(context)
  const here = await control.current(context)
  if (!here) return nothing
  const others = (await control.list(context, here.userId)).filter(({ content }) => content.facts.id !== here.facts.id)
  const cookies = (await control.rotate(context)) ?? []
  await control.endEarlier(context, here.userId)
  for (const record of others) await control.end(context, record)
  return { count: others.filter(({ content }) => !content.isReplaced).length, cookies }
}

/** Gives the session of the request a new token. */
export async function rotate(context: Context): Promise<ControlResult> {
  const cookies = await selectControl(context).rotate(context)
  return cookies ? { count: 1, cookies } : nothing
}

/** Begins a session of another user for the signed-in user. */
export async function actAs(context: Context, userId: string): Promise<ControlResult> {
  const here = await selectControl(context).current(context)
  if (!here) return nothing
  const { store } = context.settings
  const user = await store.getUser(userId)
  if (!user) return nothing
  // Who acts already stays the one who acts.
  const actor = here.facts.actor ?? here.userId
  const login = { user, account: null, isNew: false, actor }
  const { cookies } = await selectStrategy(context.settings).begin(context, login, store)
  return { count: 1, cookies }
}
