/** The steps of every request: readable, trusted origin, valid configuration, known endpoint, CSRF token, limits; then the action, and the check cookies are cleared. */
import { asAuthError, failure } from "../actions/failure.js"
import { asRow } from "../actions/feature-row.js"
import { type Row, table } from "../actions/table.js"
import { type Settings, warnOnce } from "../config/settings.js"
import { announceAll, record } from "../context/ask.js"
import { type Context, chosenFor, createContext } from "../context/context.js"
import { explainCsrf, mayPassCsrf, verifyCsrf } from "../context/csrf.js"
import { spentCookies } from "../context/flow.js"
import { entryOfFailure } from "../context/trail.js"
import { enterLimits, isLimited, outcomeOf } from "../context/tries.js"
import { chain } from "../crypto/cipher.js"
import { AuthError, InvalidProvider, isRefusal, MissingCSRF, UnknownAction } from "../errors.js"
import { concreteCookies } from "../http/cookies.js"
import { allowedBy, methodRefused } from "../http/endpoints.js"
import { ignoredForwarding } from "../http/headers.js"
import { type Incoming, type RequestHead, readHead, type Sender, withForm } from "../http/incoming.js"
import { type Result, withCookies } from "../http/result.js"
import { selectStrategy } from "../sessions/select.js"
import type { Checked } from "../sessions/strategy.js"
import { isThenable } from "../std/deadline.js"
import { quoted } from "../std/text.js"
import type { Awaitable } from "../types/identity.js"
import type { SessionOptions } from "./public.js"
import { logEndpoint, logRequest, logResult, observed } from "./story.js"
import { traced } from "./trace.js"

/** A result, and the context it was made in. */
export interface Outcome {
  readonly context: Context
  readonly result: Result
  /** What was thrown, when the result is a failure. */
  readonly error: unknown
}

const stopwatch = (): number => performance.now()

/** A request as it arrives; `toRequest` is called where its body is read. */
export interface Received {
  readonly head: RequestHead
  readonly toRequest: () => Request
  readonly sender?: Sender | undefined
}

/**
 * Reads a request, and its body only where nothing else refuses it: parsing the body costs most.
 * @throws TypeError when its `url` is no address.
 */
export function receive({ head, toRequest, sender }: Received, settings: Settings): Awaitable<Incoming> {
  const incoming = readHead(head, settings, sender)
  return isRefused(incoming, settings) ? incoming : withForm(incoming, toRequest)
}

/** Will {@link run} refuse the request whatever its body holds? */
function isRefused(incoming: Incoming, settings: Settings): boolean {
  if (incoming.problem || settings.generalProblems.length > 0) return true
  const chosen = chosenFor({ settings, incoming })
  try {
    return findRow(chosen).csrf && !mayPassCsrf(chosen)
  } catch {
    return true
  }
}

/** Answers one request. Never throws: a failure is a result as well. */
export function run(incoming: Incoming, settings: Settings): Promise<Outcome> {
  return traced(incoming, () => answer(incoming, settings))
}

async function answer(incoming: Incoming, settings: Settings): Promise<Outcome> {
  const context = createContext({ settings: observed(settings, stopwatch), incoming, now: new Date() })
  logRequest(context)
  warnOfProxy(incoming, settings)
  let row: Row | undefined
  try {
    if (incoming.problem) throw incoming.problem
    const [problem] = settings.generalProblems
    if (problem) throw problem
    row = findRow(context)
    logEndpoint(context, row)
    // What is there at once is not waited for: each turn of waiting costs as much as a step of this function.
    const guarded = row.csrf ? guard(context) : undefined
    if (guarded) await guarded
    const acted = act(context, row)
    const settled = settle(context, row, isThenable(acted) ? await acted : acted)
    const result = isThenable(settled) ? await settled : settled
    logResult(context, result)
    return { context, result, error: undefined }
  } catch (error) {
    const result = await settle(context, row, await answerFailure(context, error))
    if (settings.trail.isHeard) await recordFailure(context, result, error)
    logResult(context, result, error)
    return { context, result, error }
  }
}

/** Most rows are not limited, and without limits none is: these pay nothing. */
function act(context: Context, row: Row): Awaitable<Result> {
  return isLimited(context, row) ? actWithinLimits(context, row) : row.act(context)
}

/** A refusal is the outcome of a check; a fault is ours and does not count as a failed try. */
async function actWithinLimits(context: Context, row: Row): Promise<Result> {
  const passage = await enterLimits(context, row)
  try {
    const result = await row.act(context)
    return withCookies(result, await passage.leave(outcomeOf(result)))
  } catch (error) {
    await passage.leave(isRefusal(asAuthError(context, error)) ? "refused" : "failed")
    throw error
  }
}

