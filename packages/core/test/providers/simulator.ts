/** Any provider of the catalogue inside a fetch function, as its fixture describes it. Whatever is not as the provider wants it is a complaint. */
import { createHash, randomUUID } from "node:crypto"
import { json, type OpKey, signWith, signWithSecret } from "../support/op.js"

type Members = Record<string, unknown>
type Texts = Readonly<Record<string, string>>

/** A call beside the token request. Wanted values may be `*`: anything. */
export interface SimulatedCall {
  readonly url: string
  readonly method?: "GET" | "POST"
  /** How the access token is shown: as `Bearer` unless it says otherwise. */
  readonly auth?: "none" | "OAuth"
  readonly headers?: Texts
  readonly query?: Texts
  readonly form?: Texts
  readonly bodyIncludes?: string
  readonly noBody?: boolean
  readonly status?: number
  readonly answer: unknown
  readonly answerType?: string
  /** The answer is a signed JWT. */
  readonly signed?: boolean
}

/** What is known of a provider. */
export interface Fixture {
  readonly id: string
  readonly type: "oauth" | "oidc"
  /** What the application gives. */
  readonly options: { readonly clientId: string; readonly clientSecret?: string; readonly [name: string]: unknown }
  /** Whom its tokens name. */
  readonly issuer?: string
  readonly keys?: string
  readonly discovery?: { readonly url: string; readonly query?: Texts; readonly document: Members }
  readonly authorization: {
    readonly url: string
    readonly scope: string | null
    readonly params: Texts
    readonly pkce?: "S256" | "plain"
    readonly fragment?: string
    readonly formPost?: boolean
  }
  /** What comes back beside code and state. */
  readonly callback?: Texts
  readonly token: {
    readonly url: string
    readonly method?: "GET" | "POST"
    /** `own`: the client is named by `form` or `query`. */
    readonly client: "basic" | "post" | "none" | "own"
    readonly form?: Texts
    readonly query?: Texts
    readonly contentType?: string
    readonly headers?: Texts
    readonly needs?: Texts
    readonly answer: Members
    readonly answerType?: string
  }
  readonly idToken?: "RS256" | "HS256"
  /** The access token is a JWT with these claims. */
  readonly accessClaims?: Members
  readonly calls: readonly SimulatedCall[]
  readonly profile: Members
  readonly user: ExpectedUser
  readonly more?: readonly { readonly profile: Members; readonly user: ExpectedUser }[]
  /** Members of the user that are not in the profile itself but in what is added to it. */
  readonly added?: readonly (keyof ExpectedUser)[]
  /** Other ways the same provider may answer. */
  readonly variants?: readonly ({ readonly what: string } & Partial<Fixture>)[]
  /** How the token endpoint refuses, and the code that has to be reported. */
  readonly refusal?: { readonly status: number; readonly answer: Members; readonly error: string }
  /** Whether the profile says that the address is proven; `null`: it does not say. */
  readonly proven?: boolean | null
  readonly discontinued?: boolean
}

/** The user a sign-in has to end with. */
export interface ExpectedUser {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly image: string | null
}

interface Received {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly text: string
  readonly form: URLSearchParams
}

/** A running provider. */
export class Simulator {
  readonly complaints: string[] = []
  /** Refuses every code. */
  isRefusing = false
  private asked = new URLSearchParams()
  private code = ""
  private accessToken = ""
  private readonly fixture: Fixture
  private readonly key: OpKey

  constructor(fixture: Fixture, key: OpKey) {
    this.fixture = fixture
    this.key = key
  }

