/** The lower bound: the same work by hand with `node:crypto` and cached keys. No library can be faster. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto"
import { claimsOf, cookieName, secret, signInEmail } from "../harness/world.mjs"

export const name = "by hand, node:crypto"

const month = 30 * 24 * 60 * 60
const base64url = (bytes) => bytes.toString("base64url")

/** Seals and opens with A256CBC-HS512 under the key of Auth.js for this salt. */
export function sealer(salt) {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const key = Buffer.from(hkdfSync("sha256", secret, salt, info, 64))
  const kid = createHash("sha512")
    .update(`{"k":"${base64url(key)}","kty":"oct"}`)
    .digest("base64url")
  const header = base64url(Buffer.from(JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid })))
  const [macKey, cipherKey] = [key.subarray(0, 32), key.subarray(32)]
  const bits = Buffer.alloc(8)
  bits.writeUInt32BE(header.length * 8, 4)
  const tagOf = (iv, ciphertext) =>
    createHmac("sha512", macKey).update(header).update(iv).update(ciphertext).update(bits).digest().subarray(0, 32)
  return {
    seal(claims, now = Math.floor(Date.now() / 1000)) {
      const iv = randomBytes(16)
      const cipher = createCipheriv("aes-256-cbc", cipherKey, iv)
      const text = JSON.stringify({ ...claims, iat: now, exp: now + month, jti: randomUUID() })
      const ciphertext = Buffer.concat([cipher.update(text), cipher.final()])
      return `${header}..${base64url(iv)}.${base64url(ciphertext)}.${base64url(tagOf(iv, ciphertext))}`
    },
    open(token) {
      const [head, , iv64, text64, tag64] = token.split(".")
      if (head !== header || !tag64) return null
      const [iv, ciphertext, tag] = [iv64, text64, tag64].map((part) => Buffer.from(part, "base64url"))
      if (tag.length !== 32 || !timingSafeEqual(tag, tagOf(iv, ciphertext))) return null
      const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv)
      const claims = JSON.parse(decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8"))
      return claims.exp > Date.now() / 1000 ? claims : null
    },
  }
}

/** The value of a cookie. */
export function cookieIn(header, wanted) {
  const start = header.indexOf(`${wanted}=`)
  if (start < 0) return undefined
  const end = header.indexOf(";", start)
  return header.slice(start + wanted.length + 1, end < 0 ? undefined : end)
}

export const sessions = sealer(cookieName)
export const csrfName = "__Host-authjs.csrf-token"
const csrfTokens = sealer(csrfName)

/** The claims of the session in a header of cookies, or nothing. */
export function claimsIn(cookie, wanted = cookieName, sealed = sessions) {
  const token = cookieIn(cookie, wanted)
  return token ? sealed.open(token) : null
}

/** A new CSRF token and its cookie. */
export function issueCsrf() {
  const csrfToken = randomBytes(32).toString("hex")
  return { csrfToken, cookie: `${csrfName}=${csrfTokens.seal({ csrfToken })}` }
}

/** Does the token of a form fit its cookie? */
export function fitsCsrf(given, cookie) {
  const opened = csrfTokens.open(cookieIn(cookie, csrfName) ?? "")
  return (
    opened !== null &&
    opened.csrfToken.length === given.length &&
    timingSafeEqual(Buffer.from(opened.csrfToken), Buffer.from(given))
  )
}

const emailIn = (cookie) => claimsIn(cookie)?.email ?? null

/** @returns {object} what is measured */
export function open() {
  const ready = issueCsrf()
  return {
    cookies: (count) => Array.from({ length: count }, (_, index) => `${cookieName}=${sessions.seal(claimsOf(index))}`),
    session: emailIn,
    token: emailIn,
    csrf: () => issueCsrf().csrfToken,
    signIn(person) {
      const form = new URLSearchParams(`csrfToken=${ready.csrfToken}&name=${person}`)
      if (!fitsCsrf(form.get("csrfToken"), ready.cookie) || !form.get("name")) return null
      issueCsrf()
      return `${cookieName}=${sessions.seal({ name: person, email: signInEmail, picture: null, sub: "0" })}`
    },
  }
}
