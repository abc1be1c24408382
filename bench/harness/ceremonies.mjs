/** Sign-in by a mailed link and by a passkey, as a browser does it: the same requests for every target. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { cookiesOf, origin, post, signInEmail } from "./world.mjs"

const base64url = (bytes) => Buffer.from(bytes).toString("base64url")
const sha256 = (bytes) => createHash("sha256").update(bytes).digest()

/** Takes the place of a mail server: keeps the last link. */
export function openMailbox() {
  let last = ""
  return {
    /** What a provider of type `email` calls to send a mail. */
    sendVerificationRequest: ({ url }) => {
      last = url
    },
    send: (url) => {
      last = url
    },
    link: () => last,
  }
}

/** Asks for a link and follows it; with `token`, a link with another token. */
export async function mailFlowWith(handler, mailbox) {
  const issued = await handler(new Request(`${origin}/auth/csrf`))
  const { csrfToken } = await issued.json()
  const cookie = cookiesOf(issued)
  return async (token) => {
    const fields = { csrfToken, email: signInEmail, callbackUrl: origin }
    const asked = await handler(post("/auth/signin/mail", fields, cookie))
    const link = new URL(mailbox.link())
    if (token) link.searchParams.set("token", token)
    const headers = { cookie: `${cookie}; ${cookiesOf(asked)}` }
    const cookies = cookiesOf(await handler(new Request(link, { headers })))
    return cookies.includes("session-token") ? cookies : null
  }
}

/** A passkey in software (ES256) whose counter stays at 0, as that of passkeys which are synchronised. */
export function openPasskey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x, y } = publicKey.export({ format: "jwk" })
  const id = base64url(randomBytes(32))
  const { hostname } = new URL(origin)
  // The user is present and verified, the passkey backed up (WebAuthn §6.1).
  const authData = Buffer.concat([sha256(hostname), Uint8Array.of(0x1d), new Uint8Array(4)])
  return {
    id,
    relyingParty: hostname,
    /** In COSE form (RFC 9053 §2.1 and §7.1): EC2, ES256, P-256, x, y. */
    publicKey: Buffer.concat([
      Uint8Array.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20),
      Buffer.from(x, "base64url"),
      Uint8Array.of(0x22, 0x58, 0x20),
      Buffer.from(y, "base64url"),
    ]),
    /** What a browser posts for a challenge. */
    answer(challenge) {
      const clientData = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }))
      const signature = sign("sha256", Buffer.concat([authData, sha256(clientData)]), privateKey)
      const response = {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
      }
      return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} }
    },
  }
}

/** Asks for options and answers them; with `challenge`, an answer to another challenge. */
export function passkeyFlowWith(handler, passkey) {
  return async (challenge) => {
    const asked = await handler(new Request(`${origin}/auth/webauthn-options/passkey?action=authenticate`))
    const { options } = await asked.json()
    const data = JSON.stringify(passkey.answer(challenge ?? options.challenge))
    const answer = await handler(post("/auth/callback/passkey", { action: "authenticate", data }, cookiesOf(asked)))
    const cookies = cookiesOf(answer)
    return cookies.includes("session-token") ? cookies : null
  }
}
