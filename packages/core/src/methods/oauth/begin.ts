/** Begins a sign-in at a provider: the authorization request, and the sealed checks its response is compared with. */
import { type FlowToBegin, issueChecks } from "../../checks/oauth.js"
import { languageOf } from "../../context/wording.js"
import { sha256 } from "../../crypto/token.js"
import { OAuthSignInError } from "../../errors.js"
import { selectStrategy } from "../../sessions/select.js"
import { toBase64url } from "../../std/bytes.js"
import { tagOf } from "../../texts/languages.js"
import type { Beginning, Departure } from "../method.js"
import { sessionBinding } from "../session-binding.js"
import { assertPresentable, clientIdOf, type OAuthContext } from "./client.js"
import { asSignInError } from "./faults.js"
import { deploymentCallback, type OAuthFlow, openFlow } from "./flow.js"
import { assertReachable } from "./outbound.js"

/** Builds the authorization request (RFC 6749 §4.1.1) and seals its checks. */
export async function begin(context: OAuthContext, { returnTo }: Beginning): Promise<Departure> {
  try {
    assertPresentable(context)
    const { url, params } = requestOf(await openFlow(context))
    const deployment = deploymentCallback(context)
    const checks = await issueChecks(context, { returnTo, deployment, ...(await whoBegins(context)) })
    if (checks.state !== undefined) params.set("state", checks.state)
    if (checks.codeVerifier !== undefined) {
      const isPlain = context.provider.config.pkceMethod === "plain"
      // RFC 7636 §4.2
      const challenge = isPlain ? checks.codeVerifier : toBase64url(await sha256(checks.codeVerifier))
      params.set("code_challenge", challenge)
      // RFC 7636 §4.3: without a method the challenge would be the verifier itself.
      params.set("code_challenge_method", isPlain ? "plain" : "S256")
    }
    if (checks.nonce !== undefined) params.set("nonce", checks.nonce)
    addScope(context, params)
    addLanguage(context, params)
    url.search = params.toString()
    return { goTo: url.href, cookies: checks.cookies }
  } catch (error) {
    throw asSignInError(error, context.provider.id)
  }
}

/** What a flow seals of who is signed in. Without a store no account is ever linked, and nothing is read. */
async function whoBegins(context: OAuthContext): Promise<Pick<FlowToBegin, "user" | "session">> {
  const { settings } = context
  if (!settings.store.isPresent) return {}
  const currentSession = await selectStrategy(settings).peek(context)
  if (!currentSession) return { user: null }
  return { user: String(currentSession.user.id), session: await sessionBinding(context, currentSession) }
}

/** An address, and its parameters apart from it: one that is set there is written into the address at once, each time. */
interface Draft {
  readonly url: URL
  readonly params: URLSearchParams
}

function endpointOf({ provider, server }: OAuthFlow): Draft {
  const { authorization_endpoint: address } = server
  if (!address) throw new OAuthSignInError(`Provider ${provider.id} has no authorization endpoint.`)
  const url = assertReachable(address, provider.allowInsecureRequests)
  const params = new URLSearchParams(url.search)
  if (!provider.authorization) {
    for (const [name, value] of Object.entries(provider.authorizationParams)) params.set(name, value)
  }
  return { url, params }
}

/**
 * Parameters that a request may not set: the client, where the response goes, what binds the response to the browser, and which
 * claims it holds (OpenID Connect Core §5.5): without `email_verified` an unverified address would count as unstated.
 */
const fixed =
  /^(?:client_id|redirect_uri|response_type|response_mode|state|nonce|claims|code_challenge.*|request.*|callbackUrl)$/i

/**
 * A request may not set them in other spellings either: providers may ignore the case of names, or read them as PHP, Rack and
 * `qs` do, which take some marks for `_`, drop those around a name, and end it at a bracket or a null character.
 */
function isFixed(name: string): boolean {
  const [whole = ""] = name.replace(/^[^a-z\d]+/i, "").split("\0", 1)
  const [beforeBracket = ""] = whole.split(/[[\]]/, 1)
  return [whole, beforeBracket].some((one) => fixed.test(one.replace(/[^a-z\d]+/gi, "_").replace(/_$/, "")))
}

/** The application's own parameters keep their place and override the defaults; those of the request override both, except for the fixed ones. */
function requestOf(flow: OAuthFlow): Draft {
  const draft = endpointOf(flow)
  const { params } = draft
  const standard = { response_type: "code", client_id: clientIdOf(flow), redirect_uri: flow.redirectUri }
  for (const [name, value] of Object.entries(standard)) {
    if (!params.has(name)) params.set(name, value)
  }
  // RFC 9700 §2.1.2: no token ever comes through the browser.
  if (params.get("response_type") !== "code") {
    throw new OAuthSignInError(`Provider ${flow.provider.id}: response_type must be "code".`)
  }
  for (const [name, value] of Object.entries(flow.incoming.query)) {
    if (!isFixed(name)) params.set(name, value)
  }
  return draft
}

/** OpenID Connect Core §3.1.2.1: the provider shows its pages in the language of ours. */
function addLanguage(context: OAuthContext, params: URLSearchParams): void {
  const { provider, settings } = context
  if (provider.type !== "oidc" || !settings.language.isChosen || params.has("ui_locales")) return
  params.set("ui_locales", tagOf(languageOf(context)))
}

/** OpenID Connect Core §3.1.2.1: without the scope `openid` there is no id_token. */
function addScope({ provider }: OAuthContext, params: URLSearchParams): void {
  if (provider.type === "oidc" && !params.has("scope")) params.set("scope", "openid profile email")
}
