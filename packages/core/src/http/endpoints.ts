/** The endpoints as data, one row per line, and what follows from them: the actions, which paths are ours, which methods are served. */
import { flowRoles } from "../config/cookies.js"
import { UnknownAction } from "../errors.js"
import { pathSegment } from "../std/url.js"
import type { CookieRole } from "../types/config.js"
import type { FeatureAction, FeatureRow } from "../types/feature.js"
import type { ProviderType } from "../types/identity.js"
import type { BudgetName } from "../types/limits.js"

/**
 * A new endpoint is a row here and a file `actions/<action>.ts` that exports the function named in the last column;
 * `node tools/endpoints.mjs` joins the two.
 *
 * - `kinds`: provider types the path may name; `none` allows a path without a provider.
 * - `csrf`: the request must carry the CSRF token.
 * - `spends`: the cookies that are over after the row, however it ends: those of a `flow` (OAuth, mailed links), or the
 *   `challenge` of a passkey ceremony.
 * - `limit`: how often it may be asked: `guess`, what is wrong counts; `ceremony`, everything does; `begin`, messages are
 *   counted as such, everything else as a ceremony; `code`, what is wrong counts where a mailed token is short enough to be guessed.
 * - `audience`: a `script` gets JSON, also of a failure; a `person` gets a page; a `browser` on its way is redirected.
 */
// biome-ignore format: a table, each row stays on one line
const rows = [
  { method: "GET",  action: "session",          kinds: ["none"],                                                      csrf: false, spends: "nothing",   limit: "nothing",   audience: "script",  act: "readSession" },
  { method: "POST", action: "session",          kinds: ["none"],                                                      csrf: true,  spends: "nothing",   limit: "nothing",   audience: "script",  act: "updateSession" },
  { method: "GET",  action: "csrf",             kinds: ["none"],                                                      csrf: false, spends: "nothing",   limit: "nothing",   audience: "script",  act: "csrf" },
  { method: "GET",  action: "providers",        kinds: ["none"],                                                      csrf: false, spends: "nothing",   limit: "nothing",   audience: "script",  act: "providers" },
  { method: "GET",  action: "signin",           kinds: ["none", "oauth", "oidc", "email", "credentials", "webauthn"], csrf: false, spends: "nothing",   limit: "nothing",   audience: "person",  act: "signinPage" },
  { method: "POST", action: "signin",           kinds: ["none", "credentials", "webauthn"],                           csrf: true,  spends: "nothing",   limit: "nothing",   audience: "browser", act: "toSigninPage" },
  { method: "POST", action: "signin",           kinds: ["oauth", "oidc", "email"],                                    csrf: true,  spends: "nothing",   limit: "begin",     audience: "browser", act: "beginSignin" },
  { method: "GET",  action: "signout",          kinds: ["none"],                                                      csrf: false, spends: "nothing",   limit: "nothing",   audience: "person",  act: "signoutPage" },
  { method: "POST", action: "signout",          kinds: ["none"],                                                      csrf: true,  spends: "nothing",   limit: "nothing",   audience: "browser", act: "endSession" },
  { method: "GET",  action: "callback",         kinds: ["oauth", "oidc"],                                             csrf: false, spends: "flow",      limit: "nothing",   audience: "browser", act: "callback" },
  { method: "GET",  action: "callback",         kinds: ["email"],                                                     csrf: false, spends: "flow",      limit: "code",      audience: "browser", act: "callback" },
  { method: "POST", action: "callback",         kinds: ["oauth", "oidc"],                                             csrf: false, spends: "flow",      limit: "nothing",   audience: "browser", act: "callback" },
  { method: "POST", action: "callback",         kinds: ["credentials"],                                               csrf: true,  spends: "nothing",   limit: "guess",     audience: "browser", act: "callback" },
  { method: "POST", action: "callback",         kinds: ["email"],                                                     csrf: true,  spends: "flow",      limit: "code",      audience: "browser", act: "callback" },
  { method: "POST", action: "callback",         kinds: ["webauthn"],                                                  csrf: false, spends: "challenge", limit: "ceremony",  audience: "browser", act: "callback" },
  { method: "GET",  action: "error",            kinds: ["none"],                                                      csrf: false, spends: "nothing",   limit: "nothing",   audience: "person",  act: "errorPage" },
  { method: "GET",  action: "verify-request",   kinds: ["none"],                                                      csrf: false, spends: "nothing",   limit: "nothing",   audience: "person",  act: "verifyRequestPage" },
  { method: "GET",  action: "webauthn-options", kinds: ["webauthn"],                                                  csrf: false, spends: "nothing",   limit: "ceremony",  audience: "script",  act: "webauthnOptions" },
] as const

/** The actions below the base path. */
export type AuthAction = (typeof rows)[number]["action"]

/** The names of the functions that serve the rows. */
export type ActName = (typeof rows)[number]["act"]

/** Who reads the answers of an endpoint. */
export type Audience = "script" | "person" | "browser"

