/** Signing in through a real Keycloak. */
import { describe, expect, it } from "vitest"
import type { Application, Seen } from "./support/application.js"
import { ada, type ClientSettings, type Keycloak, startKeycloak } from "./support/keycloak.js"
import { newPerson, type Person } from "./support/person.js"
import type { Recording } from "./support/recording.js"
import {
  callsOf,
  type Ended,
  expectChecks,
  expectClientAuthentication,
  expectNothingSecretLogged,
  expectRefused,
  expectSession,
  headerOf,
  makeAssertionKey,
  useScene,
} from "./support/scene.js"

let keycloak: Keycloak
let application: Application
let recording: Recording

useScene("Keycloak", {
  start: startKeycloak,
  enter(scene) {
    ;({ provider: keycloak, application, recording } = scene)
  },
})

/** Registers a client and serves an application that uses it. */
async function serve(provider: object = {}, settings: Partial<ClientSettings> = {}): Promise<Seen> {
  const client = await keycloak.addClient({ callback: application.callback, ...settings })
  return application.serve({ issuer: keycloak.issuer, ...client, ...provider })
}

/** Signs Ada in; answers her, and the page she ends on. */
async function signIn(person: Person = newPerson()): Promise<Ended> {
  const asked = await person.begin(application)
  const page = asked.text.includes("kc-form-login") ? await person.send(asked, ada) : asked
  return { person, page }
}

const expectSignedIn = (ended: Ended, seen: Seen): Promise<void> =>
  expectSession(ended, { application, seen, user: { name: "Ada Lovelace", email: "ada@example.com" } })

describe("the request", () => {
  it("carries PKCE, state and nonce, and the answer is taken back with the issuer that Keycloak adds", async () => {
    const seen = await serve()
    const { person, page } = await signIn()
    recording.keep("code flow", { seen, person })
    await expectSignedIn({ person, page }, seen)
    expectChecks(person, { path: "/auth", issuer: keycloak.issuer })
  })

  it("may ask for the answer as a form, which another site posts", async () => {
    const options = { authorization: { params: { response_mode: "form_post" } } }
    const seen = await serve(options)
    const { person, page } = await signIn()
    recording.keep("form_post", { seen, person, options })
    await expectSignedIn({ person, page }, seen)
    const answered = person.way.find(({ pathname }) => pathname.endsWith("/callback/idp"))
    expect(answered?.search).toBe("")
  })

  it("without PKCE, where the client requires it, comes back as a refusal", async () => {
    const options = { checks: ["state", "nonce"] }
    const seen = await serve(options)
    const { person, page } = await signIn()
    recording.keep("without PKCE", { seen, person, options })
    await expectRefused({ person, page }, { application, seen, why: "invalid_request" })
  })

  it("for a silent sign-in of somebody who is not signed in comes back as a refusal", async () => {
    const seen = await serve({ authorization: { params: { prompt: "none" } } })
    const { person, page } = await signIn()
    recording.keep("silent sign-in", { seen, person })
    await expectRefused({ person, page }, { application, seen, why: "login_required" })
  })

  it("may limit the age of the sign-in, which Keycloak answers with auth_time", async () => {
    const seen = await serve({ authorization: { params: { max_age: 3600 } } })
    await expectSignedIn(await signIn(), seen)
  })
})

