/** The certified OpenID provider on a free loopback port: two people, one client, and a login page that asks nothing. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair } from "jose"
import { type Adapter, type Configuration, Provider } from "oidc-provider"
import { createMemoryModel } from "./certified-op-memory.js"

/** A person the provider knows. */
export interface CertifiedPerson {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly email_verified: boolean
}

/** The two people. */
export const certifiedPeople: readonly [CertifiedPerson, CertifiedPerson] = [
  { sub: "ada", name: "Ada Lovelace", email: "ada@op.example", email_verified: true },
  { sub: "grace", name: "Grace Hopper", email: "grace@op.example", email_verified: true },
]

/** How the provider is started. */
export interface CertifiedOptions {
  readonly redirectUris: readonly string[]
  readonly clientAuthentication?: "client_secret_basic" | "client_secret_post" | "none"
  /** The client's id and secret, in place of ordinary ones. */
  readonly client?: { readonly id: string; readonly secret: string }
  /** Laid over the provider's own configuration. */
  readonly configuration?: Configuration
}

/** A running provider. */
export interface CertifiedOp {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who answers the next login page; `undefined` presses "cancel". A `login_hint` of the request counts more. */
  person: CertifiedPerson | undefined
  /** Walks a fresh browser from the authorization request to the address the provider sends it back to. */
  authorize(url: string): Promise<string>
  /** The same where the provider posts a form: its action and fields. */
  authorizeByForm(url: string): Promise<{ action: string; fields: URLSearchParams }>
  close(): Promise<void>
}

const ordinaryClient = { id: "latchkey", secret: "a-secret-of-the-test-client-that-is-long-enough" }

/** Starts the provider. Close it when done. */
export async function startCertifiedOp(options: CertifiedOptions): Promise<CertifiedOp> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, await configurationOf(options))
  const { id: clientId, secret: clientSecret } = options.client ?? ordinaryClient
  const op: CertifiedOp = {
    issuer,
    clientId,
    clientSecret,
    person: certifiedPeople[0],
    authorize: async (url) => (await walk(issuer, url)).location ?? refuse("the provider sent nobody back"),
    authorizeByForm: async (url) => formOf((await walk(issuer, url)).text),
    close: () => close(server),
  }
  const answer = provider.callback()
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith("/interaction/")) return void answer(request, response)
    interact(provider, op, request, response).catch(() => response.writeHead(500).end())
  })
  return op
}

async function configurationOf(options: CertifiedOptions): Promise<Configuration> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  const method = options.clientAuthentication ?? "client_secret_basic"
  const { id: clientId, secret: clientSecret } = options.client ?? ordinaryClient
  const store = new Map<string, object>()
  return {
    clients: [
      {
        client_id: clientId,
        ...(method !== "none" && { client_secret: clientSecret }),
        token_endpoint_auth_method: method,
        redirect_uris: [...options.redirectUris],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    adapter: (name: string): Adapter => createMemoryModel(name, store),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "certified", use: "sig", alg: "RS256" }] },
    cookies: { keys: ["a key for the cookies of the provider"] },
    findAccount: (_, sub) => {
      const person = certifiedPeople.find((known) => known.sub === sub)
      return person && { accountId: sub, claims: async () => ({ ...person }) }
    },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    // Most providers put the claims of the scopes into the id_token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => false },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 600,
      Session: 3600,
      RefreshToken: 3600,
    },
    renderError: (ctx, { error, error_description }) => {
      ctx.type = "json"
      ctx.body = { error, error_description }
    },
    ...options.configuration,
  }
}

/** The login page: whoever is to answer has answered and agreed already. */
async function interact(
  provider: Provider,
  op: CertifiedOp,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  const hinted = certifiedPeople.find(({ sub }) => sub === params["login_hint"])
  const person = hinted ?? op.person
  if (!person) {
    const error = { error: "access_denied", error_description: "the person pressed cancel" }
    return provider.interactionFinished(request, response, error)
  }
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? person.sub, clientId: op.clientId })
  grant.addOIDCScope(String(params["scope"]))
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

/** Follows redirects inside the provider with cookies of its own, until one leads elsewhere or a page comes. */
async function walk(issuer: string, url: string): Promise<{ location?: string; text: string }> {
  const cookies = new Map<string, string>()
  let next = url
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ")
    const response = await fetch(next, { redirect: "manual", headers: cookie ? { cookie } : {} })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    const text = await response.text()
    const location = response.headers.get("location")
    if (location === null) return { text }
    next = new URL(location, next).href
    if (new URL(next).origin !== issuer) return { location: next, text }
  }
  throw refuse("the provider sent the browser round in circles")
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";")
  const name = pair.slice(0, pair.indexOf("="))
  const ended = attributes.some((attribute) => /^ expires=thu, 01 jan 1970/i.test(attribute))
  if (ended) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}

function formOf(page: string): { action: string; fields: URLSearchParams } {
  const action =
    /<form[^>]+action="([^"]+)"/.exec(page)?.[1] ?? refuse(`the provider showed no form: ${page.slice(0, 200)}`)
  const inputs = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return {
    action: unescaped(action),
    fields: new URLSearchParams(inputs.map(([, name = "", value = ""]) => [name, unescaped(value)])),
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
}

function refuse(message: string): never {
  throw new Error(message)
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
