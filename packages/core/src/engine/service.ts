/** What an application holds: requests are handled, and the same actions are called in this process without forging one. */
import { asAuthError } from "../actions/failure.js"
import type { Settings } from "../config/settings.js"
import { type AuthError, errorRow, InvalidConfiguration, isCredentialsSignin } from "../errors.js"
import { concreteCookies } from "../http/cookies.js"
import { type AuthAction, ownsPath } from "../http/endpoints.js"
import { craftIncoming, type Incoming } from "../http/incoming.js"
import { mayFollow, type ServerResponse, toResponse, toServerResponse } from "../http/outgoing.js"
import { isThenable } from "../std/deadline.js"
import type { Cookie } from "../types/config.js"
import type { Session } from "../types/session.js"
import { checkSession, type Outcome, receive, run } from "./pipeline.js"
import type {
  AuthService,
  AuthSource,
  HandleOptions,
  RedirectAnswer,
  ServerRequest,
  SessionAnswer,
  SessionOptions,
  SignInCall,
  SignOutCall,
  UpdateCall,
} from "./public.js"

/**
 * Where the object keeps its settings: for {@link inspectAuth} alone, since they lead to secrets. A registered symbol,
 * because tools may bring a copy of this package of their own.
 */
const settingsKey: unique symbol = Symbol.for("latchkey.settings")

/** Builds the service on settings that are asked for at each call. */
export function createService(settings: () => Settings): AuthService {
  const service: AuthService = {
    get basePath() {
      return settings().basePath
    },
    get origin() {
      return settings().fixedOrigin
    },
    problems: () => settings().problems,
    handle: (request, options) => handle(request, settings(), options),
    respond: (request, options) => respond(request, settings(), options),
    isOwn: (pathname) => ownsPath(pathname, settings()),
    session: (source, options) => session(source, settings(), options),
    update: (source, data, call = {}) => update({ source, data, call }, settings()),
    signIn: (source, provider, call = {}) => signIn({ source, provider, call }, settings()),
    signOut: (source, call = {}) => signOut({ source, call }, settings()),
  }
  return Object.defineProperty(service, settingsKey, { value: settings })
}

/** The settings behind the object; `undefined` for anything else. They lead to secrets. */
export function settingsOf(auth: unknown): Settings | undefined {
  const isService = typeof auth === "object" && auth !== null && settingsKey in auth
  const settings: unknown = isService ? auth[settingsKey] : undefined
  return typeof settings === "function" ? settings() : undefined
}

/** The settings behind the object. @throws InvalidConfiguration for anything else */
export function requiredSettingsOf(auth: unknown): Settings {
  const settings = settingsOf(auth)
  if (settings) return settings
  throw new InvalidConfiguration("Expected the object that `createAuth` returned, received something else.")
}

async function handle(
  request: Request,
  settings: Settings,
  { sender, address }: HandleOptions = {},
): Promise<Response> {
  const received = receive({ head: request, toRequest: () => request, sender }, settings)
  const { result, context } = await run(
    withAddress(isThenable(received) ? await received : received, address),
    settings,
  )
  return toResponse(result, context)
}

async function respond(
  { toRequest, ...head }: ServerRequest,
  settings: Settings,
  { sender, address }: HandleOptions = {},
): Promise<ServerResponse> {
  const received = receive({ head, toRequest, sender }, settings)
  const { result, context } = await run(
    withAddress(isThenable(received) ? await received : received, address),
    settings,
  )
  return toServerResponse(result, context)
}

function withAddress(incoming: Incoming, address: string | undefined): Incoming {
  return address === undefined ? incoming : { ...incoming, address }
}

async function session(source: AuthSource, settings: Settings, options?: SessionOptions): Promise<SessionAnswer> {
  const incoming = craftIncoming(source, { action: "session", method: "GET" }, settings)
  const read = checkSession(incoming, settings, options)
  const { context, checked } = isThenable(read) ? await read : read
  return { session: checked.session, cookies: concreteCookies(checked.cookies, context) }
}

async function update(
  { source, data, call }: { source: AuthSource; data: unknown; call: UpdateCall },
  settings: Settings,
): Promise<SessionAnswer> {
  const { fields, sender } = call
  const asked = { action: "session", method: "POST", form: { ...fields, data }, sender } as const
  const outcome = await run(craftIncoming(source, asked, settings), settings)
  // In this process a failure is thrown to the caller, who decides what to do with it.
  if (outcome.error !== undefined) {
    call.onThrow?.(cookiesOf(outcome))
    throw asAuthError(outcome.context, outcome.error)
  }
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
  return answerTo(await run(withAddress(incoming, call.address), settings), call)
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

function answerTo(outcome: Outcome, { onRefusal = "throw", onThrow }: SignOutCall): RedirectAnswer {
  if (outcome.error === undefined) return redirectOf(outcome)
  const refusal = asAuthError(outcome.context, outcome.error)
  const { result } = outcome
  if (onRefusal === "redirect" && result.reply.kind === "redirect" && !isForCaller(refusal)) {
    return { ...redirectOf(outcome), refusal }
  }
  onThrow?.(cookiesOf(outcome))
  throw refusal
}

/** Wrong credentials are shown by the form itself, faults by whatever the caller shows faults with. */
function isForCaller(error: AuthError): boolean {
  return isCredentialsSignin(error) || errorRow(error).fault
}

function redirectOf(outcome: Outcome): RedirectAnswer {
  const { reply } = outcome.result
  const { origin } = outcome.context.incoming
  const isFit = reply.kind === "redirect" && mayFollow(reply.location, origin)
  return { redirect: isFit ? reply.location : origin, cookies: cookiesOf(outcome) }
}

function cookiesOf({ result, context }: Outcome): readonly Cookie[] {
  return concreteCookies(result.cookies, context)
}