describe("the client", () => {
  it.each([
    ["client_secret_basic", {}],
    ["client_secret_post", {}],
    ["client_secret_jwt", { clientAuthenticatorType: "client-secret-jwt" }],
    ["none", { publicClient: true }],
  ])("authenticates by %s", async (method, over) => {
    const seen = await serve({ client: { token_endpoint_auth_method: method } }, { over })
    await expectSignedIn(await signIn(), seen)
    expectClientAuthentication(seen, method)
  })

  // Keycloak knows EdDSA by this older name only.
  it.each(["ES256", "RS256", "PS256", "EdDSA"] as const)(
    "authenticates by private_key_jwt with a key for %s",
    async (alg) => {
      const { clientPrivateKey, jwks } = await makeAssertionKey(alg)
      const seen = await serve(
        {
          client: { token_endpoint_auth_method: "private_key_jwt" },
          token: { clientPrivateKey },
        },
        {
          over: { clientAuthenticatorType: "client-jwt" },
          attributes: {
            "use.jwks.string": "true",
            "jwks.string": JSON.stringify(jwks),
            "token.endpoint.auth.signing.alg": alg,
          },
        },
      )
      await expectSignedIn(await signIn(), seen)
    },
  )

  it("with the wrong secret is refused, and the log names neither that secret nor the code", async () => {
    const seen = await serve({ clientSecret: "the wrong secret of this client" })
    const { person, page } = await signIn()
    recording.keep("wrong secret", { seen, person })
    await expectRefused({ person, page }, { application, seen, why: "unauthorized_client" })
    expectNothingSecretLogged(seen, "the wrong secret")
  })
})

