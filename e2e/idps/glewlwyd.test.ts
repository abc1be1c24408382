/** Signing in through a real Glewlwyd. */
import { describe, expect, it } from "vitest"
import type { Application, Seen } from "./support/application.js"
import { type Client, type Glewlwyd, startGlewlwyd } from "./support/glewlwyd.js"
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

let glewlwyd: Glewlwyd
let application: Application
let client: Client
let recording: Recording

useScene("Glewlwyd", {
  start: startGlewlwyd,
  enter(scene) {
    ;({ provider: glewlwyd, application, recording } = scene)
  },
})

/** Registers a client and serves an application that uses it. */
async function serve(provider: object = {}, over: Readonly<Record<string, unknown>> = {}): Promise<Seen> {
  client = await glewlwyd.addClient(application.callback, over)
  const authorization = { params: { scope: "openid" } }
  return application.serve({ issuer: glewlwyd.issuer, ...client, authorization, ...provider })
}

async function signIn(person: Person = newPerson()): Promise<Ended> {
  const asked = await person.begin(application)
  const isAsked = asked.url.pathname === "/login.html"
  return { person, page: isAsked ? await glewlwyd.agree(person, asked, { client }) : asked }
}

const expectSignedIn = (ended: Ended, seen: Seen): Promise<void> =>
  expectSession(ended, { application, seen, user: { name: "Grace Hopper", email: "grace@example.com" } })

describe("the request", () => {
  it("carries PKCE, state and nonce, and the answer names an issuer that the metadata does not announce", async () => {
    const seen = await serve()
    const { person, page } = await signIn()
    recording.keep("code flow", { seen, person })
    await expectSignedIn({ person, page }, seen)
    expectChecks(person, { path: "/api/oidc/auth", issuer: glewlwyd.issuer })
    const [document] = callsOf(seen, "/openid-configuration")
    expect(document?.text).not.toContain("authorization_response_iss_parameter_supported")
  })

  it("for the answer as a form is refused: Glewlwyd encodes the issuer once too often", async () => {
    const options = { authorization: { params: { scope: "openid", response_mode: "form_post" } } }
    const seen = await serve(options)
    const { person, page } = await signIn()
    recording.keep("form_post", { seen, person, options })
    await expectRefused({ person, page }, { application, seen, why: '"iss"' })
    expect(callsOf(seen, "/token")).toEqual([])
  })

  it("without PKCE, which the provider requires, comes back as a refusal", async () => {
    const options = { checks: ["state", "nonce"] }
    const seen = await serve(options)
    const { person, page } = await signIn()
    recording.keep("without PKCE", { seen, person, options })
    await expectRefused({ person, page }, { application, seen, why: "invalid_request" })
  })

  it("for a silent sign-in of somebody who is not signed in comes back as a refusal", async () => {
    const seen = await serve({ authorization: { params: { scope: "openid", prompt: "none" } } })
    const { person, page } = await signIn()
    recording.keep("silent sign-in", { seen, person })
    await expectRefused({ person, page }, { application, seen, why: "interaction_required" })
  })
})

describe("the client", () => {
  it.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"])("authenticates by %s", async (method) => {
    const seen = await serve(
      {
        client: { token_endpoint_auth_method: method },
        token: { assertionAudience: `${glewlwyd.issuer}/token` },
      },
      { token_endpoint_auth_method: [method], token_endpoint_signing_alg: "HS256" },
    )
    await expectSignedIn(await signIn(), seen)
    expectClientAuthentication(seen, method)
  })

  it.each(["ES256", "PS256", "EdDSA"] as const)("authenticates by private_key_jwt with a key for %s", async (alg) => {
    const { clientPrivateKey, jwks } = await makeAssertionKey(alg)
    const seen = await serve(
      {
        client: { token_endpoint_auth_method: "private_key_jwt" },
        token: {
          clientPrivateKey,
          assertionAudience: `${glewlwyd.issuer}/token`,
        },
      },
      {
        token_endpoint_auth_method: ["private_key_jwt"],
        token_endpoint_signing_alg: alg,
        jwks,
      },
    )
    await expectSignedIn(await signIn(), seen)
  })

  it("whose assertion names the issuer is refused: Glewlwyd takes its token endpoint alone, and says only 403", async () => {
    const method = "client_secret_jwt"
    const seen = await serve(
      { client: { token_endpoint_auth_method: method } },
      { token_endpoint_auth_method: [method], token_endpoint_signing_alg: "HS256" },
    )
    const { person, page } = await signIn()
    recording.keep("refused assertion", { seen, person })
    await expectRefused(
      { person, page },
      { application, seen, why: "the token endpoint answered with status 403 and no error code" },
    )
  })

  it("with the wrong secret is refused, and the log names neither that secret nor the code", async () => {
    const seen = await serve({ clientSecret: "the-wrong-secret-of-this-client" })
    const { person, page } = await signIn()
    recording.keep("wrong secret", { seen, person })
    await expectRefused({ person, page }, { application, seen, why: "unauthorized_client" })
    expectNothingSecretLogged(seen, "the-wrong-secret")
  })
})

