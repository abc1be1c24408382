/** Managing sessions of the database strategy: what is done to a session beside reading it. */
import type { Context } from "../context/context.js"
import { SessionTokenError } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { isMarkedEnded } from "../ledger/ended.js"
import {
  deleteSessions,
  keyOfToken,
  listSessions,
  readSession,
  type SessionRecord,
  takeSession,
  takeUnopened,
  writeSession,
} from "../ledger/session.js"
import type { Store } from "../ports/store.js"
import { secondsAfter } from "../std/time.js"
import type { AdapterSession } from "../types/session.js"
import { chainIdOf } from "./content.js"
import { accountOfToken, isActingToken } from "./current-session.js"
import { peek } from "./database.js"
import { endRow, livingRow, removeRow } from "./database-managed.js"
import { endEarlierRows, recordOfRow } from "./database-record.js"
import { newToken } from "./database-token.js"
import { earlierOf } from "./facts.js"
import { endNamed, failureOf, grace, ledgerOf, orLogged, recordsOf } from "./managed.js"
import type { SessionControl, SessionHere } from "./strategy.js"

/** Control of sessions in rows. */
export const databaseControl: SessionControl = {
  current,
  rotate,
  list,
  isShown: ({ content }) => content.sessionToken !== undefined,
  end,
  endAll,
  endEarlier: endEarlierRows,
  endUnknown,
}

interface LiveRow {
  readonly token: string
  /** Ids keep the type that the store gave them. */
  readonly owner: string
  readonly record: SessionRecord
}

/** The row of the request with its record, where its session lives. One that has ended goes, as it does where it is read when it is due. */
async function liveRow(context: Context): Promise<LiveRow | null> {
  const here = await peek(context)
  if (!here?.session || here.token === undefined) return null
  const { token, session } = here
  const record = await recordOfRow(context, { ...session, sessionToken: token })
  if (record) return { token, owner: session.userId, record }
  await orLogged(context.log, () => removeRow(context.settings.store, token))
  return null
}

async function current(context: Context): Promise<SessionHere | null> {
  const live = await liveRow(context)
  if (!live) return null
  const { content, key } = live.record
  const { actor } = content.facts
  const holderId = actor === undefined ? live.owner : content.isActorStored && actor
  return {
    userId: String(live.owner),
    facts: content.facts,
    chainId: chainIdOf(content),
    keys: [key],
    isReplaced: content.isReplaced === true,
    ...(holderId !== undefined && { holderId }),
  }
}

/** What the application removed itself is not listed. Its record stays until it ends: a row that is about to be written has one, too. */
async function list(context: Context, userId: string): Promise<readonly SessionRecord[]> {
  const living: SessionRecord[] = []
  for (const record of await listSessions(ledgerOf(context), userId)) {
    const { sessionToken } = record.content
    if (sessionToken === undefined || (await livingRow(context, sessionToken))) living.push(record)
  }
  return living
}

/** Looks for the row again when its record is gone: until then its holder may have written it anew, by ending all others. */
async function end(context: Context, record: SessionRecord): Promise<void> {
  await endRow(context, record)
  await removeRow(context.settings.store, record.content.sessionToken)
}

/** The new row is there before the old one is shortened: whoever carries either is signed in. */
async function rotate(context: Context): Promise<readonly CookieChange[] | null> {
  const live = await liveRow(context)
  if (!live || live.record.content.isReplaced) return null
  const { record, token, owner } = live
  const { store } = context.settings
  const ledger = ledgerOf(context)
  const sessionToken = await freshToken(context, token)
  const key = await keyOfToken(ledger, sessionToken)
  const { content, expires } = record
  const next = { ...content, sessionToken, generation: content.generation + 1 }
  const until = earlierOf(secondsAfter(context.now, grace), expires)
  try {
    await writeSession(ledger, { key, userId: String(owner), content: next, expires })
    await store.createSession({ sessionToken, userId: owner, expires })
    // Who ends the session now finds the row and its record; who did before has left the mark.
    const isEnded = await isMarkedEnded(ledger, content.facts.id)
    if (!isEnded && (await replace(context, record, until))) {
      await store.updateSession({ sessionToken: token, expires: until })
      return [{ role: "sessionToken", value: sessionToken, expires }]
    }
    await removeRow(store, sessionToken)
    await takeSession(ledger, key)
    // Whoever left the mark may not have come to the end of it.
    if (isEnded) await endRow(context, record, store)
    return null
  } catch (error) {
    await orLogged(context.log, () => takeBack(context, { record, token, made: { key, sessionToken } }))
    throw error
  }
}

interface FailedRotation {
  readonly record: SessionRecord
  readonly token: string
  readonly made: { readonly key: string; readonly sessionToken: string }
}

