/** express-session with Passport, sessions in memory. It works inside Express alone. */
import { load } from "../harness/load.mjs"
import { claimsOf, secret } from "../harness/world.mjs"

export const name = "express-session with Passport"

/** A protected route and a session endpoint. */
export async function mount(app, baseURL) {
  const { default: session } = await load("express-session")
  const { default: passport } = await load("passport")
  passport.serializeUser((user, done) => done(null, user.sub))
  passport.deserializeUser((sub, done) => done(null, claimsOf(Number(sub))))
  app.use(session({ secret, resave: false, saveUninitialized: false }), passport.session())
  app.post("/sign-in", (request, response, next) => {
    request.login(claimsOf(0), (error) => (error ? next(error) : response.sendStatus(204)))
  })
  app.get("/auth/session", (request, response) => {
    response.json(request.user ? { user: { name: request.user.name, email: request.user.email } } : null)
  })
  app.get("/me", (request, response) => {
    if (request.isAuthenticated()) response.json({ email: request.user.email })
    else response.sendStatus(401)
  })
  return {
    endpoint: "/auth/session",
    async signIn() {
      const answer = await fetch(`${baseURL}/sign-in`, { method: "POST" })
      return answer.headers.getSetCookie()[0].split(";")[0]
    },
  }
}
