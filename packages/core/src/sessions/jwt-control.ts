/** Managing sessions of the jwt strategy: what is done to a session beside reading it. */
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import { deleteSessions, listSessions, type SessionRecord, takeUnopened } from "../ledger/session.js"
import { asError } from "../ports/thrown.js"
import { chainIdOf } from "./content.js"
import { readToken } from "./jwt-cookie.js"
import { endEarlierTokens } from "./jwt-earlier.js"
import { endsWithUser, type LiveToken, sessionOfToken } from "./jwt-managed.js"
import { rotateToken, sealing } from "./jwt-next.js"
import { endToken, forgetTokens } from "./jwt-record.js"
import { failureOf, ledgerOf } from "./managed.js"
import type { SessionControl, SessionHere } from "./strategy.js"
import { isTokenOver } from "./token-over.js"
import { ownerIn } from "./user-id.js"

/** Control of sessions in sealed cookies. */
export const jwtControl: SessionControl = {
  current,
  rotate,
  list: (context, userId) => listSessions(ledgerOf(context), userId),
  isShown: () => true,
  end,
  endAll,
  endEarlier: endEarlierTokens,
  endUnknown: async (context, userId) => void (await takeUnopened(ledgerOf(context), userId)),
}

/** The token of the request, where its session lives. */
async function liveToken(context: Context): Promise<LiveToken | null> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return null
  const { claims } = carried
  const session = await sessionOfToken(context, claims)
  return session && !(await isTokenOver(context, claims, endsWithUser(context, session))) ? { claims, session } : null
}

async function current(context: Context): Promise<SessionHere | null> {
  const live = await liveToken(context)
  const userId = live && ownerIn(live.claims)
  if (!live || userId === null) return null
  const { facts, record, isReplaced } = live.session
  const chainId = chainIdOf(record?.content ?? { facts, generation: 0 })
  const isStored =
    facts.actor === undefined ? endsWithUser(context, live.session) : record?.content.isActorStored === true
  const holder = isStored && { holderId: facts.actor ?? userId }
  return { userId, facts, chainId, keys: record ? [record.key] : [], isReplaced, ...holder }
}

async function rotate(context: Context): Promise<readonly CookieChange[] | null> {
  const live = await liveToken(context)
  if (!live || live.session.isReplaced) return null
  const rotated = await rotateToken(context, live, sealing(context, live.claims))
  return rotated?.cookies ?? null
}

async function end(context: Context, record: SessionRecord): Promise<void> {
  await endToken(context, record.key)
  for (const id of record.content.facts.otherIds ?? []) await endToken(context, id)
  await endRowOf(context, record)
}

/** A session that began while sessions were kept in rows: without its record an instance that still keeps them so would take it for one from before. */
export async function endRowOf({ settings, log }: Context, { content }: SessionRecord): Promise<void> {
  const { store } = settings
  const { sessionToken } = content
  if (sessionToken === undefined || !store.has("getSessionAndUser") || !store.has("deleteSession")) return
  // The table may have been dropped when rows were no longer needed. Some stores also fail to delete what is not there.
  const row = await store.getSessionAndUser(sessionToken).catch((error: unknown) => {
    log.error(asError(error))
    return null
  })
  if (row) await store.deleteSession(sessionToken)
}

/** Those from before go first: none of them gets a record afterwards. */
async function endAll(context: Context, id: string): Promise<number> {
  // Records name users by text, whatever type their ids have in the store.
  const userId = String(id)
  const failed = await failureOf(endEarlierTokens(context, userId))
  const ledger = ledgerOf(context)
  const records = await listSessions(ledger, userId)
  // Not those of the list alone: a session may have begun since, and have been read.
  const count = await deleteSessions(ledger, userId).finally(() => forgetTokens(context, userId))
  for (const record of records) await endRowOf(context, record)
  if (failed) throw failed.reason
  return count
}