describe("the id_token", () => {
  it.each(["RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA"])("may be signed with %s", async (alg) => {
    const seen = await serve({}, { attributes: { "id.token.signed.response.alg": alg } })
    const { person, page } = await signIn()
    recording.keep(`id_token with ${alg}`, { seen, person })
    await expectSignedIn({ person, page }, seen)
    expect(headerOf(callsOf(seen, "/token")[0]?.text)).toMatchObject({ alg })
  })

  it("is refused with HS256, agreed or not: Keycloak signs with a secret of its own, not with the client's", async () => {
    const attributes = { "id.token.signed.response.alg": "HS256" }
    const agreed = await serve({ client: { id_token_signed_response_alg: "HS256" } }, { attributes })
    expect((await signIn()).page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(agreed.errors.join()).toContain("the signature of the id_token is wrong")
    const other = await serve({}, { attributes })
    const { person, page } = await signIn()
    recording.keep("id_token with HS256", { seen: other, person })
    await expectRefused({ person, page }, { application, seen: other, why: "HS256" })
  })

  it("may be signed with a key that is made after the key set was fetched: the set is fetched once more", async () => {
    const seen = await serve()
    await expectSignedIn(await signIn(), seen)
    await expectSignedIn(await signIn(), seen)
    expect(callsOf(seen, "/certs")).toHaveLength(1)
    await keycloak.addKey("rsa")
    await expectSignedIn(await signIn(), seen)
    await expectSignedIn(await signIn(), seen)
    expect(callsOf(seen, "/certs")).toHaveLength(2)
    const keyIds = callsOf(seen, "/token").map(({ text }) => headerOf(text).kid)
    expect(keyIds).toEqual([keyIds[0], keyIds[0], keyIds[2], keyIds[2]])
    expect(keyIds[2]).not.toBe(keyIds[0])
  })
})

describe("the profile", () => {
  it.each([
    ["as JSON", undefined],
    ["signed with RS256", "RS256"],
    ["signed with ES256", "ES256"],
  ])("may be read from the userinfo endpoint, %s", async (_, alg) => {
    const attributes: Record<string, string> = alg ? { "user.info.response.signature.alg": alg } : {}
    const options = { idToken: false }
    const seen = await serve(options, { attributes })
    const { person, page } = await signIn()
    recording.keep(`userinfo with ${alg ?? "no signature"}`, { seen, person, options })
    await expectSignedIn({ person, page }, seen)
    expect(callsOf(seen, "/userinfo")[0]?.type).toBe(alg ? "application/jwt" : "application/json")
    expect(seen.arrivals[0]?.profile).toMatchObject({ preferred_username: "ada", email_verified: true })
  })
})

describe("somebody", () => {
  it("who does not consent comes back to the sign-in page, which says that the sign-in was cancelled", async () => {
    const seen = await serve({}, { over: { consentRequired: true } })
    const person = newPerson()
    const { page: consent } = await signIn(person)
    expect(consent.text).toContain('name="cancel"')
    const page = await person.send(consent, { cancel: "No" })
    recording.keep("no consent", { seen, person })
    expect(page.url.href).toBe(`${application.origin}/auth/signin?cancelled=true`)
    expect(seen.calls.filter(({ url }) => url.endsWith("/token"))).toEqual([])
    expect(await person.session(application)).toBeNull()
  })

  it("who consents is signed in", async () => {
    const seen = await serve({}, { over: { consentRequired: true } })
    const person = newPerson()
    const { page: consent } = await signIn(person)
    await expectSignedIn({ person, page: await person.send(consent, { accept: "Yes" }) }, seen)
  })

  it("who is disabled after the code was made is refused", async () => {
    const seen = await serve()
    const person = newPerson()
    const held = await person.send(await person.begin(application), ada, { hold: new URL(application.origin).host })
    const [{ id } = { id: "" }] = await keycloak.admin<{ id: string }[]>("GET", "/users?username=ada")
    await keycloak.admin("PUT", `/users/${id}`, { enabled: false })
    try {
      const page = await person.open(held.url)
      recording.keep("disabled person", { seen, person })
      await expectRefused({ person, page }, { application, seen, why: "invalid_grant" })
      expect((await signIn()).page.text).toContain("Account is disabled")
    } finally {
      await keycloak.admin("PUT", `/users/${id}`, { enabled: true })
    }
  })

  it("whose answer names another issuer is refused before the code is sent", async () => {
    const seen = await serve()
    const person = newPerson()
    const held = await person.send(await person.begin(application), ada, { hold: new URL(application.origin).host })
    held.url.searchParams.set("iss", "http://127.0.0.1:1/realms/lovelace")
    const page = await person.open(held.url)
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(callsOf(seen, "/token")).toEqual([])
  })
})

describe("the refresh token", () => {
  it("comes with the sign-in, and brings the application new tokens", async () => {
    const client = await keycloak.addClient({ callback: application.callback })
    const seen = application.serve({ issuer: keycloak.issuer, ...client })
    await expectSignedIn(await signIn(), seen)
    const { refresh_token = "", access_token } = seen.arrivals[0]?.account ?? {}
    const { clientId: client_id, clientSecret: client_secret } = client
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id, client_secret })
    const answer = await fetch(`${keycloak.issuer}/protocol/openid-connect/token`, { method: "POST", body })
    const tokens = (await answer.json()) as { access_token?: string }
    expect(tokens.access_token?.length).toBeGreaterThan(40)
    expect(tokens.access_token).not.toBe(access_token)
  })
})

describe("the issuer", () => {
  it("with a slash that the discovery document lacks is refused, and both are named", async () => {
    const { issuer } = keycloak
    const seen = await serve({ issuer: `${issuer}/` })
    const { page } = await signIn()
    expect([page.url.pathname, page.url.searchParams.get("error")]).toEqual(["/auth/signin", "OAuthSignin"])
    expect(seen.errors.join()).toContain(`expected "${issuer}/", received "${issuer}"`)
  })

  it("of a realm that does not exist is refused as a wrong issuer", async () => {
    const seen = await serve({ issuer: keycloak.issuer.replace("lovelace", "babbage") })
    await signIn()
    expect(seen.errors.join()).toContain("answered with status 404, expected 200: is the issuer right?")
  })
})

describe("a restart", () => {
  it("changes nothing for the next sign-in, which fetches neither the document nor the keys", {
    timeout: 300_000,
  }, async () => {
    const seen = await serve()
    await expectSignedIn(await signIn(), seen)
    const before = seen.calls.length
    await keycloak.restart()
    await expectSignedIn(await signIn(), seen)
    expect(seen.calls.slice(before).map(({ url }) => url.split("/").at(-1))).toEqual(["token"])
  })
})
