/** Better Auth with its encrypted cookie cache, and its adapter for memory behind it. */
import { load } from "../harness/load.mjs"
import { cookiesOf, emailOf, origin, secret, signInEmail } from "../harness/world.mjs"

export const name = "Better Auth"

const password = "right-password"

async function start(baseURL) {
  const { betterAuth } = await load("better-auth")
  const { memoryAdapter } = await load("better-auth/adapters/memory")
  const rows = { user: [], session: [], account: [], verification: [] }
  const auth = betterAuth({
    secret,
    baseURL,
    database: memoryAdapter(rows),
    // Hashing a password is the application's choice and would hide everything else.
    emailAndPassword: {
      enabled: true,
      password: { hash: async (text) => text, verify: async ({ hash, password: given }) => hash === given },
    },
    session: { cookieCache: { enabled: true, maxAge: 30 * 24 * 60 * 60, strategy: "jwe" } },
    rateLimit: { enabled: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
  })
  const ask = (path, body) =>
    auth.handler(
      new Request(`${baseURL}/api/auth${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: baseURL },
        body: JSON.stringify(body),
      }),
    )
  const signUp = async (index) => {
    // Its memory is searched from the beginning to the end: what is in the cookie is read without it.
    for (const list of Object.values(rows)) list.length = 0
    return cookiesOf(await ask("/sign-up/email", { email: emailOf(index), password, name: "Ada" }))
  }
  return { auth, rows, ask, signUp }
}

/** @returns {Promise<object>} what is measured */
export async function open() {
  const { auth, rows, ask, signUp } = await start(origin)
  return {
    async cookies(count) {
      const list = []
      for (let index = count - 1; index >= 0; index -= 1) list.unshift(await signUp(index))
      return list
    },
    session: async (cookie) => (await auth.api.getSession({ headers: new Headers({ cookie }) }))?.user.email ?? null,
    async answer(cookie) {
      const answer = await auth.handler(new Request(`${origin}/api/auth/get-session`, { headers: { cookie } }))
      return (await answer.json())?.user.email ?? null
    },
    async signIn(person) {
      rows.session.length = 0
      if (rows.user.length === 0) await signUp(0)
      const answer = await ask("/sign-in/email", { email: signInEmail, password: person ? password : "wrong-password" })
      return answer.ok ? cookiesOf(answer) : null
    },
  }
}

/** A protected route and the session endpoint. */
export async function mount(app, baseURL) {
  const { toNodeHandler, fromNodeHeaders } = await load("better-auth/node")
  const { auth, signUp } = await start(baseURL)
  app.all("/api/auth/*rest", toNodeHandler(auth))
  app.get("/me", async (request, response) => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
    if (session) response.json({ email: session.user.email })
    else response.sendStatus(401)
  })
  return { cookie: await signUp(0), endpoint: "/api/auth/get-session" }
}
