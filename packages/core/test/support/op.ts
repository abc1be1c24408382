/** An OpenID provider inside a fetch function, correct unless set otherwise: any endpoint, claim, key and signature can be given a fault. */
import { createHash, createHmac, randomUUID } from "node:crypto"
import { SignJWT } from "jose"
import { makeOpKey, type OpKey } from "./op-keys.js"

export { makeOpKey, type OpKey } from "./op-keys.js"

/** The endpoints that can be made to fail. */
export type OpEndpoint = "discovery" | "jwks" | "token" | "userinfo"

/** A call the provider received. */
export interface OpCall {
  readonly endpoint: OpEndpoint | "other"
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: URLSearchParams
}

/** Answers in place of an endpoint; `honest` makes the answer it would have given. */
export type OpFault = (call: OpCall, honest: () => Promise<Response>) => Response | Promise<Response>

type Claims = Record<string, unknown>

/** What is switchable. */
export interface OpOptions {
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** What is known of the person. */
  readonly person?: Claims
}

interface Grant {
  readonly person?: Claims
  readonly nonce: string | null
  readonly challenge: string | null
  readonly redirectUri: string
}

const minute = 60

/** The provider. Members are meant to be changed by tests. */
export class FakeOp {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  person: Claims
  /** The clock, in seconds. */
  now: () => number = () => Math.floor(Date.now() / 1000)
  /** The first key signs; all are published. */
  keys: OpKey[]
  faults: Partial<Record<OpEndpoint, OpFault>> = {}
  /** Members laid over the discovery document; `undefined` removes one. */
  metadata: Claims = {}
  /** Claims laid over those of the id_token; `undefined` removes one. */
  idToken: Claims = {}
  /** Members laid over the token answer; `undefined` removes one. */
  tokens: Claims = {}
  /** Makes the id_token from its claims. */
  sign: (claims: Claims) => Promise<string> = (claims) => signWith(this.signingKey(), claims)
  readonly calls: OpCall[] = []
  private readonly grants = new Map<string, Grant>()
  private readonly accessTokens = new Map<string, Grant>()

  constructor(key: OpKey, options: OpOptions) {
    this.keys = [key]
    this.issuer = options.issuer ?? "https://op.test"
    this.clientId = options.clientId ?? "client"
    this.clientSecret = options.clientSecret ?? "secret-of-the-client-that-is-long"
    this.person = options.person ?? { sub: "person-1", name: "Ada", email: "Ada@Op.test", email_verified: true }
  }

  /** The calls of one endpoint. */
  callsOf(endpoint: OpCall["endpoint"]): OpCall[] {
    return this.calls.filter((call) => call.endpoint === endpoint)
  }

  /** The fetch function that reaches the provider, and nothing else. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input instanceof Request ? input : String(input), init ?? {})
    const call = await this.received(request)
    this.calls.push(call)
    if (call.endpoint === "other") throw new TypeError(`unplanned call: ${request.url}`)
    const honest = (): Promise<Response> => this.answer(call)
    return this.faults[call.endpoint]?.(call, honest) ?? honest()
  }

  /** What the browser of a person who agrees brings back: the address of the callback. `person`: whose code it is, whoever comes later. */
  authorize(url: string | URL, extra: Record<string, string | undefined> = {}, person?: Claims): URL {
    const asked = new URL(url).searchParams
    const code = randomUUID()
    const redirectUri = asked.get("redirect_uri") ?? ""
    const challenge = asked.get("code_challenge")
    this.grants.set(code, { redirectUri, nonce: asked.get("nonce"), challenge, ...(person && { person }) })
    const back = new URL(redirectUri)
    const params = { code, state: asked.get("state") ?? undefined, iss: this.issuer, ...extra }
    for (const [name, value] of Object.entries(params)) if (value !== undefined) back.searchParams.set(name, value)
    return back
  }

  private signingKey(): OpKey {
    const [key] = this.keys
    if (!key) throw new Error("the provider has no key")
    return key
  }

  private async received(request: Request): Promise<OpCall> {
    const { url, method, headers } = request
    const body = new URLSearchParams(method === "POST" ? await request.text() : "")
    return { endpoint: this.endpointOf(url), url, method, headers, body }
  }

  private endpointOf(url: string): OpCall["endpoint"] {
    const paths: Record<string, OpEndpoint> = {
      "/.well-known/openid-configuration": "discovery",
      "/jwks": "jwks",
      "/token": "token",
      "/userinfo": "userinfo",
    }
    const base = this.issuer.replace(/\/$/, "")
    return url.startsWith(base) ? (paths[new URL(url).href.slice(base.length).split("?")[0] ?? ""] ?? "other") : "other"
  }

