/** The keys of a provider (RFC 7517, OpenID Connect Core §10.1.1): fetched once for all requests, and once more when none of them fits. */
// cspell:ignore tenantid -- as Microsoft writes it
import {
  type AuthorizationServer,
  customFetch,
  type IDToken,
  type JWKS,
  jwksCache,
  UnsupportedOperationError,
  validateApplicationLevelSignature,
} from "oauth4webapi"
import { presentFetch } from "../../config/oauth-provider.js"
import { type Confirm, createConfirm, mayHaveSigned, type SignedToken } from "../../crypto/signature.js"
import { isMembers } from "../../std/json.js"
import type { OAuthContext } from "./client.js"
import { ProtocolError } from "./faults.js"
import { discover, type OAuthFlow } from "./flow.js"
import { assertNoPage, openOutbound, readMembers } from "./outbound.js"
import { getShared, refresh, type SharedFetch } from "./shared-fetch.js"

const keysAge = 10 * 60
/** An unknown key may lead to one more fetch in this time, however many tokens name unknown keys. */
const keysCooldown = 60

/** A key set, with the keys as the runtime has imported them: once for each fetch. */
interface ProviderKeys extends JWKS {
  readonly confirm: Confirm
}

/** An ID token that was read before its signature is verified. */
interface IdTokenRead extends SignedToken {
  readonly claims: IDToken
}

/**
 * Verifies the signature of the token in `response`, which the library has processed, with the provider's keys. `idToken`
 * is the same token, where it is an ID token: usually the runtime confirms it at once.
 */
export async function verifySignature(flow: OAuthFlow, response: Response, idToken?: IdTokenRead): Promise<void> {
  const keys = await keysOf(flow, response, idToken)
  // Another issuer than the configured one: `issuerOf` has allowed it, or nothing but the discovery document names it.
  if (idToken && idToken.claims.iss !== flow.provider.issuer) assertKeyOfIssuer(keys, idToken)
}

/** The keys of which one has made the signature. */
async function keysOf(flow: OAuthFlow, response: Response, idToken?: IdTokenRead): Promise<ProviderKeys> {
  const { server, outbound } = flow
  const keySet = keySetAt(flow, await keysAddress(flow))
  const known = await outbound.within(getShared(keySet))
  if (idToken && known.confirm(idToken)) return known
  try {
    return await verifyWith(known, server, { address: keySet.name, response })
  } catch (error) {
    // An algorithm that is refused stays refused whatever the keys are.
    if (error instanceof UnsupportedOperationError) throw error
    // The keys may have been rotated since.
    const fresh = await outbound.within(refresh(keySet, known))
    if (fresh === known) throw error
    return await verifyWith(fresh, server, { address: keySet.name, response })
  }
}

/**
 * Where one set serves several tenants, a key may say for which issuer it is: Microsoft's do, with `{tenantid}` for every
 * tenant. What signs for personal accounts does not sign for a company.
 */
function assertKeyOfIssuer({ keys }: ProviderKeys, { header, claims: { iss, tid } }: IdTokenRead): void {
  const signers = keys.filter((key) => mayHaveSigned(key, header))
  const isAnother = ({ issuer }: Record<string, unknown>): boolean =>
    typeof issuer === "string" && issuer.replaceAll("{tenantid}", () => String(tid)) !== iss
  if (signers.every(isAnother)) throw new ProtocolError("the id_token is signed with a key of another issuer")
}

async function verifyWith(
  known: ProviderKeys,
  server: AuthorizationServer,
  { address, response }: { readonly address: string; readonly response: Response },
): Promise<ProviderKeys> {
  const { keys } = known
  // A copy of the server, so that the library keeps no key set of its own; it never considers our key set outdated.
  await validateApplicationLevelSignature({ ...server, jwks_uri: address }, response, {
    [jwksCache]: { jwks: { keys }, uat: Number.POSITIVE_INFINITY },
    [customFetch]: () => Promise.reject(new ProtocolError("keys are fetched elsewhere")),
  })
  return known
}

/** Where the keys are: as configured, else as discovered. */
async function keysAddress(flow: OAuthFlow): Promise<string> {
  const { server, outbound } = flow
  if (server.jwks_uri) return server.jwks_uri
  const { id, issuer } = flow.provider
  const hint = `provider ${id} needs jwks_endpoint, the URL of its keys, to verify the id_token`
  if (issuer === undefined) throw new ProtocolError(`${hint}; it has no issuer for discovery`)
  const found = await discover(flow, outbound).catch((error: unknown) => {
    throw error instanceof ProtocolError ? new ProtocolError(`${hint}; the discovery document lacks it`) : error
  })
  if (found.jwks_uri) return found.jwks_uri
  throw new ProtocolError(`${hint}; its discovery document lacks it`)
}

function keySetAt({ provider, settings, now, log }: OAuthContext, address: string): SharedFetch<ProviderKeys> {
  return {
    cache: settings.caches.keySets,
    fetch: presentFetch(provider.fetch),
    name: address,
    now,
    maxAge: keysAge,
    cooldown: keysCooldown,
    load: async () => {
      const { fetch } = openOutbound(provider, log)
      const response = await fetch(address, { headers: { accept: "application/json, application/jwk-set+json" } })
      return readKeys(response)
    },
  }
}

async function readKeys(response: Response): Promise<ProviderKeys> {
  if (response.status !== 200)
    throw new ProtocolError(`the key set answered with status ${response.status}, expected 200`)
  const { keys } = await readMembers(assertNoPage(response, "the key set"), "the key set")
  if (Array.isArray(keys) && keys.every(isMembers)) return { keys, confirm: createConfirm(keys) }
  throw new ProtocolError("the key set has no list of keys")
}