describe("the id_token", () => {
  it.each(["RS256", "PS256", "ES256", "ES384"])("may be signed with %s", async (alg) => {
    const seen = await serve({}, { sign_kid: alg })
    const { person, page } = await signIn()
    recording.keep(`id_token with ${alg}`, { seen, person })
    await expectSignedIn({ person, page }, seen)
    expect(headerOf(callsOf(seen, "/token")[0]?.text)).toMatchObject({ alg })
  })

  it("signed with EdDSA is refused: Glewlwyd hashes the access token with another hash than that of the signature", async () => {
    const seen = await serve({}, { sign_kid: "EdDSA" })
    const { person, page } = await signIn()
    recording.keep("id_token with EdDSA", { seen, person })
    await expectRefused({ person, page }, { application, seen, why: "(at_hash)" })
  })

  it("may be signed with a key that is made after the key set was fetched: the set is fetched once more", async () => {
    const seen = await serve()
    await expectSignedIn(await signIn(), seen)
    expect(callsOf(seen, "/jwks")).toHaveLength(1)
    await glewlwyd.rotate()
    await expectSignedIn(await signIn(), seen)
    await expectSignedIn(await signIn(), seen)
    expect(callsOf(seen, "/jwks")).toHaveLength(2)
    const [before, after, last] = callsOf(seen, "/token").map(({ text }) => headerOf(text).kid)
    expect(after).toMatch(/^made-later/)
    expect(last).toBe(after)
    expect(before).not.toBe(after)
  })
})

describe("the profile", () => {
  it("may be read from the userinfo endpoint", async () => {
    const options = { idToken: false }
    const seen = await serve(options)
    const { person, page } = await signIn()
    recording.keep("userinfo", { seen, person, options })
    await expectSignedIn({ person, page }, seen)
    expect(callsOf(seen, "/userinfo")[0]?.type).toBe("application/json")
  })
})

describe("somebody", () => {
  it("who is disabled after the code was made is still signed in, and then no more", async () => {
    const seen = await serve()
    const person = newPerson()
    const hold = new URL(application.origin).host
    const held = await glewlwyd.agree(person, await person.begin(application), { client, hold })
    const kept = await glewlwyd.admin<object>("GET", "/user/grace")
    await glewlwyd.admin("PUT", "/user/grace", { ...kept, enabled: false })
    try {
      const page = await person.open(held.url)
      await expectSignedIn({ person, page }, seen)
      expect((await signIn()).page.status).toBe(401)
    } finally {
      await glewlwyd.admin("PUT", "/user/grace", { ...kept, enabled: true })
    }
  })

  it("whose answer names another issuer is refused before the code is sent", async () => {
    const seen = await serve()
    const person = newPerson()
    const hold = new URL(application.origin).host
    const held = await glewlwyd.agree(person, await person.begin(application), { client, hold })
    held.url.searchParams.set("iss", "http://127.0.0.1:1/api/oidc")
    const page = await person.open(held.url)
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(callsOf(seen, "/token")).toEqual([])
  })
})

describe("a restart", () => {
  it("changes nothing for the next sign-in, which fetches neither the document nor the keys", async () => {
    const seen = await serve()
    await expectSignedIn(await signIn(), seen)
    const before = seen.calls.length
    await glewlwyd.restart()
    await expectSignedIn(await signIn(), seen)
    expect(seen.calls.slice(before).map(({ url }) => url.split("/").at(-1))).toEqual(["token"])
  })
})