  private async answer(call: OpCall): Promise<Response> {
    switch (call.endpoint) {
      case "discovery":
        return json(this.document())
      case "jwks":
        return json({ keys: this.keys.map(({ jwk }) => jwk) })
      case "token":
        return this.exchange(call)
      default:
        return this.describe(call)
    }
  }

  /** The discovery document. */
  document(): Claims {
    const base = this.issuer.replace(/\/$/, "")
    return defined({
      issuer: this.issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      userinfo_endpoint: `${base}/userinfo`,
      jwks_uri: `${base}/jwks`,
      id_token_signing_alg_values_supported: ["RS256"],
      ...this.metadata,
    })
  }

  private async exchange({ body, headers }: OpCall): Promise<Response> {
    const refused = this.refuseClient(body, headers)
    if (refused) return refused
    const grant = this.grants.get(body.get("code") ?? "")
    const verifier = body.get("code_verifier")
    const challenge = verifier && createHash("sha256").update(verifier).digest("base64url")
    if (
      !grant ||
      grant.redirectUri !== body.get("redirect_uri") ||
      (grant.challenge && grant.challenge !== challenge)
    ) {
      return json({ error: "invalid_grant" }, 400)
    }
    this.grants.delete(body.get("code") ?? "")
    const accessToken = `at-${randomUUID()}`
    this.accessTokens.set(accessToken, grant)
    return json(await this.tokenAnswer(accessToken, grant))
  }

  private async tokenAnswer(accessToken: string, grant: Grant): Promise<Claims> {
    const issuedAt = this.now()
    const claims = defined({
      iss: this.issuer,
      aud: this.clientId,
      iat: issuedAt,
      exp: issuedAt + 5 * minute,
      at_hash: createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url"),
      ...(grant.nonce !== null && { nonce: grant.nonce }),
      ...(grant.person ?? this.person),
      ...this.idToken,
    })
    return defined({
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: 3600,
      id_token: await this.sign(claims),
      ...this.tokens,
    })
  }

  private refuseClient(body: URLSearchParams, headers: Headers): Response | undefined {
    const basic = /^Basic (.+)$/.exec(headers.get("authorization") ?? "")?.[1]
    const [id, secret] = basic
      ? Buffer.from(basic, "base64").toString().split(":").map(formDecoded)
      : [body.get("client_id"), body.get("client_secret") ?? undefined]
    if (id !== this.clientId) return json({ error: "invalid_client" }, 401)
    return secret === undefined || secret === this.clientSecret ? undefined : json({ error: "invalid_client" }, 401)
  }

  private describe({ headers }: OpCall): Response {
    const token = headers.get("authorization")?.replace("Bearer ", "") ?? ""
    const grant = this.accessTokens.get(token)
    if (!grant) {
      return new Response("{}", { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' } })
    }
    return json(grant.person ?? this.person)
  }
}

/** Starts a provider with one RSA key. */
export async function openOp(options: OpOptions = {}): Promise<FakeOp> {
  return new FakeOp(await sharedKey(), options)
}

let firstKey: Promise<OpKey> | undefined
/** All providers of a test file begin with the same key. */
function sharedKey(): Promise<OpKey> {
  firstKey ??= makeOpKey("first")
  return firstKey
}

/** Signs claims with a key; `header` is laid over its own. */
export async function signWith(key: OpKey, claims: Claims, header: Claims = {}): Promise<string> {
  const { alg, kid } = key
  return new SignJWT(claims)
    .setProtectedHeader({ alg, ...(kid !== null && { kid }), ...header } as { alg: string })
    .sign(key.privateKey)
}

/** Signs claims with a shared secret. */
export function signWithSecret(
  secret: string | Buffer,
  claims: Claims,
  alg: "HS256" | "HS384" | "HS512" = "HS256",
): string {
  const input = `${part({ alg })}.${part(claims)}`
  return `${input}.${createHmac(`sha${alg.slice(2)}`, secret)
    .update(input)
    .digest("base64url")}`
}

/** A token of free parts, with any or no signature. */
export function unsigned(claims: Claims, header: Claims = { alg: "none" }, signature = ""): string {
  return `${part(header)}.${part(claims)}.${signature}`
}

function part(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

/** A JSON answer. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } })
}

function defined(value: Claims): Claims {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "))
}
