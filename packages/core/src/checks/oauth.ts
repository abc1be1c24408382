/** State, PKCE and nonce of an OAuth flow, sealed when it begins. */
import type { CheckRole } from "../config/cookies.js"
import type { ResolvedOAuthProvider } from "../config/settings.js"
import type { Context, ContextOf } from "../context/context.js"
import { flowOf } from "../context/flow.js"
import { randomBase64urls } from "../crypto/token.js"
import type { CookieChange } from "../http/result.js"
import { begunByClaims } from "./begun-by.js"
import { makeRoom } from "./flows.js"
import { sealCheck } from "./sealed.js"
import { sealState } from "./state.js"

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
  readonly homeOrigin?: string | undefined
  /** The id of the user who is signed in, `null` for none; left out where there is no store. */
  readonly user?: string | null | undefined
}

/** Begins a flow: makes the values its provider checks, and seals them with what the flow has to remember. */
export async function issueChecks(context: ContextOf<ResolvedOAuthProvider>, flow: FlowToBegin): Promise<IssuedChecks> {
  const { id, checks, isFormPost } = context.provider
  context.log.debug(`Checks of ${id} are made`, { checks })
  if (checks.length === 0) return { state: undefined, cookies: await makeRoom(context, new Set()) }
  const crossSite = isFormPost
  const drawn = randomBase64urls(["random", "codeVerifier", "nonce"])
  const state = await sealState(context, {
    random: drawn.random,
    ...(flow.homeOrigin !== undefined && { origin: flow.homeOrigin, provider: id }),
  })
  const codeVerifier = checks.includes("pkce") ? drawn.codeVerifier : undefined
  const nonce = checks.includes("nonce") ? drawn.nonce : undefined
  const drafts: readonly (readonly [CheckRole, string | undefined])[] = [
    ["pkceCodeVerifier", codeVerifier],
    ["nonce", nonce],
  ]
  const cookies = [await sealFlow(context, { ...flow, state, crossSite })]
  const extra = { flow: await flowOf(state) }
  for (const [role, value] of drafts) {
    if (value !== undefined) cookies.push(await sealCheck(context, { role, value, extra, crossSite }))
  }
  const room = await makeRoom(context, new Set(cookies.map(({ role }) => role as CheckRole)))
  return { state, ...(codeVerifier && { codeVerifier }), ...(nonce && { nonce }), cookies: [...room, ...cookies] }
}

/** The return address is left to the cookie of its own when the sealed one would not fit a cookie. */
async function sealFlow(
  context: Context,
  { state, returnTo, user, crossSite }: FlowToBegin & { readonly state: string; readonly crossSite: boolean },
): Promise<CookieChange> {
  const draft = { role: "state", value: state, crossSite } as const
  const extra = begunByClaims(user)
  const whole = await sealCheck(context, { ...draft, extra: { ...extra, returnTo } })
  return "value" in whole && whole.value.length <= longestCookieValue ? whole : sealCheck(context, { ...draft, extra })
}
