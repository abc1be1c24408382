/** Auth.js: `@auth/core` with `@auth/express`. In an OpenID Connect sign-in it does not verify the signature. */
import { Auth, customFetch } from "@auth/core"
import { encode, getToken } from "@auth/core/jwt"
import { load } from "../harness/load.mjs"
import { openOp } from "../harness/op.mjs"
import {
  claimsOf,
  configuration,
  cookieName,
  flowWith,
  origin,
  plainCookieName,
  provider,
  secret,
  signInWith,
} from "../harness/world.mjs"

export const name = "Auth.js"

const sealed = (index, salt) => encode({ token: claimsOf(index), secret, salt })

/** @returns {Promise<object>} what is measured */
export async function open() {
  const config = configuration()
  const withOp = configuration({ providers: [provider(await openOp(), customFetch)] })
  const handle = (request) => Auth(request, config)
  const answer = async (cookie) => {
    const answered = await handle(new Request(`${origin}/auth/session`, { headers: { cookie } }))
    return (await answered.json())?.user.email ?? null
  }
  return {
    cookies: (count) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => `${cookieName}=${await sealed(index, cookieName)}`),
      ),
    // It has no other way to read a session than a request to itself: that is what its integrations do.
    session: answer,
    answer,
    async token(cookie) {
      return (await getToken({ req: { headers: { cookie } }, secret, secureCookie: true }))?.email ?? null
    },
    csrf: async () => (await (await handle(new Request(`${origin}/auth/csrf`))).json()).csrfToken,
    signIn: await signInWith(handle),
    flow: await flowWith((request) => Auth(request, withOp)),
  }
}

/** A protected route, as its documentation has it, and the session endpoint. */
export async function mount(app) {
  const { ExpressAuth, getSession } = await load("@auth/express")
  const config = configuration()
  app.use("/auth", ExpressAuth(config))
  const protect = async (request, response, next) => {
    response.locals.session = await getSession(request, config)
    if (response.locals.session?.user) next()
    else response.sendStatus(401)
  }
  app.get("/me", protect, (_request, response) => response.json({ email: response.locals.session.user.email }))
  return { cookie: `${plainCookieName}=${await sealed(0, plainCookieName)}`, endpoint: "/auth/session" }
}
