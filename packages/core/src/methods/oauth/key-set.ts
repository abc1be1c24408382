/** Signatures of a provider's tokens: its keys are fetched once for all requests, and once more when none of them fits. */
import {
  type AuthorizationServer,
  customFetch,
  type JWKS,
  jwksCache,
  UnsupportedOperationError,
  validateApplicationLevelSignature,
} from "oauth4webapi"
import { assertNoPage, readMembers } from "./answer.js"
import { Unfit } from "./faults.js"
import { type Outbound, openOutbound } from "./outbound.js"
import { type Remembered, recall, replace } from "./remember.js"
import { discover, type OAuthContext } from "./server.js"

const keysAge = 10 * 60
/** An unknown key may lead to one more fetch in this time, however many tokens name unknown keys. */
const keysCooldown = 60

/** What is verified: a response the library has processed, and whose keys count. */
export interface SignedAnswer {
  readonly server: AuthorizationServer
  readonly response: Response
  readonly outbound: Outbound
}

/** Verifies the signature of the token in `response` with the provider's keys. */
export async function verifySignature(context: OAuthContext, answer: SignedAnswer): Promise<void> {
  const keySet = keySetAt(context, await keysAddress(context, answer))
  const known = await answer.outbound.within(recall(keySet))
  try {
    await verifyWith(known, keySet.name, answer)
  } catch (error) {
    // An algorithm that is refused stays refused whatever the keys are.
    if (error instanceof UnsupportedOperationError) throw error
    // OpenID Connect Core §10.1.1: the keys may have been rotated since.
    const fresh = await answer.outbound.within(replace(keySet, known))
    if (fresh === known) throw error
    await verifyWith(fresh, keySet.name, answer)
  }
}

async function verifyWith(keys: JWKS, address: string, { server, response }: SignedAnswer): Promise<void> {
  // A copy of the server, so that the library keeps no key set of its own; ours never seems old to it.
  await validateApplicationLevelSignature({ ...server, jwks_uri: address }, response, {
    [jwksCache]: { jwks: keys, uat: Number.POSITIVE_INFINITY },
    [customFetch]: () => Promise.reject(new Unfit("keys are fetched elsewhere")),
  })
}

/** Where the keys are: as configured, else as discovered. */
async function keysAddress(context: OAuthContext, { server, outbound }: SignedAnswer): Promise<string> {
  if (server.jwks_uri) return server.jwks_uri
  const { id, issuer } = context.provider
  const hint = `provider ${id} needs jwks_endpoint, the address of its keys, to verify the id_token`
  if (issuer === undefined) throw new Unfit(`${hint}; it has no issuer to discover it from`)
  const found = await discover(context, outbound).catch((error: unknown) => {
    throw error instanceof Unfit || isStatus(error) ? new Unfit(`${hint}; discovery does not tell it`) : error
  })
  if (found.jwks_uri) return found.jwks_uri
  throw new Unfit(`${hint}; its discovery document does not tell it`)
}

function isStatus(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "OAUTH_RESPONSE_IS_NOT_CONFORM"
}

function keySetAt({ provider, settings, now, log }: OAuthContext, address: string): Remembered<JWKS> {
  return {
    cache: settings.caches.keySets,
    fetch: provider.fetch,
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

async function readKeys(response: Response): Promise<JWKS> {
  if (response.status !== 200) throw new Unfit(`the keys answer with status ${response.status}, expected 200`)
  const { keys } = await readMembers(assertNoPage(response, "the key set"), "the key set")
  if (Array.isArray(keys) && keys.every((key) => typeof key === "object" && key !== null && !Array.isArray(key))) {
    return { keys }
  }
  throw new Unfit("the key set has no list of keys")
}
