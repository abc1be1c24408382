/** A minimal handler on `Request` and `Response`: the least that a response of the web platform can cost. */
import { createHash, createPublicKey, randomBytes, verify } from "node:crypto"
import { openOp } from "../harness/op.mjs"
import {
  claimsOf,
  cookieName,
  cookiesOf,
  flowWith,
  origin,
  plainCookieName,
  post,
  signInEmail,
} from "../harness/world.mjs"
import { claimsIn, cookieIn, fitsCsrf, issueCsrf, open as openLimit, sealer, sessions } from "./limit.mjs"
import { attributes, openMail, openPasskeys, redirect } from "./web-ceremonies.mjs"

export const name = "by hand, Request and Response"

const privately = { "content-type": "application/json", "cache-control": "private, no-cache, no-store" }

async function handle(request) {
  const { pathname } = new URL(request.url)
  const cookie = request.headers.get("cookie") ?? ""
  if (pathname === "/auth/session") {
    const claims = claimsIn(cookie)
    const user = claims && { name: claims.name, email: claims.email, image: claims.picture }
    const session = claims && { user, expires: new Date(claims.exp * 1000).toISOString() }
    return new Response(JSON.stringify(session), { headers: privately })
  }
  if (pathname === "/auth/csrf") {
    const issued = issueCsrf()
    const headers = { ...privately, "set-cookie": issued.cookie + attributes }
    return new Response(JSON.stringify({ csrfToken: issued.csrfToken }), { headers })
  }
  const form = new URLSearchParams(await request.text())
  const person = form.get("name")
  if (!fitsCsrf(form.get("csrfToken") ?? "", cookie) || !person) return new Response(null, { status: 401 })
  const headers = new Headers({ location: origin })
  const token = sessions.seal({ name: person, email: signInEmail, picture: null, sub: "0" })
  headers.append("set-cookie", `${cookieName}=${token}${attributes}; Max-Age=2592000`)
  headers.append("set-cookie", issueCsrf().cookie + attributes)
  return new Response(null, { status: 302, headers })
}

const checkName = "__Secure-authjs.flow"
const checks = sealer(checkName)

/** One sealed cookie for state, verifier and return address, a challenge, one call, and the verified signature. */
async function openFlow() {
  const { issuer, clientId, fetch } = await openOp()
  const { keys } = await (await fetch(`${issuer}/jwks`)).json()
  const key = createPublicKey({ key: keys[0], format: "jwk" })
  const redirectUri = `${origin}/auth/callback/op`

  async function begin(request) {
    const form = new URLSearchParams(await request.text())
    if (!fitsCsrf(form.get("csrfToken") ?? "", request.headers.get("cookie") ?? ""))
      return new Response(null, { status: 403 })
    const drawn = randomBytes(64)
    const [state, verifier] = [drawn.subarray(0, 32), drawn.subarray(32)].map((bytes) => bytes.toString("base64url"))
    const goTo = new URL(`${issuer}/authorize`)
    const challenge = createHash("sha256").update(verifier).digest("base64url")
    goTo.search = new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: redirectUri, response_type: "code", scope: "openid profile email" },
      ...{ state, code_challenge: challenge, code_challenge_method: "S256" },
    }).toString()
    const sealed = checks.seal({ state, verifier, returnTo: form.get("callbackUrl") })
    return redirect(goTo.href, [`${checkName}=${sealed}${attributes}; Max-Age=900`])
  }

  async function finish(request) {
    const { searchParams } = new URL(request.url)
    const opened = checks.open(cookieIn(request.headers.get("cookie") ?? "", checkName) ?? "")
    if (opened?.state !== searchParams.get("state")) return new Response(null, { status: 400 })
    const answer = await fetch(`${issuer}/token`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${btoa(`${clientId}:secret`)}`,
      },
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", code: searchParams.get("code") },
        ...{ redirect_uri: redirectUri, code_verifier: opened.verifier },
      }).toString(),
    })
    const claims = verified((await answer.json()).id_token, { key, issuer, clientId })
    const token = sessions.seal({ name: claims.name, email: claims.email, picture: null, sub: claims.sub })
    const cleared = `${checkName}=${attributes}; Max-Age=0`
    const session = `${cookieName}=${token}${attributes}; Max-Age=2592000`
    return redirect(opened.returnTo, [session, cleared, issueCsrf().cookie + attributes])
  }

  return flowWith((request) => {
    const { pathname } = new URL(request.url)
    if (pathname === "/auth/signin/op") return begin(request)
    return pathname === "/auth/callback/op" ? finish(request) : handle(request)
  })
}

function verified(token, { key, issuer, clientId }) {
  const [header, payload, signature] = token.split(".")
  if (!verify("RSA-SHA256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url")))
    throw new Error("the signature of the id_token is wrong")
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
  if (claims.iss !== issuer || claims.aud !== clientId || claims.exp < Date.now() / 1000)
    throw new Error("the id_token is not for this moment and client")
  return claims
}

/** @returns {Promise<object>} what is measured */
export async function open() {
  const ready = issueCsrf()
  return {
    cookies: openLimit().cookies,
    async answer(cookie) {
      const answer = await handle(new Request(`${origin}/auth/session`, { headers: { cookie } }))
      return (await answer.json())?.user.email ?? null
    },
    csrf: async () => (await (await handle(new Request(`${origin}/auth/csrf`))).json()).csrfToken,
    async signIn(person) {
      const fields = { csrfToken: ready.csrfToken, name: person }
      return cookiesOf(await handle(post("/auth/callback/credentials", fields, ready.cookie))) || null
    },
    flow: await openFlow(),
    mail: await openMail(handle),
    passkey: openPasskeys(),
  }
}

/** The same protected route and session endpoint on Express, by hand. */
export function mount(app) {
  const sealed = sealer(plainCookieName)
  const sessionOf = (request) => {
    const claims = claimsIn(request.headers.cookie ?? "", plainCookieName, sealed)
    return claims && { user: { name: claims.name, email: claims.email }, expires: new Date(claims.exp * 1000) }
  }
  app.get("/auth/session", (request, response) => response.json(sessionOf(request)))
  app.get("/me", (request, response) => {
    const session = sessionOf(request)
    if (session) response.json({ email: session.user.email })
    else response.sendStatus(401)
  })
  return { cookie: `${plainCookieName}=${sealed.seal(claimsOf(0))}`, endpoint: "/auth/session" }
}
