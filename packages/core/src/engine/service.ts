/** What an application holds: requests are handled, and the same actions are called in this process without forging one. */
import { asAuthError } from "../actions/refusal.js"
import type { Settings } from "../config/settings.js"
import { type AuthError, errorRow, isCredentialsSignin } from "../errors.js"
import { concreteCookies } from "../http/cookies.js"
import { craftIncoming, type HeaderSource, type Incoming, readIncoming, type Sender } from "../http/incoming.js"
import { mayFollow, toResponse } from "../http/outgoing.js"
import { ownsPath } from "../http/route.js"
import type { AuthAction, Cookie } from "../types/config.js"
import type { Session } from "../types/session.js"
import { type Outcome, readSession, run } from "./pipeline.js"

/** Where a call in this process comes from: a request, or its address and headers. `secure` tells the scheme where there is no address. */
export type AuthSource = Request | { url?: string; secure?: boolean; headers: HeaderSource }

/** A session, and the cookies to set when it was extended or has ended. */
export interface SessionAnswer {
  readonly session: Session | null
  readonly cookies: readonly Cookie[]
}

/** Where the person goes next, and the cookies to set. */
export interface RedirectAnswer {
  readonly redirect: string
  /** Why, where a refusal is answered with a redirect. */
  readonly refusal?: AuthError
  readonly cookies: readonly Cookie[]
}

/** What a sign-in in this process may say. */
export interface SignInCall {
  /** Fields of the form: `email`, or those of the credentials. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Parameters for the authorization request. */
  readonly params?: Readonly<Record<string, string>>
  /** Where to go afterwards. */
  readonly redirectTo?: string
  /** Who sent the form behind the call. With it the call is judged like a request; without, the caller is trusted. */
  readonly sender?: Sender
  /**
   * `redirect`: what a visitor can cause is answered with the address of the page that says so, as a request would be.
   * Wrong credentials, faults, and what has no page of its own are thrown all the same.
   *
   * @default "throw"
   */
  readonly onRefusal?: "throw" | "redirect"
}

/** What a sign-out in this process may say. */
export type SignOutCall = Pick<SignInCall, "fields" | "redirectTo" | "sender" | "onRefusal">

/** What an integration knows about a request it hands over. */
export interface HandleOptions {
  /** Who sent it. What this application sent needs no CSRF token. @default unknown */
  readonly sender?: Sender
}

/** How a session is read. */
export interface SessionOptions {
  /** `false`: the answer cannot set cookies any more, so nothing is extended. @default true */
  readonly extend?: boolean
}

/** The service an application holds. All methods but `handle` throw AuthErrors. */
export interface AuthService {
  /** Answers a request for the service. Never throws. */
  handle(request: Request, options?: HandleOptions): Promise<Response>
  /** Is the path one of ours: below the base path, beginning with a known action? */
  isOwn(pathname: string): boolean
  /** Reads the session that the headers carry, without building a request. */
  session(source: AuthSource, options?: SessionOptions): Promise<SessionAnswer>
  /** Passes data to the callbacks and reads the session. */
  update(source: AuthSource, data: unknown): Promise<SessionAnswer>
  /** Begins a sign-in; for credentials, completes it. Without a provider: the sign-in page. */
  signIn(source: AuthSource, provider?: string, call?: SignInCall): Promise<RedirectAnswer>
  /** Ends the session. */
  signOut(source: AuthSource, call?: SignOutCall): Promise<RedirectAnswer>
  /** What the configuration came to: base path, providers, problems. */
  readonly settings: Settings
}

/** Builds the service on settings that are asked for at each call. */
export function createService(settings: () => Settings): AuthService {
  const service: Omit<AuthService, "settings"> = {
    handle: (request, options) => handle(request, settings(), options),
    isOwn: (pathname) => ownsPath(pathname, settings().basePath),
    session: (source, options) => session(source, settings(), options),
    update: (source, data) => update(source, data, settings()),
    signIn: (source, provider, call = {}) => signIn({ source, provider, call }, settings()),
    signOut: (source, call = {}) => signOut({ source, call }, settings()),
  }
  // Not among the members that are listed: settings lead to the configuration with its secrets.
  Object.defineProperty(service, "settings", { get: settings, enumerable: false })
  return service as AuthService
}

