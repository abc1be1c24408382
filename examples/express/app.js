/** The application: who somebody is, and four pages. */
import { authSession, CredentialsSignin, ExpressAuth } from "@latchkey/express"
import { Credentials } from "@latchkey/express/providers/credentials"
import { GitHub } from "@latchkey/express/providers/github"
import { sqlAdapter } from "@latchkey/sql-adapter"
import express from "express"
import { homePage, profilePage, secretPage, signInPage } from "./pages.js"
import { openPasswords } from "./passwords.js"

/** @param {{ filename: string, secret?: string, trustProxy?: boolean | string }} parts */
export async function createApp({ filename, secret, trustProxy = false }) {
  const adapter = sqlAdapter({ filename })
  await adapter.migrate()
  const passwords = await openPasswords(adapter)
  const auth = ExpressAuth({
    ...(secret && { secret }),
    adapter,
    // The profile page changes a row, so it has to know which.
    session: { expose: ["id"] },
    pages: { signIn: "/signin" },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: ({ email, password }) => passwords.personOf(email, password),
      }),
      // Reads AUTH_GITHUB_ID and AUTH_GITHUB_SECRET.
      ...(process.env["AUTH_GITHUB_ID"] ? [GitHub] : []),
    ],
  })

  const app = express()
  app.set("trust proxy", trustProxy)
  app.use("/auth", auth)
  // The form before the session: whoever sends it slowly must not act with a session that has ended meanwhile.
  app.use(onlyFromHere, express.urlencoded({ extended: false }), authSession(auth))

  app.get("/", (_req, res) => res.send(homePage(res.locals)))
  app.get("/secret", auth.require({ redirectTo: "/signin" }), (_req, res) => res.send(secretPage(res.locals)))

  app.get("/signin", async (req, res) => res.send(signInPage(await auth.signInView(req, res), req.query)))
  app.post("/signin", async (req, res) => {
    const { callbackUrl = "/", provider, ...fields } = req.body ?? {}
    try {
      if (fields.isNew) await passwords.register(fields)
      await auth.signIn(req, res, { provider, fields, redirectTo: callbackUrl })
    } catch (error) {
      if (!(error instanceof CredentialsSignin)) throw error
      res.status(401).send(signInPage(await auth.signInView(req, res), { callbackUrl, error: error.code }))
    }
  })
  app.post("/signout", (req, res) => auth.signOut(req, res, { redirectTo: "/" }))

  app.get("/profile", auth.require({ redirectTo: "/signin" }), (_req, res) => res.send(profilePage(res.locals)))
  app.post("/profile", auth.require({ status: 403 }), async (req, res) => {
    await adapter.updateUser({ id: res.locals.session.user.id, name: String(req.body?.name ?? "").slice(0, 100) })
    res.redirect("/profile")
  })
  return { app, close: () => adapter.close() }
}

/** What changes something has to come from a page of this application. Browsers send Origin with every POST. */
function onlyFromHere(req, res, next) {
  if (req.method !== "POST" || req.get("origin") === `${req.protocol}://${req.host}`) return next()
  res.sendStatus(403)
}