/** A fault has the incident of its log entry; a refusal has none. */
function recordFailure(context: Context, { headers }: Result, thrown: unknown): Promise<void> {
  return record(context, async () => {
    const reason = asAuthError(context, thrown).type
    return entryOfFailure(context, { reason, incident: headers?.["X-Auth-Incident"] })
  })
}

/** What was thrown may come from the application and throw again when it is read: that is answered as well. */
async function answerFailure(context: Context, thrown: unknown): Promise<Result> {
  try {
    return await failure(context, thrown)
  } catch {
    return failure(context, new AuthError("An error that cannot be read was thrown."))
  }
}

/** The context of a call in this process that no row serves. @throws what refuses every request, or this one. */
export function contextOfCall(incoming: Incoming, settings: Settings): Context {
  const problem = incoming.problem ?? settings.generalProblems[0]
  if (problem) throw problem
  return createContext({ settings, incoming, now: new Date() })
}

/**
 * Reads the session of a request that is not for the service itself: no route, no body, nothing but the session. Where that
 * fails after the jwt callback has changed the token, `onThrow` is given the cookies that keep the change.
 */
export function checkSession(
  incoming: Incoming,
  settings: Settings,
  { extend = true, onThrow }: SessionOptions = {},
): Awaitable<{ context: Context; checked: Checked }> {
  const context = contextOfCall(incoming, settings)
  const strategy = selectStrategy(settings)
  const failed = async (error: unknown): Promise<never> => {
    const left = await strategy.leaves(context)
    if (left.length > 0) onThrow?.(concreteCookies(left, context))
    throw error
  }
  const announced = (checked: Checked) => chain(announceAll(context, checked.events), () => ({ context, checked }))
  try {
    const checked = strategy.check(context, !extend)
    return isThenable(checked) ? checked.then(announced, failed) : announced(checked)
  } catch (error) {
    return failed(error)
  }
}

/** A request is answered with the address it came with: where a proxy names another one, this is logged once. */
function warnOfProxy({ caller, headers, origin, problem }: Incoming, settings: Settings): void {
  if (settings.fixedOrigin !== undefined || problem || caller === "server") return
  const ignored = ignoredForwarding(headers, origin)
  if (ignored !== undefined) warnOnce(settings, "forwarded-header-ignored", ignored)
}

function findRow({ incoming, provider, settings }: Pick<Context, "incoming" | "provider" | "settings">): Row {
  const { route, method } = incoming
  if (!route) throw new UnknownAction("There is no such action.")
  // What is wrong with one provider refuses what names it, and nothing else.
  const [fault] = settings.providerProblems.get(route.provider ?? "") ?? []
  if (fault) throw fault
  if (route.provider !== undefined && !provider) {
    const known = [...settings.providers.keys()].join(", ") || "none"
    throw new InvalidProvider(`There is no provider ${quoted(route.provider)}. Configured: ${known}.`)
  }
  const ofAction = rowsOf(route.action, settings)
  const ofKind = ofAction.filter(({ kinds }) => kinds.includes(provider?.type ?? "none"))
  const row = ofKind.find((candidate) => candidate.method === method)
  if (row) return row
  throw refusal(ofAction, ofKind)
}

const rowsByAction: ReadonlyMap<string, readonly Row[]> = new Map(
  table.map(({ action }) => [action, table.filter((row) => row.action === action)]),
)

/** The rows of an action: those of the table, else what features bring. */
function rowsOf(action: string, { features }: Settings): readonly Row[] {
  return rowsByAction.get(action) ?? features.rows.filter((row) => row.action === action).map(asRow)
}

function refusal(ofAction: readonly Row[], ofKind: readonly Row[]): Error {
  if (ofKind.length === 0)
    return new InvalidProvider(`Action ${ofAction[0]?.action} does not support this kind of provider.`)
  const allow = allowedBy(ofKind)
  return methodRefused(`Action ${ofKind[0]?.action} supports only ${allow.join(", ")}.`, allow)
}

function guard(context: Context): Awaitable<void> {
  return chain(verifyCsrf(context), (isFit) => {
    if (!isFit) throw new MissingCSRF(explainCsrf(context))
  })
}

/**
 * Cookies that the row consumes are cleared if the request carried them, on success and on failure. What the jwt callback did to
 * the session on the way is kept, unless the answer is about the session itself.
 */
function settle(context: Context, row: Row | undefined, result: Result): Awaitable<Result> {
  const isAboutSession = result.cookies.some(({ role }) => role === "sessionToken")
  const left = isAboutSession ? [] : selectStrategy(context.settings).leaves(context)
  const spends = row && !result.spendsNothing ? row.spends : []
  if (spends.length === 0 && !isThenable(left)) return withCookies(result, left)
  return Promise.all([left, spentCookies(context, spends)]).then((cookies) => withCookies(result, cookies.flat()))
}
