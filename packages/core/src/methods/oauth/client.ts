/** The OAuth client: its metadata, and its authentication at the token endpoint. */
import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  ClientSecretJwt,
  ClientSecretPost,
  clockTolerance,
  type ModifyAssertionOptions,
  modifyAssertion,
  None,
  type PrivateKey,
  PrivateKeyJwt,
  TlsClientAuth,
} from "oauth4webapi"
import type { ResolvedOAuthProvider } from "../../config/settings.js"
import type { ContextOf } from "../../context/context.js"
import { InvalidConfiguration } from "../../errors.js"
import { fromBase64 } from "../../std/bytes.js"
import { toSeconds } from "../../std/time.js"
import { variableName } from "../../std/variable-name.js"
import type { AssertionToSign, SignAssertion } from "../../types/provider.js"

/** A request that is about a provider of OAuth 2 or OpenID Connect. */
export type OAuthContext = ContextOf<ResolvedOAuthProvider>

/** Stands for an issuer where the provider names none: nothing is ever compared with it, nothing fetched from it. */
export const noIssuer: string = "https://issuer.invalid"
/** The client as the library knows it. */
export function clientOf({ provider }: OAuthContext): Client {
  const { client_secret: _, ...metadata } = provider.client
  return {
    client_id: provider.clientId,
    ...metadata,
    // The library would compare times with the clock of the machine; ours is the time of the request (see id-token.ts).
    [clockTolerance]: Number.MAX_SAFE_INTEGER,
  } as Client
}

/** The client's id. Throws without one. */
export function clientIdOf({ provider }: OAuthContext): string {
  const id = provider.client["client_id"] ?? provider.clientId
  if (typeof id === "string" && id !== "") return id
  throw new InvalidConfiguration(
    `Provider ${provider.id} has no clientId; set it or ${variableName(provider.id, "ID")}.`,
  )
}

const defaultMethod = "client_secret_basic"

/** The method of client authentication (RFC 7591 §2). */
export function authenticationMethodOf({ provider }: OAuthContext): string {
  const method = provider.client["token_endpoint_auth_method"]
  return typeof method === "string" ? method : defaultMethod
}

/** Refuses a client that could not authenticate later, before the person is sent to the provider. */
export function assertPresentable(context: OAuthContext): void {
  const { provider } = context
  clientIdOf(context)
  const { method } = makerOf(context)
  if (method.startsWith("client_secret") && !provider.clientSecret && !provider.client["client_secret"]) {
    throw missingSecret(provider.id)
  }
  if (method === "private_key_jwt" && !provider.token?.clientPrivateKey) throw missingKey(provider.id)
}

/** Makes the client authentication of the token endpoint. */
export async function clientAuthenticationOf(context: OAuthContext, server: AuthorizationServer): Promise<ClientAuth> {
  return makerOf(context).make(context, server)
}

function makerOf(context: OAuthContext): { readonly method: string; readonly make: Maker } {
  const method = authenticationMethodOf(context)
  const make = makers.get(method)
  if (make) return { method, make }
  const known = [...makers.keys()].join(", ")
  throw new InvalidConfiguration(
    `Provider ${context.provider.id}: token_endpoint_auth_method is "${method}", expected one of ${known}.`,
  )
}

type Maker = (context: OAuthContext, server: AuthorizationServer) => Promise<ClientAuth>

const makers: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ["client_secret_basic", async (context) => clientSecretBasic(await clientSecretOf(context))],
  ["client_secret_post", async (context) => ClientSecretPost(await clientSecretOf(context))],
  [
    "client_secret_jwt",
    async (context, server) => ClientSecretJwt(await clientSecretOf(context), addressed(context, server)),
  ],
  ["private_key_jwt", async (context, server) => PrivateKeyJwt(privateKeyOf(context), addressed(context, server))],
  ["none", async () => None()],
  // The certificate is presented by the provider's own `fetch` (RFC 8705).
  ["tls_client_auth", async () => TlsClientAuth()],
  ["self_signed_tls_client_auth", async () => TlsClientAuth()],
])

/**
 * HTTP Basic with both parts form-encoded (RFC 6749 §2.3.1), and `- _ . ~ ! * ' ( )` left as they are. The library
 * escapes them too; these characters stand in the client ids of large providers that compare without decoding. Left
 * alone, they read the same on servers that decode and on those that do not.
 */
