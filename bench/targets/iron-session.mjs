/** iron-session: a sealed cookie, and nothing beside it. */
import { load } from "../harness/load.mjs"
import { claimsOf, cookiesOf, origin, post, secret, signInEmail } from "../harness/world.mjs"

export const name = "iron-session"

const cookieName = "session"
const options = { password: secret, cookieName, cookieOptions: { secure: false } }

/** @returns {Promise<object>} what is measured */
export async function open() {
  const { getIronSession, sealData } = await load("iron-session")
  const read = async (cookie) => {
    const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
    const response = new Response()
    return getIronSession(request, response, options)
  }
  return {
    cookies: (count) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => {
          return `${cookieName}=${await sealData(claimsOf(index), { password: secret })}`
        }),
      ),
    session: async (cookie) => (await read(cookie)).email ?? null,
    async answer(cookie) {
      const { email } = await read(cookie)
      return (await Response.json({ user: { email } }).json()).user.email ?? null
    },
    async signIn(person) {
      const request = post("/sign-in", { name: person })
      const response = new Response()
      const form = new URLSearchParams(await request.text())
      if (!form.get("name")) return null
      const session = await getIronSession(request, response, options)
      Object.assign(session, { name: form.get("name"), email: signInEmail })
      await session.save()
      return cookiesOf(response)
    },
  }
}

/** A protected route and a session endpoint. */
export async function mount(app) {
  const { getIronSession, sealData } = await load("iron-session")
  app.get("/auth/session", async (request, response) => {
    const { name: person, email } = await getIronSession(request, response, options)
    response.json(email ? { user: { name: person, email } } : null)
  })
  app.get("/me", async (request, response) => {
    const { email } = await getIronSession(request, response, options)
    if (email) response.json({ email })
    else response.sendStatus(401)
  })
  return { cookie: `${cookieName}=${await sealData(claimsOf(0), { password: secret })}`, endpoint: "/auth/session" }
}
