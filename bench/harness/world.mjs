/** The common input of all targets: secret, address, people, and the cookies and forms of a browser. */

export const secret = "bench-secret-of-at-least-32-characters"
export const origin = "https://app.test"
export const cookieName = "__Secure-authjs.session-token"
/** The same where an application is not on https. */
export const plainCookieName = "authjs.session-token"

/** The address of the person with this number. */
export const emailOf = (index) => `ada${index}@app.test`

/** The claims of the person with this number. */
export const claimsOf = (index) => ({ name: "Ada", email: emailOf(index), picture: null, sub: String(index) })

/** Who signs in by name. */
export const signInEmail = emailOf(0)

/** @returns {object} a configuration of its own for each, because Auth.js writes into the one it is given */
export function configuration(extra = {}) {
  return {
    secret,
    trustHost: true,
    basePath: "/auth",
    // Without a debug method: a logger that has one receives messages about every request.
    logger: { error() {}, warn() {} },
    providers: [
      {
        id: "credentials",
        name: "Credentials",
        type: "credentials",
        credentials: { name: {} },
        authorize: ({ name }) => (name ? { id: "0", name: String(name), email: signInEmail } : null),
      },
    ],
    ...extra,
  }
}

/** A form. */
export function post(path, fields, cookie = "") {
  return new Request(origin + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie },
    body: new URLSearchParams(fields).toString(),
  })
}

/** The cookies an answer set, as a request header; those it cleared are left out. */
export function cookiesOf(answer) {
  return answer.headers
    .getSetCookie()
    .filter((line) => !/max-age=0(?:;|$)|expires=Thu, 01 Jan 1970/i.test(line))
    .map((line) => line.slice(0, line.indexOf(";")))
    .join("; ")
}

/** Changes one character in the middle of each value. */
export function tamperedWith(cookie) {
  return cookie.replace(/=([^;]+)/g, (_, value) => {
    const middle = value.length >> 1
    return `=${value.slice(0, middle)}${value[middle] === "A" ? "B" : "A"}${value.slice(middle + 1)}`
  })
}

/** Sign-in by a form, as Latchkey and Auth.js have it: with a CSRF token that was fetched before. */
export async function signInWith(handler) {
  const issued = await handler(new Request(`${origin}/auth/csrf`))
  const { csrfToken } = await issued.json()
  const cookie = cookiesOf(issued)
  return async (name) => {
    const answer = await handler(post("/auth/callback/credentials", { csrfToken, name }, cookie))
    const cookies = cookiesOf(answer)
    return cookies.includes("session-token") ? cookies : null
  }
}

/** A whole sign-in by OpenID Connect; with `state`, with a response that does not belong to the request. */
export async function flowWith(handler) {
  const issued = await handler(new Request(`${origin}/auth/csrf`))
  const { csrfToken } = await issued.json()
  const cookie = cookiesOf(issued)
  return async (state) => {
    const begun = await handler(post("/auth/signin/op", { csrfToken, callbackUrl: origin }, cookie))
    const asked = new URL(begun.headers.get("location")).searchParams
    const answer = new URLSearchParams({ code: "code", state: state ?? asked.get("state") })
    const request = new Request(`${asked.get("redirect_uri")}?${answer}`, {
      headers: { cookie: `${cookie}; ${cookiesOf(begun)}` },
    })
    const cookies = cookiesOf(await handler(request))
    return cookies.includes("session-token") ? cookies : null
  }
}

/** The provider of {@link flowWith}. `marker` is the symbol of whoever calls it. */
export function provider({ issuer, clientId, fetch }, marker) {
  const checks = ["pkce", "state"]
  return { id: "op", name: "OP", type: "oidc", issuer, clientId, clientSecret: "secret", checks, [marker]: fetch }
}
