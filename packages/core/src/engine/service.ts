/** What an application holds: requests are handled, and the same actions are called in this process without forging one. */
import type { Settings } from "../config/settings.js"
import { InvalidConfiguration } from "../errors.js"
import { concreteCookies } from "../http/cookies.js"
import { ownsPath } from "../http/endpoints.js"
import { craftIncoming } from "../http/incoming.js"
import { type ServerResponse, toResponse, toServerResponse } from "../http/outgoing.js"
import { isThenable } from "../std/deadline.js"
import { fromModule } from "../std/lazy.js"
import { asChanged, type Called } from "./changed-source.js"
import { checkSession, receive, run, withAddress } from "./pipeline.js"
import type { AuthService, HandleOptions, ServerRequest, SessionAnswer, SessionOptions } from "./public.js"

const calls = (): Promise<typeof import("./calls.js")> => import("./calls.js")
const update = fromModule(calls, (module) => module.update)
const signIn = fromModule(calls, (module) => module.signIn)
const signOut = fromModule(calls, (module) => module.signOut)

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
    get cookieNames() {
      const { plain, secure } = settings().cookies
      return [plain, secure].flatMap((table) => Object.values(table).map(({ name }) => name))
    },
    problems: () => settings().problems,
    handle: (request, options) => handle(request, settings(), options),
    respond: (request, options) => respond(request, settings(), options),
    isOwn: (pathname) => ownsPath(pathname, settings()),
    session: (source, options) => session({ auth: service, source }, settings(), options),
    update: (source, data, call = {}) => update({ auth: service, source, data, call }, settings()),
    signIn: (source, provider, call = {}) => signIn({ auth: service, source, provider, call }, settings()),
    signOut: (source, call = {}) => signOut({ auth: service, source, call }, settings()),
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

/** What it answers is not kept for calls that follow: whoever asks who is signed in often sets no cookies. */
async function session(called: Called, settings: Settings, options?: SessionOptions): Promise<SessionAnswer> {
  const incoming = craftIncoming(asChanged(called, settings), { action: "session", method: "GET" }, settings)
  const read = checkSession(incoming, settings, options)
  const { context, checked } = isThenable(read) ? await read : read
  return { session: checked.session, cookies: concreteCookies(checked.cookies, context) }
}
