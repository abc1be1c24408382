/** State, PKCE and nonce of an OAuth flow: sealed when it begins; opened and compared when the response arrives, and checked to be of one flow. */
import type { CheckRole } from "../config/cookies.js"
import type { ResolvedOAuthProvider } from "../config/settings.js"
import type { Context, ContextOf } from "../context/context.js"
import { flowOf, slotOf } from "../context/flow.js"
import { randomBase64url } from "../crypto/token.js"
import { InvalidCheck } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { equalInConstantTime } from "../std/bytes.js"
import type { Awaitable } from "../types/identity.js"
import { makeRoom } from "./flows.js"
import { type Check, openCheck, openClaims, sealCheck, sealClaims } from "./sealed.js"

type OAuthContext = ContextOf<ResolvedOAuthProvider>

/** The claims of a state value. */
export interface StateClaims {
  readonly random: string
  /** The callback of the deployment that the flow began at, when it goes through a redirect proxy. */
  readonly origin?: string
  /** Whose flow it is; beside `origin`, because the proxy has no cookie that says so. */
  readonly provider?: unknown
}

const stateSalt = "encodedState"

/** The values of a new flow, and the cookies that remember them. */
export interface IssuedChecks {
  /** Sent whenever any check is on: it is also the handle of the flow. */
  readonly state: string | undefined
  /** RFC 7636 §4.1; its S256 challenge is sent. */
  readonly codeVerifier?: string
  readonly nonce?: string
  readonly cookies: readonly CookieChange[]
}

/** Browsers drop a cookie of more than 4,096 bytes, name and attributes included. */
const longestCookieValue = 3800

/** What a new flow seals beside the values its provider checks. */
export interface FlowToBegin {
  readonly returnTo: string
  /** The callback of this deployment, where the provider answers to a redirect proxy. */
  readonly deployment?: string | undefined
  /** The id of the user who is signed in, `null` for none; left out where there is no store. */
  readonly user?: string | null | undefined
  /** What the flow is bound to in the session of that user; `null`: it is not to be finished in any. */
  readonly session?: string | null | undefined
}

/** Begins a flow: makes the values its provider checks, and seals them with what the flow has to remember. */
export async function issueChecks(context: OAuthContext, flow: FlowToBegin): Promise<IssuedChecks> {
  const { id, checks, isFormPost: crossSite } = context.provider
  context.log.debug(`Checks of ${id} are made`, { checks })
  if (checks.length === 0) return { state: undefined, cookies: await makeRoom(context, { ...flow, taken: new Set() }) }
  const claims: StateClaims = {
    random: randomBase64url(),
    ...(flow.deployment !== undefined && { origin: flow.deployment, provider: id }),
  }
  const state = await sealClaims(context, stateSalt, claims)
  const codeVerifier = checks.includes("pkce") ? randomBase64url() : undefined
  const nonce = checks.includes("nonce") ? randomBase64url() : undefined
  const cookies = [await sealFlow(context, { ...flow, state, crossSite })]
  const extra = { flow: await flowOf(state) }
  for (const [role, value] of Object.entries({ pkceCodeVerifier: codeVerifier, nonce }) as [CheckRole, string?][])
    if (value !== undefined) cookies.push(await sealCheck(context, { role, value, extra, crossSite }))
  const taken = new Set(cookies.map(({ role }) => role as CheckRole))
  const room = await makeRoom(context, { ...flow, taken })
  return { state, ...(codeVerifier && { codeVerifier }), ...(nonce && { nonce }), cookies: [...room, ...cookies] }
}

/** The return address is left to the cookie of its own when the sealed one would not fit a cookie. */
async function sealFlow(
  context: Context,
  { state, returnTo, user, session, crossSite }: FlowToBegin & { readonly state: string; readonly crossSite: boolean },
): Promise<CookieChange> {
  const draft = { role: "state", value: state, crossSite } as const
  // Without a store there is no user an account could be linked to, so none is recorded: JSON leaves `undefined` out.
  const extra = { user, session }
  const whole = await sealCheck(context, { ...draft, extra: { ...extra, returnTo } })
  return "value" in whole && whole.value.length <= longestCookieValue ? whole : sealCheck(context, { ...draft, extra })
}

/**
 * Opens what a state value says. Anyone who holds the secret can have made it, including another deployment.
 * @throws InvalidCheck when it cannot be opened or is too old.
 */
export async function decodeState(context: Context, state: string): Promise<StateClaims> {
  const failure = "The state cannot be opened, or is older than 15 minutes."
  const { random, origin, provider } = await openClaims(context, stateSalt, { sealed: state, failure })
  if (typeof random !== "string") throw new InvalidCheck("The state contains no random value.")
  return { random, ...(typeof origin === "string" && { origin }), ...(provider !== undefined && { provider }) }
}

