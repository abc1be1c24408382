/** Apple: a secret that is signed anew, a callback that is posted, a name that comes once. */
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose"
import { describe, expect, it } from "vitest"
import { openDesk } from "../../test/support/oauth-desk.js"
import { json, makeOpKey, signWith } from "../../test/support/op.js"
import { customFetch } from "../config/markers.js"
import { Apple, type AppleUserConfig } from "./apple.js"

const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
const pem = await exportPKCS8(privateKey)
const key = await makeOpKey("apple")
const now = new Date("2027-03-03")

async function signIn({
  config = {},
  user,
  claims = {},
}: {
  config?: AppleUserConfig
  user?: string
  claims?: object
} = {}) {
  const requests: { url: string; body: URLSearchParams }[] = []
  let nonce: string | null = null
  const iat = now.getTime() / 1000
  const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    requests.push({ url: String(input), body: new URLSearchParams(String(init?.body ?? "")) })
    if (String(input).endsWith("/keys")) return json({ keys: [key.jwk] })
    const token = { iss: "https://appleid.apple.com", aud: "web", sub: "001.a", iat, exp: iat + 600, nonce }
    const id_token = await signWith(key, { ...token, email: "l@a.test", email_verified: "true", ...claims })
    return json({ access_token: "a", token_type: "Bearer", expires_in: 3600, id_token })
  }
  const clientSecret = { teamId: "TEAM", keyId: "KEY", privateKey: pem }
  const given = { clientId: "web", clientSecret, ...config, [customFetch]: fetch } as AppleUserConfig
  const desk = openDesk(Apple(given), { now })
  const departure = await desk.begin()
  nonce = departure.url.searchParams.get("nonce")
  const state = departure.url.searchParams.get("state") ?? ""
  const fields = new URLSearchParams({ code: "c", state, ...(user !== undefined && { user }) })
  const proof = await desk.finish(`/auth/callback/apple?${fields}`, true)
  return { proof, departure, requests }
}

describe("Apple", () => {
  it("is asked for a posted answer, with cookies that survive it", { tags: ["threat:C1-47"] }, async () => {
    const { url, cookies } = (await signIn()).departure
    expect(url.origin + url.pathname).toBe("https://appleid.apple.com/auth/authorize")
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: "name email",
      response_mode: "form_post",
      nonce: expect.any(String),
    })
    expect(url.searchParams.has("code_challenge")).toBe(false)
    expect(cookies.every((change) => "value" in change && change.crossSite === true)).toBe(true)
  })

  it("gets a secret that is signed for this exchange", async () => {
    const { requests } = await signIn()
    const [{ url, body } = { url: "", body: new URLSearchParams() }] = requests
    expect([url, body.get("client_id")]).toEqual(["https://appleid.apple.com/auth/token", "web"])
    const { payload, protectedHeader } = await jwtVerify(body.get("client_secret") ?? "", publicKey, {
      currentDate: now,
    })
    const iat = now.getTime() / 1000
    expect(protectedHeader).toEqual({ alg: "ES256", kid: "KEY" })
    expect(payload).toEqual({ iss: "TEAM", sub: "web", aud: "https://appleid.apple.com", iat, exp: iat + 300 })
  })

  it("gets a secret that was signed elsewhere as it is", async () => {
    const { requests } = await signIn({ config: { clientSecret: "ready.made.jwt" } })
    expect(requests[0]?.body.get("client_secret")).toBe("ready.made.jwt")
  })

  it("passes the name with the first consent, and ignores the rest of that field", {
    tags: ["threat:A-137"],
  }, async () => {
    const user = JSON.stringify({ name: { firstName: "Lena", lastName: "Ortiz" }, email: "victim@app.test", sub: "x" })
    const { proof } = await signIn({ user })
    expect(proof.user).toMatchObject({ name: "Lena Ortiz", email: "l@a.test" })
    expect(proof.profile?.["user"]).toEqual({ name: { firstName: "Lena", lastName: "Ortiz" } })
    expect([proof.account.providerAccountId, proof.emailStatus]).toEqual(["001.a", "verified"])
  })

  it.each([
    undefined,
    "",
    "no json",
    "null",
    "[]",
    '"x"',
    '{"email":"x@y.test"}',
    '{"name":null}',
    '{"name":{"firstName":5}}',
  ])("signs people in whose name field is %j", async (user) => {
    expect((await signIn(user === undefined ? {} : { user })).proof.user.name).toBe("l@a.test")
  })

  it("says of an address whether it is proven, as text or not", { tags: ["threat:C1-28"] }, async () => {
    expect((await signIn({ claims: { email_verified: "false" } })).proof.emailStatus).toBe("unverified")
    expect((await signIn({ claims: { email_verified: true } })).proof.emailStatus).toBe("verified")
  })
})
