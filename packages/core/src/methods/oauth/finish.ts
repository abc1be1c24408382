/** The person comes back from the provider: what came is held against the sealed checks, exchanged and mapped. */
import { spendChecks } from "../../checks/oauth.js"
import { OAuthCallbackError } from "../../errors.js"
import type { Detour, Proof } from "../method.js"
import { oauthPolicy } from "../policy.js"
import { exchange } from "./exchange.js"
import { asCallbackError, isCancelCode } from "./faults.js"
import { openFlow } from "./flow.js"
import { type Outbound, openOutbound } from "./outbound.js"
import { fetchProfile, mapProfile } from "./profile.js"
import { assertHome, callbackParams, detourOf, single } from "./redirect.js"
import { type OAuthContext, serverOf } from "./server.js"

/** Judges a callback. One deadline spans all calls to the provider. */
export async function finish(context: OAuthContext): Promise<Proof | Detour> {
  try {
    const params = callbackParams(context)
    return (await detourOf(context, params)) ?? (await prove(context, params))
  } catch (error) {
    throw asCallbackError(error, context.provider.id)
  }
}

async function prove(context: OAuthContext, params: URLSearchParams): Promise<Proof> {
  // RFC 6749 §10.12: the answer belongs to the browser that asked. Refused here, nothing is sent to anybody.
  assertNotCancelled(context, params)
  const outbound = openOutbound(context.provider, context.log)
  const answered = { state: single(params, "state"), mayLackState: () => mayLackState(context, outbound) }
  const { state, codeVerifier, nonce, returnTo, begunBy } = await spendChecks(context, answered)
  await assertHome(context, state)
  const exchanged = await exchange(await openFlow(context, outbound), { params, codeVerifier, nonce })
  const profile = await fetchProfile(exchanged, params)
  return {
    kind: "proof",
    policy: oauthPolicy(context.provider),
    ...(await mapProfile(exchanged, profile)),
    profile,
    mayLinkByEmail: context.provider.allowDangerousEmailAccountLinking,
    begunBy,
    returnTo,
  }
}

/**
 * RFC 6749 §4.1.2.1 wants the state in a refusal as well; some providers leave it out. Nothing else of such an answer is
 * used: it says that no one signs in, and whoever forged it would have gained a visit to the sign-in page.
 */
function assertNotCancelled({ provider }: OAuthContext, params: URLSearchParams): void {
  if (params.has("state") || params.has("code") || !isCancelCode(single(params, "error"))) return
  throw new OAuthCallbackError(`Sign-in with ${provider.id} was cancelled.`, {
    cause: { code: "access_denied", provider: provider.id },
  })
}

/** RFC 9700 §2.1.1: PKCE stands in for the state where the server is known to support it. A nonce does, where that is agreed. */
async function mayLackState(context: OAuthContext, outbound: Outbound): Promise<boolean> {
  const { checks, config, type } = context.provider
  if (config.losesState === true && type === "oidc" && checks.includes("nonce")) return true
  if (!checks.includes("pkce") || config.pkceMethod === "plain") return false
  const { code_challenge_methods_supported: methods } = await serverOf(context, outbound)
  return Array.isArray(methods) && methods.includes("S256")
}
