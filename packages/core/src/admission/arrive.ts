/** From proof to session: gathers facts, calls the `signIn` callback, decides, and writes rows and session in one transaction; when another request wins a race, runs again on its rows. */
import { announceAll, announceAndThrow, askInTime, detailsFor } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { AccessDenied, type AuthError, isAuthError, OAuthAccountNotLinked } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import type { Proof } from "../methods/method.js"
import type { AuthEvent } from "../ports/events.js"
import type { Store } from "../ports/store.js"
import { asThrownError } from "../ports/thrown.js"
import { selectStrategy } from "../sessions/select.js"
import type { Changed, Login } from "../sessions/strategy.js"
import { fromModule } from "../std/lazy.js"
import { isUrl } from "../std/url.js"
import type { CallbacksOptions } from "../types/hooks.js"
import type { AdapterUser } from "../types/identity.js"
import { removeUnseen, withArrivingAddress } from "./address.js"
import { type Admission, admit } from "./admit.js"
import { decide } from "./decide.js"
import { explain } from "./explain.js"
import { type Around, type Facts, gatherFacts } from "./facts.js"
import { expectNotOvertaken, mayBeOvertaken } from "./overtaken.js"
import { expectStanding, mayHaveEnded, refusalOfEnded, refuseEnded, removeReturned, stillCurrent } from "./standing.js"

const suspectEvents = fromModule(
  () => import("./proof-by-event.js"),
  (module) => module.suspectEvents,
)

/** The person was admitted, and has a session. */
export interface Arrived {
  readonly kind: "arrived"
  readonly login: Login
  readonly cookies: readonly CookieChange[]
  /** In order, still to be announced now that everything is written. */
  readonly events: readonly AuthEvent[]
  /** Events of this sign-in whose handlers may have called an address proven that nobody has proven. */
  readonly suspects: readonly string[]
}

/** The `signIn` callback redirects instead. */
export interface SentElsewhere {
  readonly kind: "elsewhere"
  readonly goTo: string
}

/**
 * Admits a person who has proven who they are.
 * @throws AccessDenied by the `signIn` callback, or for a new id that looks like that of another; OAuthAccountNotLinked, AccountNotLinked by the decision;
 * OAuthCreateAccountError, EmailCreateAccountError when the user cannot be stored; AdapterError for any other write.
 */
export async function arrive(context: Context, proof: Proof): Promise<Arrived | SentElsewhere> {
  const facts = await gatherSettledFacts(context, proof)
  const verdict = await askGate(context, question(facts))
  if (verdict.kind === "elsewhere") return verdict
  const { admission, begun: written } = await writeOrRetry(context, facts)
  const begun = written?.settle
    ? await written.settle().catch((error: unknown) => announceAndThrow(context, admission.events, error))
    : written
  const { claimed } = admission
  if (claimed)
    await removeUnseen(context, { user: claimed, except: proof.account }).catch((error: unknown) =>
      announceAndThrow(context, admission.events, error),
    )
  const { login } = admission
  const signedIn: AuthEvent = { kind: "signIn", message: signInEvent(proof, login) }
  // Before any is announced: a handler may write to the user that it is shown.
  const suspects = await suspectEvents(context, proof, { login, events: [...admission.events, signedIn] })
  const { cookies, events } = await beginSession(context, facts, { admission, begun })
  return { kind: "arrived", login, cookies, events: [...events, signedIn], suspects }
}

/** Begins the session, where that has not happened together with the rows. @returns its cookies, and the events that are still to be announced */
async function beginSession(context: Context, facts: Facts, { admission, begun }: Written): Promise<Changed> {
  const { settings } = context
  const strategy = selectStrategy(settings)
  const isWatched = mayBeOvertaken(context, facts, admission)
  const begin = (): Promise<Changed> => strategy.begin(context, admission.login, settings.store)
  if (!strategy.beginsInStore) {
    if (mayHaveEnded(context, facts)) await expectStanding(context, facts, admission)
    if (isWatched) await expectNotOvertaken(context, facts, { admission })
    // As in Auth.js, the `jwt` callback finds what the events of the rows have written.
    await announceAll(context, admission.events)
    return begin()
  }
  // The rows are written, so the event of a created user is sent even when the session cannot begin.
  const refuse = async (error: unknown): Promise<never> => {
    // An owner who came while they were being written has not seen all of them.
    if (isWatched) await expectNotOvertaken(context, facts, { admission })
    return announceAndThrow(context, admission.events, error)
  }
  const session = begun ?? (await begin().catch(refuse))
  if (isWatched) await expectNotOvertaken(context, facts, { admission, session })
  if (session.isOver) await refuseEnded(context, facts, admission)
  return { ...session, events: [...admission.events, ...session.events] }
}

/** The stored user whom the application is asked about. */
const existingUserOf = ({ proof, accountOwner, emailOwner }: Facts): AdapterUser | null =>
  proof.policy.foundBy === "email" ? emailOwner : accountOwner

function question(facts: Facts): GateQuestion {
  const { proof } = facts
  const isByEmail = proof.policy.foundBy === "email"
  const user = withArrivingAddress(existingUserOf(facts) ?? proof.user, proof)
  return {
    user,
    account: isByEmail && user.id !== undefined ? { ...proof.account, userId: user.id } : proof.account,
    ...(proof.profile && { profile: proof.profile }),
    ...(proof.credentials && { credentials: { ...proof.credentials } }),
  }
}

/** Milliseconds: together as long as two writes may take, where user and account are written one after the other. */
const pauses: readonly number[] = [10, 40, 150]

/**
 * Gathers the facts. The owner of the address without the account may be this same person, whom a concurrent
 * request has stored without the account so far: before the sign-in is refused, the facts are read again a few times.
 * Stores that write both at once are read once.
 */
