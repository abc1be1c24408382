/** Both engines begin a sign-in with each provider of the catalogue: what is asked of the person is the same, or the difference is written down. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { Auth as AuthOfAuthJs, skipCSRFCheck as skipCsrfOfAuthJs } from "@auth/core"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { Auth, skipCSRFCheck } from "../../src/index.js"
import { providerIds } from "../../src/providers/ids.js"
import { differences } from "./scopes.data.js"

const published = dirname(createRequire(import.meta.url).resolve("@auth/core/providers/github"))

/** What the providers are made with, in both packages. */
const options = {
  clientId: "client-1",
  clientSecret: "secret-of-the-client-0123456789-0123456789",
  issuer: "https://op.test",
  tenantId: "tenant",
  primaryUserFlow: "flow",
  domain: "op.test",
  baseUrl: "https://op.test",
  authorizationServer: "https://op.test",
  appId: "app",
  accountID: "1",
  userinfo: "https://op.test/person",
  platformType: "WebsiteApp",
  enterprise: {},
}

interface Written {
  readonly id: string
  readonly type: string
  readonly discontinued?: unknown
}

async function make(address: string): Promise<Written> {
  const module = (await import(address)) as { default: (options: object) => Written }
  const { userinfo, ...others } = options
  return module.default({ ...(address.includes("netsuite") ? options : others) })
}

/** Serves the discovery document of whichever issuer is asked. */
async function discover(input: RequestInfo | URL): Promise<Response> {
  const issuer = String(input instanceof Request ? input.url : input).replace(/(?:\/oauth)?\/\.well-known\/.*$/, "")
  const endpoints = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]
  return Response.json({ issuer, ...Object.fromEntries(endpoints.map((name) => [name, `${issuer}/${name}`])) })
}

/** The scope of the authorization request that an engine sends the browser away with. */
async function scopeOf(engine: typeof Auth | typeof AuthOfAuthJs, provider: Written): Promise<string | null> {
  const request = new Request(`https://app.test/auth/signin/${provider.id}`, { method: "POST" })
  const errors: unknown[] = []
  const config = {
    providers: [provider],
    secret: "secret-of-at-least-thirty-two-characters",
    basePath: "/auth",
    trustHost: true,
    skipCSRFCheck: engine === Auth ? skipCSRFCheck : skipCsrfOfAuthJs,
    logger: { error: (error: unknown) => void errors.push(error), warn: () => undefined, debug: () => undefined },
  }
  const response = await (engine as (request: Request, config: object) => Promise<Response>)(request, config)
  expect(errors).toEqual([])
  // RFC 6749 §3.1: a parameter without a value counts as left out.
  return new URL(response.headers.get("location") ?? "").searchParams.get("scope") || null
}

/** They ask for no scope. */
const others = ["credentials", "email", "nodemailer", "passkey", "webauthn"]

const addresses = providerIds
  .filter((id) => !others.includes(id))
  .map((id) => ({ id, ours: `../../src/providers/${id}.ts`, theirs: join(published, `${id}.js`) }))
  .filter(({ theirs }) => existsSync(theirs))
const pairs = (
  await Promise.all(
    addresses.map(async ({ id, ours, theirs }) => ({
      id,
      ours: await make(ours),
      theirs: await make(pathToFileURL(theirs).href),
    })),
  )
).filter(({ ours }) => (ours.type === "oauth" || ours.type === "oidc") && ours.discontinued === undefined)

beforeAll(() => void vi.stubGlobal("fetch", discover))
afterAll(() => void vi.unstubAllGlobals())

describe("the scope that a sign-in asks for", () => {
  it("is compared for nearly every provider", () => {
    expect(pairs.length).toBeGreaterThan(85)
  })

  it.each(pairs)("at $id is that of Auth.js, or the difference is documented", async ({ id, ours, theirs }) => {
    const scopes = { ours: await scopeOf(Auth, ours), authJs: await scopeOf(AuthOfAuthJs, theirs) }
    const { why, ...expected } = differences[id] ?? { ours: scopes.authJs, authJs: scopes.authJs }
    expect(scopes).toEqual(expected)
    if (why !== undefined) expect(why).toMatch(/\w+ \w+/)
  })

  it("has no documented difference for a provider that is not compared", () => {
    const compared = new Set<string>(pairs.map(({ id }) => id))
    expect(Object.keys(differences).filter((id) => !compared.has(id))).toEqual([])
  })
})
