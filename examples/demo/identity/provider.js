/** The identity provider: certified software, set up for one client and two people. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import express from "express"
import { createMemory } from "./memory.js"
import { choosePage, noticePage } from "./pages.js"
import { personOf } from "./people.js"

const publicFiles = fileURLToPath(new URL("../public", import.meta.url))

/**
 * Loads the library without the warning it prints on Node releases that it does not list. It runs the same there.
 *
 * @returns {Promise<typeof import("oidc-provider")>}
 */
async function loadLibrary() {
  const warn = console.warn
  console.warn = (/** @type {unknown[]} */ ...parts) => {
    if (!String(parts[0]).includes("Unsupported runtime")) warn(...parts)
  }
  try {
    return await import("oidc-provider")
  } finally {
    console.warn = warn
  }
}

/**
 * @param {{ issuer: string, client: { id: string, secret: string, redirectUri: string } }} options
 * @returns {Promise<import("express").Express>}
 */
export async function createIdentityProvider({ issuer, client }) {
  const { interactionPolicy, Provider } = await loadLibrary()
  const provider = new Provider(issuer, {
    ...settings,
    adapter: createMemory(),
    jwks: { keys: [freshKey()] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    interactions: { policy: alwaysAsk(interactionPolicy), url: (_context, interaction) => `/login/${interaction.uid}` },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
  })
  return withPages(provider, new URL(client.redirectUri))
}

/** @type {import("oidc-provider").Configuration} */
const settings = {
  responseTypes: ["code"],
  scopes: ["openid", "profile", "email"],
  claims: {
    openid: ["sub"],
    profile: ["name", "given_name", "family_name"],
    email: ["email", "email_verified"],
  },
  // The person's claims travel in the id_token as well, as most providers do it.
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    Grant: 86_400,
    IdToken: 3600,
    Interaction: 3600,
    Session: 86_400,
  },
  findAccount: (_context, sub) => {
    const person = personOf(sub)
    if (!person) return undefined
    const { note: _note, ...claims } = person
    return { accountId: sub, claims: () => claims }
  },
  // Nobody is asked for consent: the only client is the demo itself.
  loadExistingGrant: async (context) => {
    const { client, provider, session } = context.oidc
    if (!client || !session?.accountId) return undefined
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
    grant.addOIDCScope("openid profile email")
    await grant.save()
    return grant
  },
  renderError: (context, { error, error_description: description }) => {
    context.type = "html"
    context.body = noticePage({ title: "That did not work", text: description ?? error }).toString()
  },
}

function freshKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return { ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: randomBytes(8).toString("hex") }
}

/**
 * The usual prompts, and the chooser at every sign-in, so that one can come as either person.
 *
 * @param {typeof import("oidc-provider").interactionPolicy} library
 */
function alwaysAsk({ base, Check }) {
  const policy = base()
  policy
    .get("login")
    ?.checks.add(
      new Check("choose", "Choose an account", (context) =>
        context.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  return policy
}

/**
 * @param {import("oidc-provider").Provider} provider
 * @param {URL} client
 */
function withPages(provider, client) {
  const app = express()
  app.disable("x-powered-by")
  app.use((_request, response, next) => {
    response.set({
      // The form's answer leads back to the client, so its origin is named as well.
      "Content-Security-Policy": `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${client.origin}; frame-ancestors 'none'; base-uri 'none'`,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    })
    next()
  })
  app.get("/identity.css", (_request, response) => response.sendFile("identity.css", { root: publicFiles }))
  app.get("/icon.svg", (_request, response) => response.sendFile("identity.svg", { root: publicFiles }))
  app.get("/", (_request, response) =>
    response.send(
      noticePage({ title: "Demo Identity", text: `Start at ${client.origin} and sign in from there.` }).text,
    ),
  )
  app.get("/login/:uid", async (request, response) => {
    const { uid } = await provider.interactionDetails(request, response)
    response.set("Cache-Control", "no-store").send(choosePage({ uid, host: client.host }).text)
  })
  app.post("/login/:uid", express.urlencoded({ extended: false }), async (request, response) => {
    const person = personOf(request.body?.person)
    await provider.interactionFinished(
      request,
      response,
      person
        ? { login: { accountId: person.sub, remember: false } }
        : { error: "access_denied", error_description: "The person cancelled." },
      { mergeWithLastSubmission: false },
    )
  })
  app.use("/login", sayLost)
  app.use(provider.callback())
  return app
}

/** @type {import("express").ErrorRequestHandler} */
const sayLost = (_error, _request, response, _next) => {
  const text = "This page belongs to a sign-in that has ended. Go back to the application and start again."
  return void response.status(400).send(noticePage({ title: "This sign-in has ended", text }).text)
}