/** The browser never hears of the new token: the one that it has opens the session as before, also where the row was shortened and the answer lost. */
async function takeBack(context: Context, { record, token, made }: FailedRotation): Promise<void> {
  const { store } = context.settings
  const ledger = ledgerOf(context)
  const { content, expires } = record
  const now = await readSession(ledger, record.key)
  const isOurs = now?.content.isReplaced && !(await isReplacedElsewhere(context, record, made.key))
  if (isOurs && (await writeSession(ledger, { ...now, content, expires })))
    await store.updateSession({ sessionToken: token, expires })
  await removeRow(store, made.sessionToken)
  await takeSession(ledger, made.key)
}

/** Has another request given the session a new token as well? Its mark looks like that of this one, whose answer may be lost. */
async function isReplacedElsewhere(
  context: Context,
  { userId, content }: SessionRecord,
  made: string,
): Promise<boolean> {
  const records = await recordsOf(ledgerOf(context), userId ?? "", new Set([content.facts.id]))
  return records.some((one) => one.key !== made && one.content.isReplaced !== true)
}

async function freshToken(context: Context, token: string): Promise<string> {
  const made = await newToken(context, {
    unprovenAccount: accountOfToken(token),
    isActing: isActingToken(token),
  })
  if (made !== token) return made
  throw new SessionTokenError("`session.generateSessionToken` must return another string at each call.")
}

/** Marks a record as replaced. `false`: the session ended, or another request was first. An extension in between changes nothing. */
async function replace(context: Context, record: SessionRecord, until: Date): Promise<boolean> {
  const ledger = ledgerOf(context)
  const content = { ...record.content, isReplaced: true as const }
  if (await writeSession(ledger, { ...record, content, expires: until })) return true
  const now = await readSession(ledger, record.key)
  if (!now || now.content.isReplaced || now.version === record.version) return false
  return replace(context, now, until)
}

/**
 * All at once where the adapter can. Those from before are marked first: none of them gets a record afterwards. Rows go once
 * more after the records: while a record was there, a request may have given its session a new row.
 */
async function endAll(context: Context, userId: string): Promise<number> {
  const failed = await failureOf(endEarlierRows(context, String(userId)))
  const count = await endRows(context, userId)
  if (failed) throw failed.reason
  return count
}

/** The adapter is given the id in the type that the store gave it; records name users by text. */
async function endRows(context: Context, id: string): Promise<number> {
  const { store } = context.settings
  const userId = String(id)
  const ledger = ledgerOf(context)
  if (store.has("deleteSessionsByUserId")) {
    await store.deleteSessionsByUserId(id)
    const listed = (await listSessions(ledger, userId)).filter(({ content }) => !content.isReplaced)
    await deleteSessions(ledger, userId)
    await store.deleteSessionsByUserId(id)
    return listed.length
  }
  const { ids, failed } = await endNamed(context, { end }, { userId, isMeant: () => true })
  await takeUnopened(ledger, userId)
  if (failed) throw failed.reason
  return ids.size
}

/** Are these all rows of the user? Then none is removed: rows of the application may refer to them. Stores may list tokens in another form. */
async function areAll(
  { now }: Context,
  found: readonly AdapterSession[],
  { userId, inside }: { readonly userId: string; readonly inside: Store },
): Promise<boolean> {
  if (!inside.has("listSessionsByUserId")) return false
  const living = (await inside.listSessionsByUserId(userId)).filter(({ expires }) => expires > now)
  return living.length === found.length
}

/**
 * Nothing names these rows, so all rows of the user go at once, and those that a record names are written again. In one
 * transaction nobody notices; where there is none, only if a record did not open: in between nobody would be signed in. The
 * transaction of `combine` does not hold sessions that are kept elsewhere: there the rows are ended all the same, and a request
 * of a session that goes on may find its row missing for that moment. Rows that stayed would be those of a thief.
 */
async function endUnknown(context: Context, userId: string): Promise<void> {
  const { store } = context.settings
  const ledger = ledgerOf(context)
  const isAny = await takeUnopened(ledger, userId)
  if (!store.has("deleteSessionsByUserId") || !(isAny || store.has("transaction"))) return
  const kept = await listSessions(ledger, userId)
  const rows = await store.transaction(async (inside) => {
    const found: AdapterSession[] = []
    for (const { content } of kept) {
      const row = content.sessionToken === undefined ? null : await livingRow(context, content.sessionToken, inside)
      if (row) found.push(row)
    }
    if (await areAll(context, found, { userId, inside })) return []
    await inside.deleteSessionsByUserId(userId)
    for (const { sessionToken, userId: owner, expires } of found)
      await inside.createSession({ sessionToken, userId: owner, expires })
    return found
  })
  // Who ended one of them meanwhile has found no row to remove, and has taken its record.
  const left = new Set((await listSessions(ledger, userId)).map(({ content }) => content.sessionToken))
  for (const { sessionToken } of rows) if (!left.has(sessionToken)) await removeRow(store, sessionToken)
}
