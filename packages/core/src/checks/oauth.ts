/** State, PKCE and nonce of an OAuth flow: sealed when it begins, opened when the person comes back. */
import { defaults, type ResolvedOAuthProvider } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { slotOf } from "../context/flow.js"
import { open, seal } from "../crypto/jwe.js"
import { randomBase64urls } from "../crypto/token.js"
import { InvalidCheck, InvalidProvider } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { equalInConstantTime } from "../std/bytes.js"
import { makeRoom } from "./flows.js"
import { type CheckRole, openCheck, sealCheck } from "./sealed.js"

/** The values of a new flow, and the cookies that remember them. */
export interface IssuedChecks {
  /** Sent whenever any check is on: it is also the handle of the flow. */
  readonly state: string | undefined
  /** RFC 7636 §4.1; its S256 challenge is sent. */
  readonly codeVerifier?: string
  readonly nonce?: string
  readonly cookies: readonly CookieChange[]
}

/** What a flow that came back must be held against. */
export interface SpentChecks {
  /** Where the flow's cookies are: `undefined` is the newest flow. */
  readonly slot: string | undefined
  /** Expected, where the provider checks it; it was compared already. */
  readonly state?: string
  readonly codeVerifier?: string
  readonly nonce?: string
  /** The return address sealed into the flow. */
  readonly returnTo?: string
}

/** The claims of a state value. */
export interface StateClaims {
  readonly random: string
  /** The callback of the deployment that the flow began at, when it goes through a redirect proxy. */
  readonly origin?: string
  /** Whose flow it is; beside `origin`, because the proxy has no cookie that says so. */
  readonly provider?: unknown
}

const stateSalt = "encodedState"
/** Browsers drop a cookie of more than 4,096 bytes, name and attributes included. */
const longestCookieValue = 3800

/** Begins a flow: makes the values its provider checks, and seals them with the return address. */
export async function issueChecks(
  context: Context,
  { returnTo, homeOrigin }: { readonly returnTo: string; readonly homeOrigin?: string | undefined },
): Promise<IssuedChecks> {
  const { id, checks, isFormPost } = oauthProvider(context)
  if (checks.length === 0) return { state: undefined, cookies: await makeRoom(context, new Set()) }
  const crossSite = isFormPost
  const drawn = randomBase64urls(["random", "codeVerifier", "nonce"])
  const state = await sealState(context, {
    random: drawn.random,
    ...(homeOrigin !== undefined && { origin: homeOrigin, provider: id }),
  })
  const codeVerifier = checks.includes("pkce") ? drawn.codeVerifier : undefined
  const nonce = checks.includes("nonce") ? drawn.nonce : undefined
  const drafts: readonly (readonly [CheckRole, string | undefined])[] = [
    ["pkceCodeVerifier", codeVerifier],
    ["nonce", nonce],
  ]
  const cookies = [await sealFlow(context, { state, returnTo, crossSite })]
  for (const [role, value] of drafts) {
    if (value !== undefined) cookies.push(await sealCheck(context, { role, value, crossSite }))
  }
  const room = await makeRoom(context, new Set(cookies.map(({ role }) => role as CheckRole)))
  return { state, ...(codeVerifier && { codeVerifier }), ...(nonce && { nonce }), cookies: [...room, ...cookies] }
}

/** The return address is left to the cookie of its own when the sealed one would not fit a cookie. */
async function sealFlow(
  context: Context,
  { state, returnTo, crossSite }: { state: string; returnTo: string; crossSite: boolean },
): Promise<CookieChange> {
  const draft = { role: "state", value: state, crossSite } as const
  const whole = await sealCheck(context, { ...draft, extra: { returnTo } })
  return "value" in whole && whole.value.length <= longestCookieValue ? whole : sealCheck(context, draft)
}

async function sealState({ settings, now }: Context, claims: StateClaims): Promise<string> {
  const { keyring } = settings.jwt
  return seal({ ...claims }, { keyring, salt: stateSalt, maxAge: defaults.checkMaxAge, now })
}

/**
 * Opens what a state value says. Whoever holds the secret can have made it: another deployment, too.
 * @throws InvalidCheck when it cannot be opened or is too old.
 */
export async function decodeState({ settings, now }: Context, state: string): Promise<StateClaims> {
  let claims: Record<string, unknown>
  try {
    claims = await open(state, { keyring: settings.jwt.keyring, salt: stateSalt, now })
  } catch (error) {
    throw new InvalidCheck("The state cannot be opened, or is older than 15 minutes.", {
      cause: { err: error as Error },
    })
  }
  const { random, origin, provider } = claims
  if (typeof random !== "string") throw new InvalidCheck("The state holds no random value.")
  return { random, ...(typeof origin === "string" && { origin }), ...(provider !== undefined && { provider }) }
}

/**
 * Opens the checks of the flow that came back with `state`. The cookies are cleared by the route table.
 * @throws InvalidCheck when a check the provider makes is missing, broken, too old, of another provider or not equal.
 */
export async function spendChecks(context: Context, state: string | undefined): Promise<SpentChecks> {
  const { checks } = oauthProvider(context)
  const slot = await slotOf(context, state)
  const flow = await openFlow(context, { state, slot, isEnforced: checks.includes("state") })
  const opened = async (role: CheckRole): Promise<string> => (await openCheck(context, { role, slot })).value
  return {
    slot,
    ...flow,
    ...(checks.includes("pkce") && { codeVerifier: await opened("pkceCodeVerifier") }),
    ...(checks.includes("nonce") && { nonce: await opened("nonce") }),
  }
}

async function openFlow(
  context: Context,
  given: { state: string | undefined; slot: string | undefined; isEnforced: boolean },
): Promise<Pick<SpentChecks, "state" | "returnTo">> {
  const { state, slot, isEnforced } = given
  try {
    const { value, returnTo } = await openCheck(context, { role: "state", slot })
    const isOurs = state === undefined ? !isEnforced : equalInConstantTime(state, value)
    if (!isOurs) throw new InvalidCheck("The state is not the one this browser was sent away with.")
    return { ...(isEnforced && { state: value }), ...(typeof returnTo === "string" && { returnTo }) }
  } catch (error) {
    // Unenforced, the cookie only remembers where to go.
    if (isEnforced) throw error
    return {}
  }
}

function oauthProvider({ provider }: Context): ResolvedOAuthProvider {
  if (provider?.type === "oauth" || provider?.type === "oidc") return provider
  throw new InvalidProvider("Checks of OAuth need a provider of OAuth.")
}
