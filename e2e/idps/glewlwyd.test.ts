/** Signing in through a real Glewlwyd. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Application, openApplication, type Seen } from "./support/application.js"
import { type Client, type Glewlwyd, startGlewlwyd } from "./support/glewlwyd.js"
import { newPerson, type Page, type Person } from "./support/person.js"
import { openRecording, type Recording } from "./support/recording.js"

let glewlwyd: Glewlwyd
let application: Application
let client: Client
let recording: Recording

beforeAll(async () => {
  glewlwyd = await startGlewlwyd()
  application = await openApplication()
  const provider = `Glewlwyd ${glewlwyd.version}`
  recording = openRecording("glewlwyd", { provider, issuer: glewlwyd.issuer })
  console.log(provider)
})

afterAll(async () => {
  await application?.close()
  await glewlwyd?.stop()
  recording?.write()
})

/** Registers a client and serves an application that uses it. */
async function serve(provider: object = {}, over: Readonly<Record<string, unknown>> = {}): Promise<Seen> {
  client = await glewlwyd.addClient(application.callback, over)
  const authorization = { params: { scope: "openid" } }
  return application.serve({ issuer: glewlwyd.issuer, ...client, authorization, ...provider })
}

async function signIn(person: Person = newPerson()): Promise<{ person: Person; page: Page }> {
  const asked = await person.begin(application)
  const isAsked = asked.url.pathname === "/login.html"
  return { person, page: isAsked ? await glewlwyd.agree(person, asked, { client }) : asked }
}

async function expectSignedIn({ person, page }: { person: Person; page: Page }, { errors }: Seen): Promise<void> {
  expect(errors).toEqual([])
  expect(page.url.href).toBe(`${application.origin}/home`)
  expect((await person.session(application))?.user).toMatchObject({ name: "Grace Hopper", email: "grace@example.com" })
}

const callsOf = ({ calls }: Seen, ending: string): Seen["calls"] => calls.filter(({ url }) => url.endsWith(ending))

function headerOf(answer: string | undefined): { alg?: string; kid?: string } {
  const { id_token } = JSON.parse(answer ?? "{}") as { id_token: string }
  return JSON.parse(atob(id_token.split(".")[0] ?? "")) as { alg?: string; kid?: string }
}

describe("the request", () => {
  it("carries PKCE, state and nonce, and the answer names an issuer that the metadata does not announce", async () => {
    const seen = await serve()
    const { person, page } = await signIn()
    recording.keep("code flow", { seen, person })
    await expectSignedIn({ person, page }, seen)
    const asked = person.way.find(({ pathname }) => pathname === "/api/oidc/auth")?.searchParams
    expect(asked?.get("code_challenge_method")).toBe("S256")
    for (const name of ["code_challenge", "state", "nonce"]) expect(asked?.get(name)?.length).toBeGreaterThan(40)
    const answered = person.way.find(({ pathname }) => pathname.endsWith("/callback/idp"))?.searchParams
    expect(answered?.get("iss")).toBe(glewlwyd.issuer)
    const [document] = callsOf(seen, "/openid-configuration")
    expect(document?.text).not.toContain("authorization_response_iss_parameter_supported")
  })

  it("for the answer as a form is refused: Glewlwyd encodes the issuer once too often", async () => {
    const options = { authorization: { params: { scope: "openid", response_mode: "form_post" } } }
    const seen = await serve(options)
    const { person, page } = await signIn()
    recording.keep("form_post", { seen, person, options })
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(seen.errors.join()).toContain('"iss"')
    expect(callsOf(seen, "/token")).toEqual([])
    expect(await person.session(application)).toBeNull()
  })

  it("without PKCE, which the provider requires, comes back as a refusal", async () => {
    const options = { checks: ["state", "nonce"] }
    const seen = await serve(options)
    const { person, page } = await signIn()
    recording.keep("without PKCE", { seen, person, options })
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(seen.errors.join()).toContain("invalid_request")
  })

  it("for a silent sign-in of somebody who is not signed in comes back as a refusal", async () => {
    const seen = await serve({ authorization: { params: { scope: "openid", prompt: "none" } } })
    const { person, page } = await signIn()
    recording.keep("silent sign-in", { seen, person })
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(seen.errors.join()).toContain("interaction_required")
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
    const [{ sent } = { sent: undefined }] = callsOf(seen, "/token")
    expect({
      basic: sent?.headers.get("authorization")?.startsWith("Basic ") ?? false,
      secret: sent?.body.has("client_secret"),
      assertion: sent?.body.has("client_assertion"),
    }).toEqual({
      basic: method === "client_secret_basic",
      secret: method === "client_secret_post",
      assertion: method === "client_secret_jwt",
    })
  })

  it.each([
    ["ES256", { name: "ECDSA", namedCurve: "P-256" }],
    ["PS256", { name: "RSA-PSS", hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }],
    ["EdDSA", { name: "Ed25519" }],
  ])("authenticates by private_key_jwt with a key for %s", async (alg, algorithm) => {
    const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair
    const jwk = { ...(await crypto.subtle.exportKey("jwk", pair.publicKey)), kid: "ours", alg, use: "sig" }
    const seen = await serve(
      {
        client: { token_endpoint_auth_method: "private_key_jwt" },
        token: {
          clientPrivateKey: { key: pair.privateKey, kid: "ours" },
          assertionAudience: `${glewlwyd.issuer}/token`,
        },
      },
      {
        token_endpoint_auth_method: ["private_key_jwt"],
        token_endpoint_signing_alg: alg,
        jwks: { keys: [jwk] },
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
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(seen.errors.join()).toContain("the token endpoint answered with status 403 and no error code")
  })

  it("with the wrong secret is refused, and the log names neither that secret nor the code", async () => {
    const seen = await serve({ clientSecret: "the-wrong-secret-of-this-client" })
    const { person, page } = await signIn()
    recording.keep("wrong secret", { seen, person })
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(seen.errors.join()).toContain("unauthorized_client")
    const code = callsOf(seen, "/token")[0]?.sent.body.get("code") ?? ""
    expect(code.length).toBeGreaterThan(20)
    for (const secret of ["the-wrong-secret", code]) expect(seen.errors.join()).not.toContain(secret)
    expect(await person.session(application)).toBeNull()
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
    expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
    expect(seen.errors.join()).toContain("(at_hash)")
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