  /** Reaches the provider and nothing else. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input instanceof Request ? input : String(input), init ?? {})
    const text = request.body ? await request.text() : ""
    const { method, headers } = request
    const received = { url: new URL(request.url), method, headers, text, form: new URLSearchParams(text) }
    const { discovery, keys, token, calls } = this.fixture
    if (discovery && isAt(received.url, discovery.url)) return this.document(received, discovery)
    if (keys !== undefined && isAt(received.url, keys)) return json({ keys: [this.key.jwk] })
    if (isAt(received.url, token.url)) return this.exchange(received)
    const call = calls.find(({ url }) => isAt(received.url, url))
    if (call) return this.answer(received, call)
    this.complaints.push(`unplanned call: ${method} ${request.url}`)
    throw new TypeError("unplanned call")
  }

  /** The person agrees: where the browser goes back to, and what it posts there, if it posts. */
  authorize(address: string): { readonly path: string; readonly form: Record<string, string> | undefined } {
    const url = new URL(address)
    const { authorization, options, callback } = this.fixture
    const { scope, params, pkce, fragment = "", formPost } = authorization
    this.asked = url.searchParams
    this.expect("authorization endpoint", url.origin + url.pathname + url.hash, plain(authorization.url) + fragment)
    this.expect("response_type", this.asked.get("response_type"), "code")
    this.expect("client_id", this.asked.get("client_id"), options.clientId)
    this.expect("scope", this.asked.get("scope") || null, scope)
    this.expect("state", (this.asked.get("state") ?? "").length > 20, true)
    this.expect("response_mode", this.asked.get("response_mode") ?? undefined, formPost ? "form_post" : undefined)
    this.expect("code_challenge_method", this.asked.get("code_challenge_method") ?? undefined, pkce)
    this.expectAll("authorization parameter", this.asked, params)
    this.code = randomUUID()
    const members = { code: this.code, state: this.asked.get("state") ?? "", ...callback }
    const { pathname } = new URL(this.asked.get("redirect_uri") ?? "")
    return formPost
      ? { path: pathname, form: members }
      : { path: `${pathname}?${new URLSearchParams(members)}`, form: undefined }
  }

  private document({ url }: Received, { document, query }: NonNullable<Fixture["discovery"]>): Response {
    this.expectAll("discovery query", url.searchParams, query ?? {})
    return json(document)
  }

  private async exchange(received: Received): Promise<Response> {
    const { token } = this.fixture
    const given = token.method === "GET" ? received.url.searchParams : received.form
    this.expect("method of the token request", received.method, token.method ?? "POST")
    this.expect("code", given.get("code"), this.code)
    this.expect("grant_type", given.get("grant_type"), "authorization_code")
    if (token.method !== "GET") {
      this.expect("redirect_uri", given.get("redirect_uri"), this.asked.get("redirect_uri"))
      this.expect(
        "type",
        received.headers.get("content-type"),
        token.contentType ?? /^application\/x-www-form-urlencoded/,
      )
    }
    this.checkVerifier(given.get("code_verifier"))
    this.checkClient(received)
    this.expectAll("token form", received.form, token.form ?? {})
    this.expectAll("token query", received.url.searchParams, token.query ?? {})
    this.expectAll("token header", received.headers, token.needs ?? {})
    const headers = { "content-type": token.answerType ?? "application/json", ...token.headers }
    if (this.isRefusing) {
      const { status = 400, answer } = this.fixture.refusal ?? {}
      return new Response(JSON.stringify(answer), { status, headers })
    }
    return new Response(JSON.stringify(await this.tokens()), { headers })
  }

  private checkVerifier(verifier: string | null): void {
    const { pkce } = this.fixture.authorization
    const made = pkce === "S256" ? createHash("sha256").update(String(verifier)).digest("base64url") : verifier
    this.expect("code_verifier", pkce && made, pkce && this.asked.get("code_challenge"))
  }

  private checkClient({ headers, form }: Received): void {
    const { options, token } = this.fixture
    const { clientId, clientSecret } = options
    const basic = `${clientId}:${clientSecret}`
    if (token.client !== "own") {
      this.expect("basic client", basicOf(headers), token.client === "basic" ? basic : undefined)
      this.expect(
        "posted secret",
        form.get("client_secret") ?? undefined,
        token.client === "post" ? clientSecret : undefined,
      )
    }
    if (token.client === "post" || token.client === "none")
      this.expect("posted client", form.get("client_id"), clientId)
  }