async function handle(request: Request, settings: Settings, { sender }: HandleOptions = {}): Promise<Response> {
  const { result, context } = await run(await readIncoming(request, settings, sender), settings)
  return toResponse(result, context)
}

async function session(
  source: AuthSource,
  settings: Settings,
  { extend = true }: SessionOptions = {},
): Promise<SessionAnswer> {
  const incoming = craftIncoming(source, { action: "session", method: "GET" }, settings)
  const { context, checked } = await readSession(incoming, settings, !extend)
  return {
    session: checked.session,
    cookies: checked.cookies.length === 0 ? [] : concrete(checked.cookies, { context }),
  }
}

async function update(source: AuthSource, data: unknown, settings: Settings): Promise<SessionAnswer> {
  const call = { action: "session", method: "POST", form: { data } } as const
  const outcome = await succeed(craftIncoming(source, call, settings), settings)
  const { reply } = outcome.result
  return { session: reply.kind === "json" ? (reply.body as Session | null) : null, cookies: cookiesOf(outcome) }
}

async function signIn(
  { source, provider, call }: { source: AuthSource; provider: string | undefined; call: SignInCall },
  settings: Settings,
): Promise<RedirectAnswer> {
  const callbackUrl = call.redirectTo === undefined ? {} : { callbackUrl: call.redirectTo }
  const action: AuthAction = provider !== undefined && finishesAtOnce(settings, provider) ? "callback" : "signin"
  const incoming = craftIncoming(
    source,
    {
      action,
      ...(provider !== undefined && { provider }),
      method: "POST",
      query: call.params ?? {},
      form: { ...call.fields, ...callbackUrl },
      sender: call.sender,
    },
    settings,
  )
  return answerTo(await run(incoming, settings), call)
}

function finishesAtOnce(settings: Settings, provider: string): boolean {
  const type = settings.providers.get(provider)?.type
  return type === "credentials" || type === "webauthn"
}

async function signOut(
  { source, call }: { source: AuthSource; call: SignOutCall },
  settings: Settings,
): Promise<RedirectAnswer> {
  const { fields, redirectTo, sender } = call
  const form = { ...fields, ...(redirectTo !== undefined && { callbackUrl: redirectTo }) }
  const incoming = craftIncoming(source, { action: "signout", method: "POST", form, sender }, settings)
  return answerTo(await run(incoming, settings), call)
}

function answerTo(outcome: Outcome, { onRefusal = "throw" }: SignOutCall): RedirectAnswer {
  if (outcome.error === undefined) return redirectOf(outcome)
  const refusal = asAuthError(outcome.context, outcome.error)
  if (onRefusal === "throw" || outcome.result.reply.kind !== "redirect" || isForCaller(refusal)) throw refusal
  return { ...redirectOf(outcome), refusal }
}

/** Wrong credentials are shown by the form itself, faults by whatever the caller shows faults with. */
function isForCaller(error: AuthError): boolean {
  return isCredentialsSignin(error) || errorRow(error).fault
}

/** In this process a failure is thrown to the caller, who knows best what to do with it. */
async function succeed(incoming: Incoming, settings: Settings): Promise<Outcome> {
  const outcome = await run(incoming, settings)
  if (outcome.error !== undefined) throw asAuthError(outcome.context, outcome.error)
  return outcome
}

function redirectOf(outcome: Outcome): RedirectAnswer {
  const { reply } = outcome.result
  const { origin } = outcome.context.incoming
  const isFit = reply.kind === "redirect" && mayFollow(reply.location, origin)
  return { redirect: isFit ? reply.location : origin, cookies: cookiesOf(outcome) }
}

function cookiesOf({ result, context }: Outcome): readonly Cookie[] {
  return concrete(result.cookies, { context })
}

function concrete(
  changes: Outcome["result"]["cookies"],
  { context }: { context: Outcome["context"] },
): readonly Cookie[] {
  return concreteCookies(changes, { table: context.cookies, received: context.incoming.cookies })
}
