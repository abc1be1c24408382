/** A small application on the engine that the suite examines: one provider, one page, made anew for every module. */
import { createServer } from "node:https"
import { createAuth, customFetch, toSetCookie } from "@latchkey/core"
import { ExpressAuth } from "@latchkey/express"
import express from "express"
import { refreshing } from "./refresh.mjs"

/**
 * @typedef {{
 *   issuer: string,
 *   clientId: string,
 *   clientSecret: string,
 *   formPost: boolean,
 *   refresh: boolean,
 *   idToken: boolean,
 *   registration: Record<string, string>,
 *   signingKey: import("./signing-key.mjs").SigningKey,
 * }} Parameters
 */

/** The engine as the application uses it, with everything that has happened written into `said`. */
function authFor({ issuer, clientId, clientSecret, formPost, refresh, idToken, registration, signingKey }, said) {
  const signsItself = registration.token_endpoint_auth_method === "private_key_jwt"
  return createAuth({
    secret: "a secret of the conformance run, of no use elsewhere",
    trustHost: true,
    session: { strategy: "jwt" },
    logger: {
      error: (error) => said.push(describe(error)),
      warn: () => {},
      debug: () => {},
    },
    events: { signIn: ({ user }) => said.push(`signed in as ${user.name ?? user.email ?? "somebody"}`) },
    callbacks: refresh ? refreshing({ issuer, clientId, clientSecret }, said) : {},
    providers: [
      {
        id: "suite",
        name: "Conformance suite",
        type: "oidc",
        issuer,
        clientId,
        clientSecret,
        // What is kept of a provider is kept by the function that fetched it: every module has a provider of its own.
        [customFetch]: (...request) => fetch(...request),
        idToken,
        client: registration,
        ...(signsItself && { token: { clientPrivateKey: { key: signingKey.privateKey, kid: signingKey.kid } } }),
        checks: ["pkce", "state", "nonce"],
        authorization: {
          params: {
            scope: `openid profile email address phone${refresh ? " offline_access" : ""}`,
            ...(formPost && { response_mode: "form_post" }),
          },
        },
      },
    ],
  })
}

/** An error with its causes, as one line. */
function describe(error) {
  const parts = []
  for (let each = error; each instanceof Error; each = each.cause?.err ?? each.cause)
    if (!parts.some((part) => part.includes(each.message))) parts.push(each.message)
  return `${error.name}: ${parts.join(" – ")}`
}

/** The pages around the engine. */
function applicationOn(service, { issuer, origin }) {
  const auth = ExpressAuth(service)
  const app = express()
  app.use("/auth", auth)
  app.get("/", async (req, res) => {
    const session = await auth.session(req, res)
    res
      .type("html")
      .send(`<!doctype html><title>Relying party</title><p id=who>${session ? "signed in" : "signed out"}</p>`)
  })
  // OpenID Connect Core §4: another site starts the sign-in, at the issuer that is configured and no other. As that is
  // what the address is for, the application vouches for the request; `auth.signIn(req, res, …)` would refuse it.
  app.get("/login", async (req, res) => {
    if (req.query.iss !== issuer) return res.status(400).send("unknown issuer")
    const source = { url: `${origin}${req.originalUrl}`, headers: req.headers }
    const { redirect, cookies } = await service.signIn(source, "suite", { redirectTo: "/" })
    return res.setHeader("set-cookie", cookies.map(toSetCookie)).redirect(redirect)
  })
  return app
}

/**
 * Listens on loopback. Its name is another site than the suite's, so that cookies meet what they meet in the field.
 *
 * @param {{ key: string, cert: string }} tls
 */
export async function openRelyingParty(tls) {
  let app = express()
  const server = createServer(tls, (req, res) => app(req, res))
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  const origin = `https://relying-party.localhost:${server.address().port}`
  return {
    origin,
    callback: `${origin}/auth/callback/suite`,
    login: `${origin}/login`,
    /** Makes the application for one module. @param {Parameters} parameters @returns {string[]} what happens */
    serve(parameters) {
      const said = []
      app = applicationOn(authFor(parameters, said), { issuer: parameters.issuer, origin })
      return said
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