function clientSecretBasic(secret: string): ClientAuth {
  return (...[, client, , headers]: Parameters<ClientAuth>) => {
    headers.set("authorization", `Basic ${btoa(`${formEncoded(client.client_id)}:${formEncoded(secret)}`)}`)
  }
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+")
}

/** The secret as text, made anew where the provider says how. */
export async function clientSecretOf(context: OAuthContext): Promise<string> {
  const { provider, now } = context
  const given = provider.clientSecret ?? provider.client["client_secret"]
  const sign: SignAssertion = (assertion) =>
    signAssertion({ ...assertion, claims: { sub: clientIdOf(context), ...assertion.claims } })
  const secret = typeof given === "function" ? await given(now, sign) : given
  if (typeof secret === "string" && secret !== "") return secret
  throw missingSecret(provider.id)
}

function privateKeyOf({ provider }: OAuthContext): CryptoKey | PrivateKey {
  const given = provider.token?.clientPrivateKey
  if (!given) throw missingKey(provider.id)
  return given
}

/**
 * The server that an assertion is for (RFC 7523 §3): its issuer alone (draft-ietf-oauth-rfc7523bis §4). An endpoint is
 * stated by the server itself: one that stated the endpoint of another could use the assertion there.
 */
function audienceOf({ provider }: OAuthContext, { issuer, token_endpoint }: AuthorizationServer): string | undefined {
  const hasOneIssuer = issuer !== noIssuer && !provider.config.issuerOf
  return provider.token?.assertionAudience ?? (hasOneIssuer ? issuer : token_endpoint)
}

const assertionAge = 60

/** Puts the request's own time and the audience into an assertion, and the algorithm under the name that the server knows. */
function addressed(context: OAuthContext, server: AuthorizationServer): ModifyAssertionOptions {
  const iat = toSeconds(context.now)
  const aud = audienceOf(context, server)
  return {
    [modifyAssertion]: (header, payload) => {
      Object.assign(header, { alg: knownName(header["alg"], server) })
      Object.assign(payload, { aud, iat, nbf: iat, exp: iat + assertionAge })
    },
  }
}

/** RFC 9864 §2.2 renamed EdDSA with this curve; most servers know the name of RFC 8037 only. */
function knownName(alg: unknown, server: AuthorizationServer): unknown {
  const offered = server.token_endpoint_auth_signing_alg_values_supported
  const isOld = Array.isArray(offered) && offered.includes("EdDSA") && !offered.includes("Ed25519")
  return alg === "Ed25519" && isOld ? "EdDSA" : alg
}

function missingSecret(provider: string): InvalidConfiguration {
  const variable = variableName(provider, "SECRET")
  return new InvalidConfiguration(
    `Provider ${provider} has no clientSecret; set it or ${variable}, or token_endpoint_auth_method "none" for a public client.`,
  )
}

function missingKey(provider: string): InvalidConfiguration {
  return new InvalidConfiguration(`Provider ${provider}: private_key_jwt needs token.clientPrivateKey.`)
}

/** Signs an assertion for a provider whose client secret is one (ES256). The signing itself is the library's. */
export async function signAssertion({ keyId, privateKey, claims }: AssertionToSign): Promise<string> {
  const key = typeof privateKey === "string" ? await importPem(privateKey) : privateKey
  const body = new URLSearchParams()
  const sign = PrivateKeyJwt(
    { key, kid: keyId },
    {
      [modifyAssertion]: (_header, payload) => {
        // The library fills in a client assertion; what is wanted here are these claims alone.
        for (const name of Object.keys(payload)) delete (payload as Record<string, unknown>)[name]
        Object.assign(payload, claims)
      },
    },
  )
  await sign({ issuer: "-" } as AuthorizationServer, { client_id: "-" } as Client, body, new Headers())
  return body.get("client_assertion") as string
}

async function importPem(pem: string): Promise<CryptoKey> {
  // Keys in environment variables often carry their line breaks as `\n`.
  const inner = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem.replaceAll("\\n", "\n"))?.[1]
  try {
    if (!inner) throw new TypeError("no PEM block")
    const der = fromBase64(inner.replace(/\s+/g, ""))
    return await globalThis.crypto.subtle.importKey("pkcs8", der, { name: "ECDSA", namedCurve: "P-256" }, false, [
      "sign",
    ])
  } catch {
    throw new InvalidConfiguration(
      "Expected the private key as a PKCS #8 key for ES256 in PEM form (BEGIN PRIVATE KEY), received something else.",
    )
  }
}
