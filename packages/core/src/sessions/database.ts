/** The strategy of sessions in the store, function by function: the cookie holds a random look-up value, row and cookie are extended together. */
import type { Context } from "../context/context.js"
import { AdapterError, SessionTokenError, SignOutError } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import type { Store } from "../ports/store.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter } from "../std/time.js"
import type { AdapterSession, SessionUpdate } from "../types/session.js"
import { isActingOver } from "./actor.js"
import { explained, type Update } from "./callbacks.js"
import { accountOfToken, isActingToken, isEndedByOwner } from "./current-session.js"
import {
  endAgain,
  endPrevious,
  endRow,
  endSurplus,
  expectNotEnded,
  forgetRow,
  isEndedUnseen,
  recordRow,
  removeRow,
} from "./database-managed.js"
import { extendRow, keepExtension } from "./database-record.js"
import { mayBeStoredForm, newToken, tokenOf } from "./database-token.js"
import { goesOn, overBefore } from "./going-on.js"
import { ledgerOf, orLogged } from "./managed.js"
import { presentRow } from "./present-row.js"
import {
  type Changed,
  type Checked,
  type CurrentSession,
  clearSession,
  ended,
  type Login,
  noSession,
  type SessionUser,
  type Strategy,
} from "./strategy.js"

function isOver({ session }: { session: AdapterSession }, now: Date): boolean {
  return session.expires.getTime() <= now.getTime()
}

/** {@link Strategy.peek} */
export async function peek(context: Context): Promise<CurrentSession | null> {
  const token = tokenOf(context)
  if (!token) return null
  const row = await context.settings.store.getSessionAndUser(token)
  if (!row || isOver(row, context.now) || (isActingToken(token) && (await isActingOver(context, token)))) return null
  const unprovenAccount = accountOfToken(token)
  if (unprovenAccount !== undefined && (await isEndedByOwner(context.settings, { user: row.user, unprovenAccount })))
    return null
  return { ...row, token, ...(unprovenAccount !== undefined && { unprovenAccount }) }
}

/** {@link Strategy.sessionUser} */
export async function sessionUser(context: Context): Promise<SessionUser | null> {
  const current = await peek(context)
  return current && { user: current.user, isStored: true }
}

/** {@link Strategy.check} */
export function check(context: Context, fixed?: boolean): Promise<Checked> {
  return access(context, { fixed })
}

/** {@link Strategy.update} */
export function update(context: Context, data: SessionUpdate | undefined): Promise<Checked> {
  return access(context, { update: { data } })
}

async function access(
  context: Context,
  { update, fixed = false }: { readonly update?: Update; readonly fixed?: boolean | undefined },
): Promise<Checked> {
  const token = tokenOf(context)
  if (token === undefined) return noSession
  if (token === null) return ended
  const row = await withStore(() => context.settings.store.getSessionAndUser(token))
  if (!row) return ended
  const unprovenAccount = accountOfToken(token)
  const hasOwner = async (): Promise<boolean> =>
    unprovenAccount !== undefined &&
    (await withStore(() => isEndedByOwner(context.settings, { user: row.user, unprovenAccount })))
  if (isOver(row, context.now) || (await hasOwner())) return removed(context, token)
  if (isActingToken(token) && (await withStore(() => isActingOver(context, token)))) return removed(context, token)
  const extended = fixed ? undefined : await extend(context, token, row.session)
  if (extended === null) return removed(context, token)
  try {
    const current = { ...row.session, expires: extended ?? row.session.expires }
    const session = await presentRow(context, { session: current, user: row.user, update })
    const cookies: readonly CookieChange[] = extended ? [{ role: "sessionToken", value: token, expires: extended }] : []
    return { session, cookies, events: session ? [{ kind: "session", message: { session } }] : [] }
  } catch (thrown) {
    const error = explained(SessionTokenError, thrown)
    error.status = 500
    throw error
  }
}

/** A store that fails is an error, never a missing session. */
async function withStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof AdapterError ? new SessionTokenError(error) : error
  }
}

/** The answer is known already; a row that stays is removed by the next access. */
async function removed({ settings, log }: Context, token: string): Promise<Checked> {
  await orLogged(log, () => settings.store.deleteSession(token))
  return ended
}

/**
 * Extends the row when it is due, and says until when; `null`: it has ended. A session whose extension fails stays
 * valid.
 */
async function extend(context: Context, token: string, row: AdapterSession): Promise<Date | undefined | null> {
  const { settings, now, log } = context
  const due = secondsAfter(row.expires, settings.options["session.updateAge"] - settings.options["session.maxAge"])
  if (due.getTime() > now.getTime()) return undefined
  const until = secondsAfter(now, settings.options["session.maxAge"])
  return orLogged(log, async () => {
    if (settings.features.keepsFacts) return extendKept(context, { ...row, sessionToken: token })
    await settings.store.updateSession({ sessionToken: token, expires: until })
    return until
  })
}

/** Extends a row that has a record. Where sessions are not managed, nobody ends one or gives it a new token. */
async function extendKept(context: Context, row: AdapterSession): Promise<Date | undefined | null> {
  const { store, features } = context.settings
  const { sessionToken } = row
  const extension = await extendRow(context, row)
  let { kind } = extension
  if (extension.kind === "until") {
    const { until, record } = extension
    await store.updateSession({ sessionToken, expires: until })
    if (features.sessions) kind = await keepExtension(context, { row, record })
    if (kind === "until") return until
  }
  return kind === "ended" ? null : undefined
}

