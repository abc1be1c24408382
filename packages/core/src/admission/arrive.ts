/** From proof to session: facts, gate, decision, rows and session in one transaction; a lost race is run again on the winner's rows. */
import { announceAll } from "../context/announce.js"
import type { Context } from "../context/context.js"
import { type AuthError, EmailCreateAccountError, isAuthError, OAuthCreateAccountError } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import type { Proof } from "../methods/method.js"
import type { AuthEvent } from "../ports/events.js"
import { selectStrategy } from "../sessions/select.js"
import type { Changed, Login } from "../sessions/strategy.js"
import { type Admission, admit } from "./admit.js"
import { type Decision, decide } from "./decide.js"
import type { Facts } from "./facts.js"
import { askGate } from "./gate.js"
import { gatherSettledFacts } from "./settled-facts.js"

/** The person is in. */
export interface Arrived {
  readonly kind: "arrived"
  readonly login: Login
  readonly cookies: readonly CookieChange[]
  /** In order, to be announced now that everything is written. */
  readonly events: readonly AuthEvent[]
}

/** The application sends the person elsewhere instead. */
export interface SentElsewhere {
  readonly kind: "elsewhere"
  readonly goTo: string
}

/**
 * Lets a proven person in.
 * @throws AccessDenied by the gate; OAuthAccountNotLinked, AccountNotLinked by the decision;
 * OAuthCreateAccountError, EmailCreateAccountError when the user cannot be stored; AdapterError for any other write.
 */
export async function arrive(context: Context, proof: Proof): Promise<Arrived | SentElsewhere> {
  const facts = await gatherSettledFacts(context, proof)
  const verdict = await askGate(context, question(facts))
  if (verdict.kind === "elsewhere") return verdict
  const { admission, begun } = await writeOrRetry(context, facts)
  const session = begun ?? (await beginAfterwards(context, admission))
  return {
    kind: "arrived",
    login: admission.login,
    cookies: session.cookies,
    events: [...admission.events, ...session.events, { kind: "signIn", message: signInMessage(admission.login) }],
  }
}

/** The rows are there to stay: that somebody was created is told, also when the session cannot begin. */
async function beginAfterwards(context: Context, { login, events }: Admission): Promise<Changed> {
  const { settings } = context
  try {
    return await selectStrategy(settings).begin(context, login, settings.store)
  } catch (error) {
    await announceAll(context, events)
    throw error
  }
}

function question({ proof, owner, namesake }: Facts): Parameters<typeof askGate>[1] {
  const isEmail = proof.account.type === "email"
  const user = (isEmail ? namesake : owner) ?? proof.user
  return {
    user,
    account: isEmail && user.id !== undefined ? { ...proof.account, userId: user.id } : proof.account,
    ...(proof.profile && { profile: proof.profile }),
    ...(proof.credentials && { credentials: { ...proof.credentials } }),
  }
}

interface Written {
  readonly admission: Admission
  /** Present when the session is a row of the same transaction. */
  readonly begun: Changed | undefined
}

async function writeOrRetry(context: Context, facts: Facts): Promise<Written> {
  const decision = decide(facts)
  try {
    return await write(context, facts.proof, decision)
  } catch (error) {
    if (!(isAuthError(error) && error.type === "AdapterError") || !mayHaveLostRace(decision, facts.proof)) throw error
    return secondTry(context, facts.proof, { decision, error })
  }
}

/** Two first sign-ins of one person at once: whoever loses finds the winner's rows and enters. */
async function secondTry(
  context: Context,
  proof: Proof,
  first: { readonly decision: Decision; readonly error: AuthError },
): Promise<Written> {
  const facts = await gatherSettledFacts(context, proof).catch(() => undefined)
  if (!facts) throw explain(first.decision, proof, first.error)
  const decision = decide(facts)
  try {
    return await write(context, proof, decision)
  } catch (error) {
    if (isAuthError(error) && error.type === "AdapterError") throw explain(decision, proof, error)
    throw error
  }
}

/** Whoever registers, or links: an address becomes an account at any of its sign-ins. */
const mayHaveLostRace = ({ kind }: Decision, { account }: Proof): boolean =>
  kind === "register" || kind === "link" || (kind === "enter" && account.type === "email")

/** Where rows and session are written together, a session that could not begin is no fault of the new user. */
const ofSession: ReadonlySet<unknown> = new Set(["createSession", "getSessionAndUser", "deleteSession"])

function explain(decision: Decision, proof: Proof, error: AuthError): AuthError {
  if (decision.kind !== "register" || ofSession.has(error.cause?.["operation"])) return error
  const CreateAccountError = proof.account.type === "email" ? EmailCreateAccountError : OAuthCreateAccountError
  return new CreateAccountError("The user could not be stored.", { cause: { ...error.cause, err: error } })
}

async function write(context: Context, proof: Proof, decision: Decision): Promise<Written> {
  const strategy = selectStrategy(context.settings)
  const isTogether = strategy.beginsInStore && context.settings.store.has("transaction")
  return context.settings.store.transaction(async (store) => {
    const admission = await admit(context, { proof, decision, store })
    const begun = isTogether ? await strategy.begin(context, admission.login, store) : undefined
    return { admission, begun }
  })
}

function signInMessage({
  user,
  answered,
  account,
  profile,
  isNew,
}: Login): Extract<AuthEvent, { kind: "signIn" }>["message"] {
  // As it was answered, whatever its id: applications find their own object again.
  if (account.type === "credentials") return { user: answered ?? user, account }
  return { user, account, ...(profile && { profile }), ...(isNew !== undefined && { isNewUser: isNew }) }
}
