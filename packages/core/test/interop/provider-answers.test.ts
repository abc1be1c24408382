/** What real providers answered, replayed to the engine: each sign-in ends as it did at the provider itself. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import type { Provider } from "../../src/types/provider.js"
import { type Desk, openDesk, refusalOf } from "../support/oauth-desk.js"
import { makeOpKey, type OpKey } from "../support/op.js"
import type { RecordedAnswer, RecordedAnswers, RecordedFlow, RecordedToken } from "../support/recorded.js"

const folder = new URL("./answers/", import.meta.url)
const recorded = readdirSync(folder).map((file) => {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8")) as RecordedAnswers
})

const now = new Date("2030-01-01T00:00:00Z")
const accessToken = "the access token of this replay"

/** `now+60` as a time; what stands for values of a flow becomes them. */
function revived(claims: Readonly<Record<string, unknown>>, nonce: string | null): Record<string, unknown> {
  const entries = Object.entries(claims).map(([name, value]) => {
    const offset = /^now\+(-?\d+)$/.exec(String(value))?.[1]
    if (offset !== undefined) return [name, now.getTime() / 1000 + Number(offset)]
    if (name === "nonce") return [name, nonce]
    if (name === "access_token") return [name, accessToken]
    return [name, name === "at_hash" ? halfHash(String(value)) : value]
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}

function halfHash(name: string): string {
  const digest = createHash(name).update(accessToken).digest()
  return digest.subarray(0, digest.length / 2).toString("base64url")
}

const isToken = (value: unknown): value is RecordedToken => typeof value === "object" && !!value && "claims" in value

const made = new Map<string, Promise<OpKey>>()

const isShared = ({ alg }: RecordedToken["header"]): boolean => String(alg).startsWith("HS")

/** The key for a token's algorithm and key id. */
function keyFor({ header }: RecordedToken): Promise<OpKey> {
  const { alg, kid } = header as { alg: string; kid: string }
  const known = made.get(`${alg} ${kid}`) ?? makeOpKey(kid, alg)
  made.set(`${alg} ${kid}`, known)
  return known
}

/** Signs what was recorded, under the same header; with HS256 by a secret that only the provider has. */
async function signed(token: RecordedToken, nonce: string | null): Promise<string> {
  const signer = new SignJWT(revived(token.claims, nonce)).setProtectedHeader(token.header as { alg: string })
  return signer.sign(isShared(token.header) ? Buffer.alloc(32, "the provider's own") : (await keyFor(token)).privateKey)
}

/** A provider that answers as the recorded one did. */
async function replaying({ issuer, discovery, keys }: RecordedAnswers, { options, token, userinfo }: RecordedFlow) {
  const tokens = [(token?.body as { id_token?: unknown } | undefined)?.id_token, userinfo?.body].filter(isToken)
  const own = tokens.filter(({ header }) => !isShared(header))
  const jwks = [...new Set(await Promise.all(own.map(async (each) => (await keyFor(each)).jwk)))]
  // The other keys of the provider stay in its set, with their odd members.
  const others = keys.filter(({ kid }) => !jwks.some((jwk) => jwk.kid === kid))
  const flow: { nonce: string | null } = { nonce: null }
  const answer = async ({ status, type, body }: RecordedAnswer): Promise<Response> => {
    const headers = type === "" ? {} : { "content-type": type }
    if (typeof body === "string") return new Response(body === "" ? null : body, { status, headers })
    const nonce = flow.nonce
    if (isToken(body)) return new Response(await signed(body, nonce), { status, headers })
    const { id_token, ...rest } = body
    const full = {
      ...revived(rest, nonce),
      ...(isToken(id_token) && { id_token: await signed(id_token, nonce) }),
    }
    return new Response(JSON.stringify(full), { status, headers })
  }
  const json = (body: object): Response => Response.json(body)
  const answers: Readonly<Record<string, () => Response | Promise<Response>>> = {
    [`${issuer}/.well-known/openid-configuration`]: () => json(discovery),
    [String(discovery["jwks_uri"])]: () => json({ keys: [...others, ...jwks] }),
    ...(token && { [String(discovery["token_endpoint"])]: () => answer(token) }),
    ...(userinfo && { [String(discovery["userinfo_endpoint"])]: () => answer(userinfo) }),
  }
  const provider = {
    id: "idp",
    name: "IdP",
    type: "oidc",
    issuer,
    clientId: "application",
    clientSecret: "a secret of the replay",
    checks: ["pkce", "state", "nonce"],
    ...options,
    [customFetch]: async (url: string) => {
      const found = answers[String(url)]
      if (!found) throw new Error(`nothing was recorded for ${url}`)
      return found()
    },
  } as unknown as Provider
  return { provider, flow }
}

/** Goes to the provider and comes back as the recorded browser did. */
async function replay(desk: Desk, { returned, method }: RecordedFlow, flow: { nonce: string | null }) {
  const { url } = await desk.begin()
  flow.nonce = url.searchParams.get("nonce")
  const callback = new URL("https://app.test/auth/callback/idp")
  for (const [name, value] of Object.entries(returned)) {
    callback.searchParams.set(name, name === "state" ? (url.searchParams.get("state") ?? "") : value)
  }
  return desk.finish(callback, method === "POST")
}

describe.each(recorded)("$provider", (answers) => {
  const flows = Object.entries(answers.flows)
  const signedIn = flows.filter(([, { error, returned }]) => error === undefined && returned["error"] === undefined)
  const refused = flows.filter(([, { error }]) => error !== undefined)
  // A person who says no is no error, so nothing was logged.
  const cancelled = flows.filter(([, { error, returned }]) => error === undefined && returned["error"] !== undefined)

  it.each(signedIn)("signs somebody in: %s", async (_, recordedFlow) => {
    const { provider, flow } = await replaying(answers, recordedFlow)
    const proof = await replay(openDesk(provider, { now }), recordedFlow, flow)
    const { name, email } = proof.user
    expect(`${name} <${email}>`).toMatch(/^(?:Ada Lovelace <ada@|Grace Hopper <grace@)example\.com>$/)
    expect(proof.account["providerAccountId"]).toBe("subject")
  })

  it.each(cancelled)("is a cancelled sign-in: %s", async (_, recordedFlow) => {
    const { provider, flow } = await replaying(answers, recordedFlow)
    const failure = await refusalOf(replay(openDesk(provider, { now }), recordedFlow, flow))
    expect(failure.cause?.["code"]).toBe("access_denied")
  })

  it.each(refused)("is refused as it was: %s", async (_, recordedFlow) => {
    const { provider, flow } = await replaying(answers, recordedFlow)
    const { name, message } = await refusalOf(replay(openDesk(provider, { now }), recordedFlow, flow))
    expect(`${name}: ${message}`).toBe(recordedFlow.error)
  })
})
