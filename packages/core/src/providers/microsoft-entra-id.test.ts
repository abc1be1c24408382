/** Entra ID: tenants, the issuer they share, the photo, and addresses that prove nothing. */
import { describe, expect, it } from "vitest"
import { openDesk, refusalOf } from "../../test/support/oauth-desk.js"
import { json, makeOpKey, signWith } from "../../test/support/op.js"
import { customFetch } from "../config/markers.js"
import {
  MicrosoftEntraID,
  type MicrosoftEntraIDProfile,
  type MicrosoftEntraIDUserConfig,
} from "./microsoft-entra-id.js"

const key = await makeOpKey("ms")
const host = "https://login.microsoftonline.com"
const tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
const personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
const iat = Math.floor(Date.now() / 1000)

interface Given {
  readonly config?: MicrosoftEntraIDUserConfig
  readonly claims?: Record<string, unknown>
  /** The issuer the discovery document names. */
  readonly named?: string
  readonly photo?: () => Response
}

async function signIn({
  config = {},
  claims = {},
  named = `${host}/{tenantid}/v2.0`,
  photo = () => json({}, 404),
}: Given = {}) {
  const calls: string[] = []
  const token = {
    iss: `${host}/${tenant}/v2.0`,
    aud: "c",
    sub: "s",
    tid: tenant,
    iat,
    exp: iat + 600,
    name: "Noah",
    email: "n@corp.test",
  }
  const fetch = async (input: unknown): Promise<Response> => {
    const url = String(input)
    calls.push(url)
    if (url.includes("openid-configuration")) {
      return json({
        issuer: named,
        authorization_endpoint: `${host}/a`,
        token_endpoint: `${host}/t`,
        jwks_uri: `${host}/k`,
      })
    }
    if (url.endsWith("/k")) return json({ keys: [key.jwk] })
    if (url.startsWith("https://graph.microsoft.com/")) return photo()
    const id_token = await signWith(key, { ...token, ...claims })
    return json({ access_token: "at", token_type: "Bearer", expires_in: 3600, id_token })
  }
  const given = { clientId: "c", clientSecret: "s", ...config, [customFetch]: fetch } as MicrosoftEntraIDUserConfig
  const desk = openDesk(MicrosoftEntraID(given))
  const { url } = await desk.begin()
  const back = `${url.searchParams.get("redirect_uri")}?code=x&state=${url.searchParams.get("state")}`
  return { proof: await desk.finish(back), calls, url }
}

describe("tenants", () => {
  const issuer = (name: string): string => `${host}/${name}/v2.0`
  const of = (tid: string): Record<string, unknown> => ({ tid, iss: issuer(tid) })

  it.each<{ what: string; accepted: boolean } & Given>([
    { what: "everybody: a company", accepted: true },
    { what: "everybody: a person", claims: of(personal), accepted: true },
    { what: "companies: a company", config: { issuer: issuer("organizations") }, accepted: true },
    { what: "companies: a person", config: { issuer: issuer("organizations") }, claims: of(personal), accepted: false },
    {
      what: "persons: a person",
      config: { issuer: issuer("consumers") },
      named: issuer(personal),
      claims: of(personal),
      accepted: true,
    },
    { what: "persons: a company", config: { issuer: issuer("consumers") }, named: issuer(personal), accepted: false },
    { what: "one company: that company", config: { issuer: issuer(tenant) }, named: issuer(tenant), accepted: true },
    {
      what: "one company: another",
      config: { issuer: issuer(tenant) },
      named: issuer(tenant),
      claims: of(personal),
      accepted: false,
    },
    { what: "a tenant that is not the token's", claims: { tid: personal }, accepted: false },
    { what: "a tenant that is none [U-28]", claims: { tid: "../common", iss: issuer("../common") }, accepted: false },
    { what: "no tenant", claims: { tid: undefined }, accepted: false },
    { what: "a document of another issuer", named: "https://evil.test/{tenantid}/v2.0", accepted: false },
  ])("$what: $accepted", { tags: ["threat:A-058", "threat:A-083"] }, async ({ accepted, ...given }) => {
    expect(
      await signIn(given).then(
        () => true,
        () => false,
      ),
    ).toBe(accepted)
  })

  it("are found under the address of the configuration", async () => {
    const { calls } = await signIn({ config: { issuer: issuer("organizations") } })
    expect(calls[0]).toBe(`${host}/organizations/v2.0/.well-known/openid-configuration`)
  })
})

describe("the photo", () => {
  it("becomes a data address of the wanted size", async () => {
    const photo = (): Response => new Response(new Uint8Array([255, 216, 255]))
    const { proof, calls } = await signIn({ config: { profilePhotoSize: 96 }, photo })
    expect(proof.user.image).toBe("data:image/jpeg;base64,/9j/")
    expect(calls.at(-1)).toBe("https://graph.microsoft.com/v1.0/me/photos/96x96/$value")
  })

  it.each([
    ["there is none", () => json({}, 404)],
    ["it is too large", () => new Response(new Uint8Array(2 ** 21))],
    [
      "Graph is down",
      () => {
        throw new TypeError("down")
      },
    ],
  ])("is left out when %s", async (_, photo) => {
    expect((await signIn({ photo })).proof.user).toMatchObject({ image: null, name: "Noah", email: "n@corp.test" })
  })

  it("is left out when the mapping is called without a fetch", async () => {
    const user = await MicrosoftEntraID().profile?.({ sub: "s" } as MicrosoftEntraIDProfile, {})
    expect(user?.image).toBeNull()
  })
})

describe("the address", () => {
  it.each<[string, Given, string]>([
    ["of any tenant", {}, "unverified"],
    ["of a person", { claims: { tid: personal, iss: `${host}/${personal}/v2.0` } }, "unstated"],
    [
      "of the one tenant that is served",
      { config: { issuer: `${host}/${tenant}/v2.0` }, named: `${host}/${tenant}/v2.0` },
      "unstated",
    ],
    ["of a domain whose owner is known", { claims: { xms_edov: true } }, "verified"],
    ["of a domain whose owner is known, as text", { claims: { xms_edov: "1" } }, "verified"],
    ["of a domain whose owner is unknown", { claims: { xms_edov: false } }, "unverified"],
    ["that is vouched for", { claims: { verified_primary_email: ["N@corp.test"] } }, "verified"],
    ["beside one that is vouched for", { claims: { verified_secondary_email: ["other@corp.test"] } }, "unverified"],
  ])("%s is %s", async (_, given, status) => {
    expect((await signIn(given)).proof.emailStatus).toBe(status)
  })
})

describe("options", () => {
  it("are the caller's own object, unchanged", async () => {
    const config = Object.freeze({ clientId: "c", clientSecret: "s" })
    expect(MicrosoftEntraID(config).issuer).toBe(`${host}/common/v2.0`)
  })

  it("without an address are refused before any redirect", async () => {
    expect((await refusalOf(signIn({ config: { issuer: tenant } }))).message).toContain("issuer")
  })
})