/** One row. */
export interface Endpoint {
  readonly method: "GET" | "POST"
  readonly action: AuthAction
  readonly kinds: readonly (ProviderType | "none")[]
  readonly csrf: boolean
  readonly spends: readonly CookieRole[]
  readonly limit: (typeof rows)[number]["limit"]
  readonly audience: Audience
  readonly act: ActName
}

const spent: Readonly<Record<(typeof rows)[number]["spends"], readonly CookieRole[]>> = {
  nothing: [],
  flow: flowRoles,
  challenge: ["webauthnChallenge"],
}

/** All rows. */
export const endpoints: readonly Endpoint[] = rows.map((row) => ({ ...row, spends: spent[row.spends] }))

/** By which budget a row is limited for a kind of provider. */
export function budgetOf({ limit }: Pick<Endpoint, "limit">, kind: ProviderType | undefined): BudgetName | undefined {
  if (limit === "nothing") return undefined
  if (limit !== "begin") return limit
  return kind === "email" ? "mail" : "ceremony"
}

/** All actions. */
export const actions: ReadonlySet<AuthAction> = new Set(endpoints.map(({ action }) => action))

const withProvider: ReadonlySet<AuthAction> = new Set(
  endpoints.filter(({ kinds }) => kinds.some((kind) => kind !== "none")).map(({ action }) => action),
)

/** Says whether a string names an action. */
export function isAuthAction(text: string): text is AuthAction {
  return (actions as ReadonlySet<string>).has(text)
}

/** Endpoints beside those of this table, by the features of a configuration. */
export type FeatureRows = readonly FeatureRow[]

/** What is said of an action, whoever brought it. */
type Described = Pick<Endpoint, "method" | "audience">

function describing(action: string | undefined, added: FeatureRows): readonly Described[] {
  const own = endpoints.filter((endpoint) => endpoint.action === action)
  return own.length > 0 ? own : added.filter((row) => row.action === action)
}

/** Says whether an action is for these readers. */
export function isFor(audience: Audience, action: string | undefined, added: FeatureRows): boolean {
  return describing(action, added).some((row) => row.audience === audience)
}

/** The methods that an action is served with. */
export function methodsOf(action: string, added: FeatureRows): readonly string[] {
  return allowedBy(describing(action, added))
}

/** The methods of rows, for the header `Allow` (RFC 9110 §10.2.1). */
export function allowedBy(given: readonly Pick<Endpoint, "method">[]): readonly string[] {
  return [...new Set(given.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))]
}

/** The refusal of a method (RFC 9110 §15.5.6). */
export function methodRefused(message: string, allow: readonly string[]): UnknownAction {
  const error = new UnknownAction(message)
  error.status = 405
  error.allow = allow
  return error
}

/** Which action a path names. */
export interface Route {
  /** One of this table, or what a feature brings. */
  readonly action: AuthAction | FeatureAction
  readonly provider: string | undefined
}

/** Below which path which actions are served. */
export interface Served {
  readonly basePath: string
  readonly features: { readonly rows: FeatureRows }
}

/**
 * Reads a path. The base path is compared as text, up to a boundary; nothing is decoded, so that each route has one
 * spelling. Slashes at the end say nothing.
 */
export function parseRoute(pathname: string, served: Served): Route | undefined {
  const [action = "", provider, ...rest] = segmentsBelow(pathname, served.basePath)
  if (!isServed(action, served) || rest.length > 0) return undefined
  if (provider === undefined) return { action, provider: undefined }
  if (!provider || !isAuthAction(action) || !withProvider.has(action)) return undefined
  return { action, provider }
}

/** Clients of Auth.js that are to sign in without naming a provider post to `signin/undefined`: that means none. */
export function withoutUndefined(route: Route | undefined, method: string): Route | undefined {
  if (method !== "POST" || route?.action !== "signin" || route.provider !== "undefined") return route
  return { action: route.action, provider: undefined }
}

/** Says whether a path is ours to answer, if only with 404: the first part below the base path names an action. */
export function ownsPath(pathname: string, served: Served): boolean {
  return isServed(segmentsBelow(pathname, served.basePath)[0] ?? "", served)
}

function isServed(action: string, { features: { rows } }: Served): action is Route["action"] {
  return isAuthAction(action) || rows.some((row) => row.action === action)
}

const featureActions: Readonly<Record<FeatureAction, true>> = { sessions: true, passkeys: true }

/**
 * Says whether a segment of a path may be an action of some configuration: for integrations that look at a path before
 * there is a configuration to ask.
 */
export function mayBeAction(segment: string): boolean {
  return isAuthAction(segment) || Object.hasOwn(featureActions, segment)
}

/** The path of an action. */
export function pathOf(basePath: string, action: string, provider?: string): string {
  return `${basePath}/${action}${provider === undefined ? "" : `/${pathSegment(provider)}`}`
}

/** One more segment than any route has. */
const mostSegments = 4

function segmentsBelow(pathname: string, basePath: string): readonly string[] {
  if (!pathname.startsWith(basePath) || pathname[basePath.length] !== "/") return []
  const below = pathname.slice(basePath.length + 1)
  let end = below.length
  while (below[end - 1] === "/") end--
  return below.slice(0, end).split("/", mostSegments)
}
