/** State, PKCE and nonce of an OAuth flow that is answered: opened, compared, and found to be of one flow. */
import type { ResolvedOAuthProvider } from "../config/settings.js"
import type { ContextOf } from "../context/context.js"
import { flowOf, slotOf } from "../context/flow.js"
import { InvalidCheck } from "../errors.js"
import { equalInConstantTime } from "../std/bytes.js"
import type { Awaitable } from "../types/identity.js"
import { type BegunBy, begunByOf } from "./begun-by.js"
import { type Check, openCheck } from "./sealed.js"

type OAuthContext = ContextOf<ResolvedOAuthProvider>

/** What a flow that came back must be held against. */
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

/** What is known of the answer that came back. */
export interface Answered {
  /** The parameter `state`, if there is one. */
  readonly state: string | undefined
  /** May an answer of this provider come without a state? Asked only where one does. */
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
  // Nothing was sealed: the visitor counts as one who began at the provider, signed out here.
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
  return { ...held, state: value, begunBy: begunByOf(flow), ...(typeof returnTo === "string" && { returnTo }) }
}

/** The checks that are held against the provider's later answers. */
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

/** Auth.js sends a state only where it checks one, and seals nothing beside its values: such a flow comes back without. */
function isOfAuthJs(context: OAuthContext, { codeVerifier, nonce }: Values): boolean {
  const values = [codeVerifier, nonce].filter((value) => value !== undefined)
  const { checks } = context.provider
  return !checks.includes("state") && values.length > 0 && values.every(({ flow }) => flow === undefined)
}

async function assertState(context: OAuthContext, answered: Answered, flow: Check): Promise<void> {
  const { state, mayLackState } = answered
  if (state !== undefined) {
    if (equalInConstantTime(state, flow.value)) return
    throw new InvalidCheck("The state is not the one this browser was sent away with.")
  }
  const { id, checks } = context.provider
  if (!checks.includes("state") && (await mayLackState())) return
  throw new InvalidCheck(
    `Provider "${id}" sent no state back, so its answer may belong to another browser: expected the state of the request (RFC 6749 §10.12). For an OpenID provider that is known to lose it, set \`losesState: true\` together with the check "nonce".`,
  )
}

/** Cookies of two flows, one of them tossed from a neighbour, must not add up to one. Auth.js does not seal the flow. */
async function assertOneFlow(state: string, { codeVerifier, nonce }: Values): Promise<void> {
  const expected = await flowOf(state)
  for (const value of [codeVerifier, nonce]) {
    if (value?.flow === undefined || value.flow === expected) continue
    throw new InvalidCheck("The cookies of the checks are of two flows.")
  }
}