/**
 * Who was signed in when a flow began: a user, no one, or `unknown` where the flow does not say (those of Auth.js), or where the
 * response came without a state, and no nonce shows that it is the one of this flow.
 * The response of a flow can be brought into a browser where another user is signed in.
 */
export type BegunBy =
  | { readonly kind: "somebody"; readonly id: string; readonly session?: string }
  | { readonly kind: "nobody" }
  | { readonly kind: "unknown" }

/** Reads what an opened state says. */
function begunByOf({ user, session }: Check): BegunBy {
  if (user === null) return { kind: "nobody" }
  if (typeof user !== "string") return { kind: "unknown" }
  return { kind: "somebody", id: user, ...(typeof session === "string" && { session }) }
}

/** What the response of a flow is compared with. */
export interface SpentChecks {
  /** Where the flow's cookies are: `undefined` is the newest flow. */
  readonly slot: string | undefined
  /** The state of the flow; what came back was compared with it already. */
  readonly state?: string
  readonly codeVerifier?: string
  readonly nonce?: string
  /** The return address sealed into the flow. */
  readonly returnTo?: string
  readonly begunBy: BegunBy
}

/** What is known of the response. */
export interface Answered {
  /** The parameter `state`, if there is one. */
  readonly state: string | undefined
  /** May a response of this provider come without a state? Called only where one does. */
  readonly mayLackState: () => Awaitable<boolean>
}

/**
 * Opens the checks of the flow that was answered. The cookies are cleared by the route table.
 * @throws InvalidCheck when the state is not that of the flow or is missing where it must not, and when a check the
 * provider makes is missing, broken, too old, of another provider or of another flow.
 */
export async function spendChecks(context: OAuthContext, { state, mayLackState }: Answered): Promise<SpentChecks> {
  const { checks } = context.provider
  const slot = await slotOf(context, state)
  // Nothing was sealed, so the flow counts as begun at the provider by somebody who is signed out here.
  if (checks.length === 0) return { slot, begunBy: { kind: "nobody" } }
  const values = await openValues(context, slot)
  const { codeVerifier, nonce } = values
  const held = {
    slot,
    ...(codeVerifier && { codeVerifier: codeVerifier.value }),
    ...(nonce && { nonce: nonce.value }),
  }
  if (state === undefined && isOfAuthJs(context, values)) return { ...held, begunBy: { kind: "unknown" } }
  const flow = await openCheck(context, { role: "state", slot })
  await assertState(context, { state, mayLackState }, flow)
  await assertOneFlow(flow.value, values)
  const { value, returnTo } = flow
  // Some providers take a code that was requested without a challenge, whatever verifier comes: the code may be that of anybody.
  const begunBy: BegunBy = state === undefined && !nonce ? { kind: "unknown" } : begunByOf(flow)
  return { ...held, state: value, begunBy, ...(typeof returnTo === "string" && { returnTo }) }
}

/** The checks that later responses of the provider are compared with. */
interface Values {
  readonly codeVerifier?: Check
  readonly nonce?: Check
}

async function openValues(context: OAuthContext, slot: string | undefined): Promise<Values> {
  const { checks } = context.provider
  return {
    ...(checks.includes("pkce") && { codeVerifier: await openCheck(context, { role: "pkceCodeVerifier", slot }) }),
    ...(checks.includes("nonce") && { nonce: await openCheck(context, { role: "nonce", slot }) }),
  }
}

/** Auth.js sends a state only where it checks one, and seals nothing beside its values: such a flow has no state. */
function isOfAuthJs(context: OAuthContext, { codeVerifier, nonce }: Values): boolean {
  const values = [codeVerifier, nonce].filter((value) => value !== undefined)
  const { checks } = context.provider
  return !checks.includes("state") && values.every(({ flow }) => flow === undefined)
}

async function assertState(context: OAuthContext, answered: Answered, flow: Check): Promise<void> {
  const { state, mayLackState } = answered
  if (state !== undefined) {
    if (equalInConstantTime(state, flow.value)) return
    throw new InvalidCheck("The state is not the one that was sent with this browser.")
  }
  const { id, checks } = context.provider
  if (!checks.includes("state") && (await mayLackState())) return
  throw new InvalidCheck(
    `Provider "${id}" returned no state, so the response may belong to another browser: expected the state of the request (RFC 6749 §10.12). For an OpenID provider that is known to lose it, set \`losesState: true\` together with the check "nonce".`,
  )
}

/** Cookies of two flows, one set by a sibling domain (cookie tossing), must not be combined into one. Auth.js does not seal the flow. */
async function assertOneFlow(state: string, { codeVerifier, nonce }: Values): Promise<void> {
  const expected = await flowOf(state)
  for (const value of [codeVerifier, nonce]) {
    if (value?.flow === undefined || value.flow === expected) continue
    throw new InvalidCheck("The cookies of the checks belong to different flows.")
  }
}
