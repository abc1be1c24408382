/** The steps of every request: readable, trusted origin, valid configuration, known endpoint, CSRF token, limits; then the action, and the check cookies are cleared. */
import type { Row } from "../actions/table.js"
import { asAuthError } from "../actions/thrown.js"
import { type Settings, warnOnce } from "../config/settings.js"
import { announceAll, record } from "../context/ask.js"
import { type Context, chosenFor, createContext } from "../context/context.js"
import { mayPassCsrf } from "../context/csrf-cookie.js"
import { chain } from "../crypto/cipher.js"
import { AuthError, isRefusal } from "../errors.js"
import { concreteCookies } from "../http/cookies.js"
import { ignoredForwarding } from "../http/headers.js"
import { type Incoming, type RequestHead, readHead, type Sender, withForm } from "../http/incoming.js"
import { plainFault } from "../http/outgoing.js"
import { type Result, withCookies } from "../http/result.js"
import { asError } from "../ports/thrown.js"
import { selectStrategy } from "../sessions/select.js"
import type { Checked } from "../sessions/strategy.js"
import { isThenable } from "../std/deadline.js"
import { fromModule } from "../std/lazy.js"
import type { Awaitable } from "../types/identity.js"
import type { SessionOptions } from "./public.js"
import { findRow } from "./rows.js"
import { traced } from "./trace.js"

/** A result, and the context it was made in. */
export interface Outcome {
  readonly context: Context
  readonly result: Result
  /** What was thrown, or has failed beside an answer that changes cookies, when the result is a failure. */
  readonly error: unknown
}

// Reading a session needs none of these; what could not be loaded is looked for again by the next request.
const failure = fromModule(
  () => import("../actions/failure.js"),
  (module) => module.failure,
)
const requireCsrf = fromModule(
  () => import("../context/csrf.js"),
  (module) => module.requireCsrf,
)
const spentCookies = fromModule(
  () => import("../context/flow.js"),
  (module) => module.spentCookies,
)
const entryOfFailure = fromModule(
  () => import("../context/trail.js"),
  (module) => module.entryOfFailure,
)
const enterLimits = fromModule(
  () => import("../context/tries.js"),
  (module) => module.enterLimits,
)

const stopwatch = (): number => performance.now()

/** A request as it arrives; `toRequest` is called where its body is read. */
export interface Received {
  readonly head: RequestHead
  readonly toRequest: () => Request
  readonly sender?: Sender | undefined
}

/** Reads a request, and its body only where nothing else refuses it: parsing the body costs most. Never throws. */
export function receive({ head, toRequest, sender }: Received, settings: Settings): Awaitable<Incoming> {
  const incoming = readHead(head, settings, sender)
  return isRefused(incoming, settings) ? incoming : withForm(incoming, toRequest)
}

/** The same, from an address that an integration knows. */
export function withAddress(incoming: Incoming, address: string | null | undefined): Incoming {
  return address === undefined ? incoming : { ...incoming, address }
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
  const story = settings.logger.isDebugging ? await loadStory(settings) : undefined
  const seen = story ? story.observed(settings, stopwatch) : settings
  const context = createContext({ settings: seen, incoming, now: new Date() })
  story?.logRequest(context)
  warnOfProxy(incoming, settings)
  const begun: Begun = {}
  try {
    if (incoming.problem) throw incoming.problem
    const [problem] = settings.generalProblems
    if (problem) throw problem
    const row = findRow(context)
    story?.logEndpoint(context, row)
    // What is there at once is not waited for: each turn of waiting costs as much as a step of this function.
    const guarded = row.csrf ? requireCsrf(context) : undefined
    if (guarded) await guarded
    const acted = act(context, row, begun)
    const settled = settle(context, row, isThenable(acted) ? await acted : acted)
    const result = isThenable(settled) ? await settled : settled
    const { failed: error } = result
    if (error && settings.trail.isHeard) await recordFailure(context, result, error)
    story?.logResult(context, result, error)
    return { context, result, error }
  } catch (error) {
    const result = await answerFailure(context, begun, error)
    if (settings.trail.isHeard) await recordFailure(context, result, error)
    story?.logResult(context, result, error)
    return { context, result, error }
  }
}

/** What `debug` logs of a request; without it the request is answered all the same. */
async function loadStory({ logger }: Settings): Promise<typeof import("./story.js") | undefined> {
  try {
    return await import("./story.js")
  } catch (error) {
    logger.error(asError(error))
    return undefined
  }
}

/** The row whose action has begun, once one has. */
interface Begun {
  row?: Row
}

/** Most rows are not limited, and without limits none is: these pay nothing. */
function act(context: Context, row: Row, begun: Begun): Awaitable<Result> {
  if (context.settings.limits !== undefined && row.limit !== "nothing") return actWithinLimits(context, row, begun)
  begun.row = row
  return row.act(context)
}

/** A refusal is the outcome of a check; a fault says nothing of what was tried. */
async function actWithinLimits(context: Context, row: Row, begun: Begun): Promise<Result> {
  const passage = await enterLimits(context, row)
  begun.row = row
  try {
    const result = await row.act(context)
    return withCookies(result, await passage.leave(result))
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

/**
 * Answers also where parts of the service are missing, and could not be loaded. Before an action has begun, no cookie of a flow is
 * cleared: which one a link names depends on its token, and would show whether a guessed code is right.
 */
async function answerFailure(context: Context, { row }: Begun, thrown: unknown): Promise<Result> {
  const result = await explained(context, thrown)
  try {
    return await settle(context, row, result)
  } catch (error) {
    return unexplained(context, [error])
  }
}

/** What was thrown may come from the application and throw again when it is read: that is answered as well. */
async function explained(context: Context, thrown: unknown): Promise<Result> {
  try {
    return await failure(context, thrown)
  } catch {
    const unreadable = new AuthError("An error that cannot be read was thrown.")
    return await failure(context, unreadable).catch((error) => unexplained(context, [thrown, error]))
  }
}

function unexplained(context: Context, thrown: readonly unknown[]): Result {
  for (const one of thrown) context.log.error(asAuthError(context, one))
  return plainFault(context, "The request could not be answered. The server log says why.")
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
    throw asAuthError(context, error)
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
