/** Client authentication at the token endpoint, and client secrets that are assertions. */
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose"
import { describe, expect, it } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../../test/support/oauth-desk.js"
import { json, openOp } from "../../../test/support/op.js"
import { signAssertion } from "./client.js"

const claimsOf = (assertion: string | null | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(assertion?.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>

describe("client authentication", () => {
  const authenticate = async (over: object) => {
    const op = await openOp({ clientId: "cli:ent", clientSecret: "s e+c%r:ët".padEnd(40, "x") })
    await signIn(openDesk(oidcAt(op, over)), op)
    const [call] = op.callsOf("token")
    return { headers: call?.headers, body: call?.body, op }
  }

  it("is HTTP Basic with both parts form-encoded by default [spec provider clientSecret]", {
    tags: ["threat:C1-07", "threat:CB-14", "threat:M8-16"],
  }, async () => {
    const { headers, body } = await authenticate({})
    const sent = Buffer.from(headers?.get("authorization")?.replace("Basic ", "") ?? "", "base64").toString()
    expect(sent).toBe(`cli%3Aent:s+e%2Bc%25r%3A%C3%ABt${"x".repeat(30)}`)
    expect(body?.has("client_secret")).toBe(false)
  })

  it("is in the body with client_secret_post [spec provider client]", async () => {
    const { headers, body } = await authenticate({ client: { token_endpoint_auth_method: "client_secret_post" } })
    expect(headers?.has("authorization")).toBe(false)
    expect([body?.get("client_id"), body?.get("client_secret")?.slice(0, 10)]).toEqual(["cli:ent", "s e+c%r:ët"])
  })

  it("is only the client id with none", async () => {
    const { headers, body } = await authenticate({ client: { token_endpoint_auth_method: "none" } })
    expect([headers?.has("authorization"), body?.get("client_id"), body?.has("client_secret")]).toEqual([
      false,
      "cli:ent",
      false,
    ])
  })

  it("is a certificate's with tls_client_auth", async () => {
    const { body } = await authenticate({ client: { token_endpoint_auth_method: "tls_client_auth" } })
    expect(body?.get("client_id")).toBe("cli:ent")
  })

  it.each(["client_secret_jwt", "private_key_jwt"])(
    "is a fresh short-lived assertion with %s",
    { tags: ["threat:B9-13", "threat:A-091"] },
    async (method) => {
      const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, [
        "sign",
        "verify",
      ])
      const over = {
        client: { token_endpoint_auth_method: method },
        token: { clientPrivateKey: { key: privateKey, kid: "mine" } },
      }
      const now = new Date("2030-01-01")
      const assertions: Record<string, unknown>[] = []
      for (let time = 0; time < 2; time++) {
        const op = await openOp()
        op.now = () => now.getTime() / 1000
        // The key says which algorithm it is, the provider does not.
        op.metadata = { token_endpoint_auth_signing_alg_values_supported: ["none", "RS256"] }
        await signIn(openDesk(oidcAt(op, over), { now }), op)
        const { body, headers } = op.callsOf("token")[0] ?? {}
        expect([headers?.has("authorization"), body?.has("client_secret")]).toEqual([false, false])
        const assertion = body?.get("client_assertion")
        assertions.push(claimsOf(assertion))
        const header = Buffer.from(assertion?.split(".")[0] ?? "", "base64url").toString()
        expect(JSON.parse(header)).toMatchObject(
          method === "private_key_jwt" ? { alg: "ES256", kid: "mine" } : { alg: "HS256" },
        )
      }
      const [first, second] = assertions
      const iat = now.getTime() / 1000
      expect(first).toMatchObject({ iss: "client", sub: "client", iat, nbf: iat, exp: iat + 60 })
      expect(first?.["jti"]).not.toBe(second?.["jti"])
    },
  )

  const assertionOf = async (method: string, over: object, at = oidcAt) => {
    const { privateKey: clientPrivateKey } = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])
    const op = await openOp()
    if ("metadata" in over) op.metadata = over.metadata as Record<string, unknown>
    const token = { ...(at === oauthAt && { url: `${op.issuer}/token` }), clientPrivateKey, ...over }
    const client = { token_endpoint_auth_method: method }
    await signIn(openDesk(at(op, { client, token, ...("issuerOf" in over && over) })), op)
    const assertion = op.callsOf("token")[0]?.body.get("client_assertion")
    const header = Buffer.from(assertion?.split(".")[0] ?? "", "base64url").toString()
    return { ...claimsOf(assertion), ...(JSON.parse(header) as object) } as Record<string, unknown>
  }

  it.each(["client_secret_jwt", "private_key_jwt"])(
    "names the issuer alone with %s: an endpoint could be that of another server",
    { tags: ["threat:A-091"] },
    async (method) => {
      expect((await assertionOf(method, {}))["aud"]).toBe("https://op.test")
    },
  )

  it("names the token endpoint where there is no issuer, or one for each tenant", async () => {
    expect((await assertionOf("private_key_jwt", {}, oauthAt))["aud"]).toBe("https://op.test/token")
    const issuerOf = (): string => "https://op.test"
    expect((await assertionOf("private_key_jwt", { issuerOf }))["aud"]).toBe("https://op.test/token")
  })

  it.each([
    ["EdDSA", ["ES256", "EdDSA"]],
    ["Ed25519", ["EdDSA", "Ed25519"]],
    ["Ed25519", undefined],
  ])("is signed under the name %s where the provider takes %j", async (alg, offered) => {
    const metadata = { token_endpoint_auth_signing_alg_values_supported: offered }
    const assertion = await assertionOf("private_key_jwt", { metadata })
    expect(assertion["alg"]).toBe(alg)
  })

  it("names the audience that the provider wants", async () => {
    const assertionAudience = "https://op.test/token"
    expect((await assertionOf("private_key_jwt", { assertionAudience }))["aud"]).toBe(assertionAudience)
  })

  it("names what the provider takes when it takes something else", { tags: ["threat:M8-16"] }, async () => {
    const op = await openOp()
    op.metadata = { token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post"] }
    op.faults.token = () => json({ error: "invalid_client" }, 401)
    const { message } = await refusalOf(signIn(openDesk(oidcAt(op)), op))
    expect(message).toContain("client_secret_basic, but the provider takes private_key_jwt, client_secret_post")
    op.metadata = { token_endpoint_auth_methods_supported: ["client_secret_basic"] }
    expect((await refusalOf(signIn(openDesk(oidcAt(op)), op))).message).not.toContain("takes")
  })

  it("may make the secret for the time of the request", async () => {
    const op = await openOp({ clientSecret: "made-2026" })
    const clientSecret = (now: Date): string => `made-${now.getUTCFullYear()}`
    const now = new Date("2026-05-05")
    op.now = () => now.getTime() / 1000
    expect((await signIn(openDesk(oidcAt(op, { clientSecret }), { now }), op)).kind).toBe("proof")
  })

  it("takes another client_id from `client`", async () => {
    const op = await openOp({ clientId: "other" })
    const desk = openDesk(oidcAt(op, { clientId: "client", client: { client_id: "other" } }))
    expect((await desk.begin()).url.searchParams.get("client_id")).toBe("other")
    expect((await signIn(desk, op)).kind).toBe("proof")
  })
})

const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
const pem = await exportPKCS8(privateKey)

describe("signing an assertion", () => {
  it.each([
    ["PEM text", pem],
    ["PEM text on one line, as environment variables hold it", pem.replaceAll("\n", "\\n")],
    ["a key of the runtime", privateKey],
  ])("takes %s and contains the given claims, no more", async (_, key) => {
    const claims = { iss: "team", sub: "client", aud: "https://op.test", iat: 1, exp: 2_000_000_000 }
    const token = await signAssertion({ keyId: "KEY", privateKey: key, claims })
    const { payload, protectedHeader } = await jwtVerify(token, publicKey)
    expect([payload, protectedHeader]).toEqual([claims, { alg: "ES256", kid: "KEY" }])
  })

  it.each(["", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])(
    "refuses %j without repeating it",
    async (privateKey) => {
      const work = signAssertion({ keyId: "KEY", privateKey, claims: {} })
      await expect(work).rejects.toMatchObject({
        type: "InvalidConfiguration",
        message: expect.stringContaining("PKCS #8"),
      })
    },
  )
})
