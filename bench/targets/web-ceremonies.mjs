/** Sign-in by a mailed link and by a passkey, by hand: what `web.mjs` adds for these two. */
import { createHash, randomBytes } from "node:crypto"
import { generateAuthenticationOptions, verifyAuthenticationResponse } from "@simplewebauthn/server"
import { mailFlowWith, openMailbox, openPasskey, passkeyFlowWith } from "../harness/ceremonies.mjs"
import { cookieName, origin, secret, signInEmail } from "../harness/world.mjs"
import { cookieIn, fitsCsrf, issueCsrf, sealer, sessions } from "./limit.mjs"

export const attributes = "; Path=/; HttpOnly; Secure; SameSite=Lax"

/** A redirect that sets cookies. */
export function redirect(location, cookies = []) {
  const headers = new Headers({ location })
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  return new Response(null, { status: 302, headers })
}

/** The session begins, and the CSRF token is a new one. */
function signedIn({ id, email, name = null }, cookies = []) {
  const token = sessions.seal({ name, email, picture: null, sub: id })
  const session = `${cookieName}=${token}${attributes}; Max-Age=2592000`
  return redirect(origin, [session, issueCsrf().cookie + attributes, ...cookies])
}

const hashOf = (token) => createHash("sha256").update(`${token}${secret}`).digest("hex")

/** A token of 32 random bytes, kept as a hash, that is used once within an hour; a user for the address. */
export function openMail(handle) {
  const mailbox = openMailbox()
  const [tokens, users] = [new Map(), new Map()]

  async function begin(request) {
    const form = new URLSearchParams(await request.text())
    const email = form.get("email")?.trim().toLowerCase() ?? ""
    if (!fitsCsrf(form.get("csrfToken") ?? "", request.headers.get("cookie") ?? "") || !/^[^@\s]+@[^@\s]+$/.test(email))
      return new Response(null, { status: 403 })
    const token = randomBytes(32).toString("hex")
    tokens.set(`${email} ${hashOf(token)}`, Date.now() + 3_600_000)
    const query = new URLSearchParams({ callbackUrl: form.get("callbackUrl") ?? origin, token, email })
    await mailbox.send(`${origin}/auth/callback/mail?${query}`)
    return redirect(`${origin}/auth/verify-request`)
  }

  function finish(request) {
    const { searchParams } = new URL(request.url)
    const email = searchParams.get("email") ?? ""
    const key = `${email} ${hashOf(searchParams.get("token") ?? "")}`
    const expires = tokens.get(key)
    tokens.delete(key)
    if (!(expires > Date.now())) return new Response(null, { status: 400 })
    const user = users.get(email) ?? { id: randomBytes(16).toString("hex"), email, emailVerified: new Date() }
    users.set(email, user)
    return signedIn(user)
  }

  return mailFlowWith((request) => {
    const { pathname } = new URL(request.url)
    if (pathname === "/auth/signin/mail") return begin(request)
    return pathname === "/auth/callback/mail" ? finish(request) : handle(request)
  }, mailbox)
}

const challengeName = "__Secure-authjs.challenge"

/** Options with a challenge that is sealed into a cookie, and the answer verified by the same library. */
export function openPasskeys() {
  const passkey = openPasskey()
  const challenges = sealer(challengeName)
  const rpID = passkey.relyingParty
  const credential = { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 }
  const credentials = new Map([[passkey.id, { credential, user: { id: "1", email: signInEmail } }]])

  async function begin() {
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required", timeout: 300_000 })
    const sealed = challenges.seal({ challenge: options.challenge })
    const headers = {
      "content-type": "application/json",
      "cache-control": "private, no-cache, no-store",
      "set-cookie": `${challengeName}=${sealed}${attributes}; Max-Age=900`,
    }
    return new Response(JSON.stringify({ options, action: "authenticate" }), { headers })
  }

  async function finish(request) {
    const response = JSON.parse(new URLSearchParams(await request.text()).get("data") ?? "null")
    const known = credentials.get(response?.id)
    const opened = challenges.open(cookieIn(request.headers.get("cookie") ?? "", challengeName) ?? "")
    if (!known || !opened) return new Response(null, { status: 400 })
    const expected = { expectedChallenge: opened.challenge, expectedOrigin: origin, expectedRPID: rpID }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response, credential: known.credential, requireUserVerification: true },
      ...expected,
    }).catch(() => ({ verified: false }))
    if (!verified) return new Response(null, { status: 401 })
    known.credential.counter = authenticationInfo.newCounter
    return signedIn(known.user, [`${challengeName}=${attributes}; Max-Age=0`])
  }

  return passkeyFlowWith((request) => {
    return new URL(request.url).pathname === "/auth/callback/passkey" ? finish(request) : begin()
  }, passkey)
}
