/** `createAuth`, which makes the object that an application holds, and `Auth`, which takes the configuration with each request. */
import { asAuthError } from "../actions/thrown.js"
import { type Caches, createCaches } from "../config/caches.js"
import type { Settings } from "../config/settings.js"
import { toInternal, toResponse } from "../http/outgoing.js"
import { type BoundedCache, createBoundedCache } from "../std/cache.js"
import { environment } from "../std/runtime.js"
import type { AuthConfig, ResponseInternal } from "../types/config.js"
import type { SessionStrategy } from "../types/hooks.js"
import type { AuthConfigOf, NeedsOf, SessionOf, TypedConfigOf } from "../types/inference.js"
import type { DefaultSession, Exposable, Session } from "../types/session.js"
import type { JWT } from "../types/token.js"
import { receive, run } from "./pipeline.js"
import type { AuthService } from "./public.js"
import { type Resolved, resolveAtStart, resolveOnce } from "./resolved.js"
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
const resolvedByConfig = new WeakMap<AuthConfig, Resolved>()
const servicesByConfig = new WeakMap<object, BoundedCache<Auth>>()

/**
 * Makes the service for a configuration, and logs at once everything that is wrong with it, unless a framework is
 * building the application. Settings are resolved once, and again at the first call where variables of the environment
 * were loaded in between; what changes in the configuration afterwards changes nothing.
 */
export function createAuth<
  Strategy extends SessionStrategy = SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = never,
  Id extends string = string,
  Expose extends Exposable = never,
>(
  written: AuthConfigOf<Strategy, Token, Shown, Id, Expose> & NeedsOf<Strategy>,
  options?: CreateAuthOptions,
): Auth<SessionOf<Strategy, Shown, Expose>, Id>
export function createAuth<Strategy extends SessionStrategy, Id extends string>(
  written: TypedConfigOf<Strategy, Id> & NeedsOf<Strategy>,
  options?: CreateAuthOptions,
): Auth<Session, Id>
export function createAuth(written: object, options: CreateAuthOptions = {}): Auth {
  // Only the types of the callbacks depend on the strategy; below they are called with what that strategy gives.
  const config = written as AuthConfig
  const env = options.env ?? environment()
  const given = { env, caches, mount: options.basePath }
  const early = isBuilding(env) ? undefined : resolveAtStart(config, given)
  let resolved: Resolved | undefined
  const settings = (): Settings => {
    resolved ??= resolveOnce(early, config, given)
    return resolved.settings
  }
  // The compiler has checked that the callbacks return what the application's type says.
  return createService(settings)
}

/** Next.js loads an application while it builds it, without its secrets. */
function isBuilding(env: NonNullable<CreateAuthOptions["env"]>): boolean {
  return env.NEXT_PHASE === "phase-production-build"
}

/** Mount paths with settings of their own that are kept for one configuration. */
const mountsAtMost = 256

/**
 * The service of a configuration that is handed over with each call, for integrations: the same for the same object and
 * mount, resolved again where a member of the configuration was exchanged.
 */
export function authOf(config: AuthConfigOf<SessionStrategy>, mount = ""): Auth {
  // A caller without types may hand over anything; resolving it says what is wrong.
  const key: unknown = config
  if (typeof key !== "object" || key === null) return createAuth(config)
  // A mount path with parameters takes any value a visitor puts there, so the number of mounts is bounded.
  const byMount = servicesByConfig.get(key) ?? createBoundedCache<Auth>(mountsAtMost)
  servicesByConfig.set(key, byMount)
  const service = byMount.get(mount, "") ?? followingAuth(config as AuthConfig, mount)
  byMount.set(mount, "", service)
  return service
}

function followingAuth(config: AuthConfig, mount: string): Auth {
  const given = { env: environment(), caches, mount: mount === "" ? undefined : mount }
  let resolved = isBuilding(given.env) ? undefined : resolveAtStart(config, given)
  return createService((): Settings => {
    resolved = resolveOnce(resolved, config, given)
    return resolved.settings
  })
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
export function Auth<Strategy extends SessionStrategy>(
  request: Request,
  config: TypedConfigOf<Strategy> & NeedsOf<Strategy> & { raw: symbol },
): Promise<ResponseInternal>
export function Auth<Strategy extends SessionStrategy>(
  request: Request,
  config: Omit<TypedConfigOf<Strategy>, "raw"> & NeedsOf<Strategy>,
): Promise<Response>
export async function Auth(request: Request, written: object): Promise<Response | ResponseInternal> {
  const config = written as AuthConfig
  const resolved = resolveOnce(resolvedByConfig.get(config), config, {
    env: environment(),
    caches,
    mount: undefined,
    isFilled: true,
  })
  resolvedByConfig.set(config, resolved)
  const outcome = await run(
    await receive({ head: request, toRequest: () => request }, resolved.settings),
    resolved.settings,
  )
  if (!resolved.settings.raw) return toResponse(outcome.result, outcome.context)
  if (outcome.error !== undefined) throw asAuthError(outcome.context, outcome.error)
  return toInternal(outcome.result, outcome.context)
}
