/** The object an application holds, and the entry point that takes a configuration with each request. */
import { asAuthError } from "../actions/refusal.js"
import { type Caches, createCaches } from "../config/caches.js"
import type { Settings } from "../config/settings.js"
import { toInternal, toResponse } from "../http/outgoing.js"
import { environment } from "../std/runtime.js"
import type { AuthConfig, ResponseInternal } from "../types/config.js"
import type { SessionStrategy } from "../types/hooks.js"
import type { AuthConfigOf, NeedsOf, SessionOf } from "../types/inference.js"
import type { DefaultSession, Exposable, Session } from "../types/session.js"
import type { JWT } from "../types/token.js"
import { type Held, hold, holdAtStart } from "./holder.js"
import { receive, run } from "./pipeline.js"
import type { AuthService } from "./public.js"
import { createService } from "./service.js"

/** What an application may say beside its configuration. */
export interface CreateAuthOptions {
  /** Environment record. @default the runtime's */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where the integration is mounted; `basePath` of the configuration comes first. */
  readonly basePath?: string
}

/** What {@link createAuth} answers: the object an application holds. Its settings, which lead to secrets, are private. */
export interface Auth<S = Session, Id extends string = string> extends AuthService<S, Id> {}

const caches: Caches = createCaches()
const heldByConfig = new WeakMap<AuthConfig, Held>()

/**
 * Makes the service for a configuration, and logs at once everything that is wrong with it, unless a framework is
 * building the application. Settings are resolved once, and again only when a member of the configuration was exchanged.
 */
export function createAuth<
  Strategy extends SessionStrategy = SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = never,
  Id extends string = string,
  Expose extends Exposable = never,
>(
  written: AuthConfigOf<Strategy, Token, Shown, Id, Expose> & NeedsOf<Strategy>,
  options: CreateAuthOptions = {},
): Auth<SessionOf<Strategy, Shown, Expose>, Id> {
  // Only its callbacks know the strategy; below they are asked with what that strategy gives.
  const config = written as unknown as AuthConfig
  const env = options.env ?? environment()
  // Where nothing was said beside the configuration, everybody who comes with it shares what was resolved.
  const isShared = options.env === undefined && options.basePath === undefined && isObject(config)
  let own: Held | undefined
  const settings = (): Settings => {
    own = hold(isShared ? heldByConfig.get(config) : own, config, { env, caches, mount: options.basePath })
    if (isShared) heldByConfig.set(config, own)
    return own.settings
  }
  if (!isBuilding(env) && !(isShared && heldByConfig.has(config))) {
    own = holdAtStart(config, { env, caches, mount: options.basePath })
    if (isShared) heldByConfig.set(config, own)
  }
  // What the callbacks return is the application's; that it fits its own type, the compiler has seen.
  return createService(settings) as Auth<SessionOf<Strategy, Shown, Expose>, Id>
}

/** Next.js loads an application while it builds it, without its secrets. */
function isBuilding(env: NonNullable<CreateAuthOptions["env"]>): boolean {
  return env.NEXT_PHASE === "phase-production-build"
}

// A caller without types may hand over anything; resolving it says what is wrong.
function isObject(config: unknown): boolean {
  return typeof config === "object" && config !== null
}

/**
 * Answers one request with a configuration. The settings are found again for the same configuration object.
 * With the marker `raw` the answer is a {@link ResponseInternal} and every AuthError is thrown.
 */
export function Auth<Strategy extends SessionStrategy, Token extends JWT, Shown extends DefaultSession>(
  request: Request,
  config: AuthConfigOf<Strategy, Token, Shown> & NeedsOf<Strategy> & { raw: symbol },
): Promise<ResponseInternal>
export function Auth<Strategy extends SessionStrategy, Token extends JWT, Shown extends DefaultSession>(
  request: Request,
  config: Omit<AuthConfigOf<Strategy, Token, Shown>, "raw"> & NeedsOf<Strategy>,
): Promise<Response>
export async function Auth(request: Request, written: object): Promise<Response | ResponseInternal> {
  const config = written as AuthConfig
  const held = hold(heldByConfig.get(config), config, { env: environment(), caches, mount: undefined, isFilled: true })
  heldByConfig.set(config, held)
  const outcome = await run(await receive(request, held.settings), held.settings)
  if (!held.settings.raw) return toResponse(outcome.result, outcome.context)
  if (outcome.error !== undefined) throw asAuthError(outcome.context, outcome.error)
  return toInternal(outcome.result, outcome.context)
}