  private async tokens(): Promise<unknown> {
    const { token, accessClaims, idToken } = this.fixture
    const written = JSON.stringify(token.answer).replace('"{profile}"', JSON.stringify(this.fixture.profile))
    const jwt = accessClaims && (await signWith(this.key, { ...accessClaims, ...this.times() }))
    const answer = JSON.parse(written.replace("{jwt}", jwt ?? "")) as Members
    this.accessToken = String(holderOf(answer)["access_token"])
    return { ...answer, ...(idToken && { id_token: await this.idToken(idToken) }) }
  }

  private async idToken(alg: "RS256" | "HS256"): Promise<string> {
    const { profile, issuer, options } = this.fixture
    const nonce = this.asked.get("nonce")
    const hash = createHash("sha256").update(this.accessToken).digest().subarray(0, 16).toString("base64url")
    const { azp: _, nonce: __, ...claims } = profile
    const all = { ...claims, iss: issuer ?? profile["iss"], aud: options.clientId, at_hash: hash, ...this.times() }
    const complete = { ...all, ...(nonce !== null && { nonce }) }
    return alg === "HS256" ? signWithSecret(options.clientSecret ?? "", complete) : signWith(this.key, complete)
  }

  private times(): Members {
    const iat = Math.floor(Date.now() / 1000)
    return { iat, nbf: iat, exp: iat + 300 }
  }

  private async answer(received: Received, call: SimulatedCall): Promise<Response> {
    const name = call.url
    const shown = call.auth === "none" ? undefined : `${call.auth ?? "Bearer"} ${this.accessToken}`
    this.expect(`method of ${name}`, received.method, call.method ?? "GET")
    this.expect(`authorization of ${name}`, received.headers.get("authorization") ?? undefined, shown)
    this.expectAll(`query of ${name}`, received.url.searchParams, call.query ?? {})
    this.expectAll(`form of ${name}`, received.form, call.form ?? {})
    this.expectAll(`header of ${name}`, received.headers, call.headers ?? {})
    if (call.bodyIncludes !== undefined) this.expect(`body of ${name}`, received.text, new RegExp(call.bodyIncludes))
    if (call.noBody) this.expect(`body of ${name}`, received.text + received.headers.get("content-type"), "null")
    const text = JSON.stringify(call.answer).replace('"{profile}"', JSON.stringify(this.fixture.profile))
    if (call.signed) return this.signed(JSON.parse(text) as Members)
    return new Response(text, {
      status: call.status ?? 200,
      headers: { "content-type": call.answerType ?? "application/json" },
    })
  }

  private async signed(claims: Members): Promise<Response> {
    const { issuer, options } = this.fixture
    const { azp: _, at_hash: __, ...rest } = claims
    const token = await signWith(this.key, { ...rest, iss: issuer, aud: options.clientId, ...this.times() })
    return new Response(token, { headers: { "content-type": "application/jwt" } })
  }

  private expectAll(what: string, given: URLSearchParams | Headers, wanted: Texts): void {
    for (const [name, value] of Object.entries(wanted)) {
      const filled = value.replace("{access_token}", this.accessToken).replace("{state}", this.asked.get("state") ?? "")
      this.expect(`${what} ${name}`, given.get(name), value === "*" ? /./ : filled)
    }
  }

  private expect(what: string, given: unknown, wanted: unknown): void {
    const isFine = wanted instanceof RegExp ? wanted.test(String(given ?? "")) : given === wanted
    if (!isFine) this.complaints.push(`${what}: expected ${String(wanted)}, received ${String(given)}`)
  }
}

/** Name and secret of HTTP Basic, which are encoded like a form (RFC 6749 §2.3.1). */
function basicOf(headers: Headers): string | undefined {
  const [, credentials] = /^Basic (.+)$/.exec(headers.get("authorization") ?? "") ?? []
  return credentials && decodeURIComponent(Buffer.from(credentials, "base64").toString())
}

/** Where an answer keeps its tokens. */
function holderOf(answer: Members): Members {
  const inner = [answer, answer["body"], (answer["data"] as unknown[] | undefined)?.[0]] as (Members | undefined)[]
  return inner.find((one) => typeof one?.["access_token"] === "string") ?? answer
}

function isAt(url: URL, address: string): boolean {
  return url.origin + url.pathname === plain(address)
}

/** An address as a URL writes it, without its query. */
function plain(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}
