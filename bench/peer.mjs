/** The same configuration for this project and for the peer from npm: same secret, same bytes, same requests. */
import { Auth as PeerAuth } from "@auth/core"
import { Auth, createAuth } from "@latchkey/core"

export const secret = "bench-secret-of-at-least-32-characters"
export const origin = "https://app.test"
export const cookieName = "__Secure-authjs.session-token"

/** @returns {object} a configuration of its own, because the peer writes into the one it is given */
export function configuration(extra = {}) {
  return {
    secret,
    trustHost: true,
    basePath: "/auth",
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      {
        id: "credentials",
        name: "Credentials",
        type: "credentials",
        credentials: { name: {} },
        authorize: ({ name }) => (name ? { id: "1", name: String(name), email: "ada@app.test" } : null),
      },
    ],
    ...extra,
  }
}

const own = configuration()
const peer = configuration()

/** What is measured: handlers that take a request. */
export const handlers = {
  latchkey: (request) => Auth(request, own),
  "@auth/core": (request) => PeerAuth(request, peer),
}

/** The service as an application holds it. */
export const held = createAuth(configuration(), { env: {} })

/** Signs in by credentials and returns the cookies as a header. */
export async function signIn(handler, name = "Ada") {
  const { token, cookie } = await csrf(handler)
  const answer = await handler(post("/auth/callback/credentials", { csrfToken: token, name }, cookie))
  return cookiesOf(answer)
}

/** Fetches a CSRF token and its cookie. */
export async function csrf(handler) {
  const answer = await handler(new Request(`${origin}/auth/csrf`))
  const { csrfToken } = await answer.json()
  return { token: csrfToken, cookie: cookiesOf(answer) }
}

/** A form. */
export function post(path, fields, cookie) {
  return new Request(origin + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie },
    body: new URLSearchParams(fields).toString(),
  })
}

/** The cookies an answer set, as a request header. */
export function cookiesOf(answer) {
  return answer.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(";")))
    .join("; ")
}