/** {@link Strategy.begin} */
export async function begin(context: Context, login: Login, store: Store): Promise<Changed> {
  const { settings, now } = context
  const { user, unprovenAccount, actor } = login
  const sessionToken = await newToken(context, { unprovenAccount, isActing: actor !== undefined })
  if (user.id === undefined) throw new SessionTokenError("A session needs a stored user, and this one has no id.")
  const recorded = settings.features.keepsFacts
    ? await recordRow(context, { login, sessionToken, userId: user.id, store, before: tokenOf(context) })
    : undefined
  if (recorded === null) return overBefore
  const expires = recorded ? recorded.expires : secondsAfter(now, settings.options["session.maxAge"])
  const undo = async (error: unknown): Promise<never> => {
    if (recorded) await takeBack(context, store, { sessionToken, key: recorded.begun.key })
    throw error
  }
  const stored = await store.createSession({ sessionToken, userId: user.id, expires }).catch(undo)
  const begun = recorded && settings.features.sessions && !login.addsAccount ? recorded : undefined
  // The earlier sessions stay when the new one cannot be stored, or is refused. In a transaction nobody else sees it yet.
  if (begun && store === settings.store) await expectNotEnded(context, begun, stored.sessionToken)
  const isNext = goesOn(context, login)
  const previous = await endPreviousRow(context, { store, current: stored.sessionToken, isNext }).catch(undo)
  const cookies: readonly CookieChange[] = [
    { role: "sessionToken", value: stored.sessionToken, expires: stored.expires },
  ]
  if (!recorded) return { cookies, events: [] }
  const ended = await endPrevious(context, { store, previous, isNext })
  if (isNext && (ended === null || ended?.isFirst === false)) {
    await takeBack(context, store, { sessionToken, key: recorded.begun.key })
    return overBefore
  }
  // The browser may have the cookie of a newer one by now: that is left alone.
  const endOldest = async (): Promise<Changed> => {
    // Also where it is the first: whoever ends others has found its record before the row was there.
    if (settings.features.sessions && (await isEndedUnseen(context, recorded, stored.sessionToken))) return overBefore
    return { cookies: (await endSurplus(context, recorded)) ? cookies : [], events: [] }
  }
  if (store === settings.store) return endOldest()
  const settle = async (): Promise<Changed> => {
    if (ended) await orLogged(context.log, () => endAgain(context, ended))
    if (begun) await expectNotEnded(context, begun, stored.sessionToken)
    return endOldest()
  }
  return { cookies, events: [], settle }
}

/** Takes back what was written of a session whose token nobody has. A transaction does so itself, but for records that are kept elsewhere. */
async function takeBack(
  context: Context,
  store: Store,
  { sessionToken, key }: { readonly sessionToken: string; readonly key: string },
): Promise<void> {
  const { settings, log } = context
  if (ledgerOf(context, store).records !== settings.records) return
  const content = store === settings.store ? { sessionToken } : {}
  await orLogged(log, () => endRow(context, { key, content }))
}

/** A session that begins. */
interface Beginning {
  readonly store: Store
  readonly current: string
  readonly isNext: boolean
}

/** A new sign-in ends the session before it; its token. Some stores fail to delete what is not there, as where the same form was sent twice: in a transaction that may have undone all of it. */
async function endPreviousRow(context: Context, { store, current, isNext }: Beginning): Promise<string | undefined> {
  const token = tokenOf(context)
  if (!token || token === current) return undefined
  // Its record may be there all the same: another transaction has removed the row, and may not come to its end.
  if (!(await store.getSessionAndUser(token))) return isNext ? undefined : token
  await store.deleteSession(token).catch(async (error: unknown) => {
    if (store !== context.settings.store || !(await isGone(store, token))) throw error
  })
  return token
}

/** {@link Strategy.end} */
export async function end(context: Context): Promise<Changed & { readonly failure?: Error }> {
  const token = tokenOf(context)
  if (token === undefined) return noSession
  if (token === null) return { cookies: clearSession, events: [] }
  const { store } = context.settings
  try {
    if (mayBeStoredForm(token) && !(await store.getSessionAndUser(token))) return { cookies: clearSession, events: [] }
    const session = await store.deleteSession(token)
    // The session is over, whatever becomes of its record: that ends by itself.
    if (context.settings.features.keepsFacts) await orLogged(context.log, () => forgetSession(context, token))
    return { cookies: clearSession, events: [{ kind: "signOut", message: { session } }] }
  } catch (error) {
    if (await isGone(store, token)) return { cookies: clearSession, events: [] }
    return { cookies: clearSession, events: [], failure: new SignOutError(asError(error)) }
  }
}

/** Looks for the row again when its record is gone: a transaction that was undone meanwhile may have written it again. */
async function forgetSession(context: Context, token: string): Promise<void> {
  if (await forgetRow(context, token)) await removeRow(context.settings.store, token)
}

/** Some stores fail to delete what is not there: then the session is over, as wanted. */
async function isGone(store: Store, token: string): Promise<boolean> {
  try {
    return (await store.getSessionAndUser(token)) === null
  } catch {
    return false
  }
}