async function gatherSettledFacts(
  context: Context,
  proof: Proof,
  around: Around = { store: context.settings.store },
): Promise<Facts> {
  const { store } = context.settings
  const showsHalves = !store.has("transaction") && !store.has("createUserWithAccount")
  let facts = await gatherFacts(context, proof, around)
  for (const pause of showsHalves ? pauses : []) {
    if (!facts.emailOwner || decide(facts).kind !== "refuse") break
    await new Promise<void>((resolve) => setTimeout(resolve, pause))
    facts = await gatherFacts(context, proof, around)
  }
  return facts
}

interface Written {
  readonly admission: Admission
  /** Present when the session is a row of the same transaction. */
  readonly begun: Changed | undefined
}

async function writeOrRetry(context: Context, facts: Facts): Promise<Written> {
  try {
    return await write(context, facts)
  } catch (error) {
    if (!(isAuthError(error) && error.type === "AdapterError") || !mayHaveLostRace(facts)) throw error
    return secondTry(context, facts, error)
  }
}

/** Two first sign-ins of one person at once: the later one finds the rows of the first and signs in with them. */
async function secondTry(context: Context, first: Facts, failure: AuthError): Promise<Written> {
  const facts = await gatherSettledFacts(context, first.proof).catch(() => undefined)
  if (!facts) throw explain(first, failure)
  try {
    // The application was asked about the first facts, and is not asked again.
    return await write(context, stillAsked(first, facts))
  } catch (error) {
    if (isAuthError(error) && error.type === "AdapterError") throw explain(facts, error)
    throw error
  }
}

/** Whoever registers, or links: an address becomes an account at any of its sign-ins. */
function mayHaveLostRace(facts: Facts): boolean {
  const { kind } = decide(facts)
  return kind === "register" || kind === "link" || facts.proof.policy.foundBy === "email"
}

/**
 * Writes on facts that are read again where they are written: while the application was asked, the owner of an address
 * may have come, and the current user may have been signed out.
 */
async function write(context: Context, asked: Facts): Promise<Written> {
  const before = mayHaveEnded(context, asked) ? await stillCurrent(context, asked) : asked
  const strategy = selectStrategy(context.settings)
  const isTogether = strategy.beginsInStore && context.settings.store.has("transaction")
  let isOver = false
  const work = async (store: Store): Promise<Written> => {
    const facts = await gatherSettledFacts(context, before.proof, { store, before })
    const admission = await admit(context, { facts: stillAsked(before, facts), store })
    // Once the owner of an address has come, what others add at this moment has to be looked for first.
    const begun = isTogether && !admission.claimed ? await strategy.begin(context, admission.login, store) : undefined
    // What was written in the same transaction is undone.
    isOver = begun?.isOver === true
    if (isOver) throw refusalOfEnded(facts)
    return { admission, begun }
  }
  return context.settings.store.transaction(work).catch(async (error: unknown) => {
    if (isTogether && mayHaveEnded(context, asked)) await removeReturned(context, isOver)
    throw error
  })
}

/** The callback allowed the user it was asked about. If another user has appeared meanwhile, the sign-in is refused. */
function stillAsked(before: Facts, facts: Facts): Facts {
  const [asked, known] = [existingUserOf(before), existingUserOf(facts)]
  if (!asked || String(asked.id) === String(known?.id)) return facts
  throw new OAuthAccountNotLinked("The account was linked to another user meanwhile. Sign in again.", {
    cause: { provider: facts.proof.account.provider },
  })
}

function signInEvent({ policy }: Proof, login: Login): Extract<AuthEvent, { kind: "signIn" }>["message"] {
  const { user, answered, account, profile, isNew } = login
  // The object that `authorize` returned, whatever its id: applications recognise their own object.
  if (policy.foundBy === "application") return { user: answered ?? user, account }
  return { user, account, ...(profile && { profile }), ...(isNew !== undefined && { isNewUser: isNew }) }
}

/** What the `signIn` callback is asked. */
export type GateQuestion = Parameters<CallbacksOptions["signIn"]>[0]

/** Allowed, or redirected to an address. */
export type Verdict = { readonly kind: "pass" } | SentElsewhere

/**
 * Calls the `signIn` callback. A string is an address to redirect to, relative to the origin or absolute.
 * @throws AccessDenied for `false`, and for whatever the callback throws, with its message
 */
export async function askGate(context: Context, question: GateQuestion): Promise<Verdict> {
  const answer = await answerOf(context, question)
  if (answer === false) throw new AccessDenied("The signIn callback refused.")
  if (!answer) throw new AccessDenied(missingAnswer(answer))
  if (typeof answer !== "string") return { kind: "pass" }
  return { kind: "elsewhere", goTo: gateAddress(answer, context.incoming.origin) }
}

/** Most often a forgotten `return`. */
function missingAnswer(answer: unknown): string {
  const received = answer === "" ? "an empty string" : String(answer)
  return `The signIn callback: expected true, false or a URL as a string, received ${received}. Return true to allow the sign-in, false to refuse it.`
}

async function answerOf(context: Context, question: GateQuestion): Promise<boolean | string> {
  try {
    return await askInTime(context, "callbacks.signIn", () =>
      context.settings.callbacks.signIn(question, ...detailsFor(context, "callbacks", "signIn")),
    )
  } catch (error) {
    throw new AccessDenied(asThrownError(error))
  }
}

function gateAddress(answer: string, origin: string): string {
  if (!isUrl(answer, origin)) {
    throw new AccessDenied("The signIn callback returned a string that is not a URL. Return true, false or a URL.")
  }
  return new URL(answer, origin).href
}
