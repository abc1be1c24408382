/** Whose account a profile means, and whether its address is proven, where services say less than it seems. */
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Profile } from "../types/identity.js"
import { AzureAD } from "./azure-ad.js"
import { type BoxyHQSAMLProfile, SAMLJackson } from "./boxyhq-saml.js"
import { MicrosoftEntraID } from "./microsoft-entra-id.js"
import { Nextcloud } from "./nextcloud.js"
import { PayPal } from "./paypal.js"
import { Zoom } from "./zoom.js"

afterEach(() => vi.unstubAllEnvs())

describe("SAML of several tenants", () => {
  const said = (tenant?: string, product = "app"): BoxyHQSAMLProfile =>
    ({ id: "ada", email: "ada@a.test", requested: { tenant, product } }) as BoxyHQSAMLProfile
  const idFor = async (config: object, profile: BoxyHQSAMLProfile): Promise<unknown> =>
    (await SAMLJackson(config).profile?.(profile, {}))?.id

  it("keeps its ids unless tenants are separated", async () => {
    expect(await idFor({}, said("a.test"))).toBe("ada")
  })

  it.each([
    ["another tenant", said("a.test"), said("b.test")],
    ["another product", said("a.test"), said("a.test", "other")],
    ["a tenant that is named like tenant and product", said("a", "b:c"), said("a:b", "c")],
  ])("tells apart what %s says of somebody with the same id", async (_, one, other) => {
    const config = { separateTenants: true }
    expect(await idFor(config, one)).not.toBe(await idFor(config, other))
    expect(await idFor(config, one)).toMatch(/:ada$/)
  })

  it("makes no account where no tenant is named", async () => {
    for (const profile of [said(), { id: "ada" } as BoxyHQSAMLProfile])
      expect(await idFor({ separateTenants: true }, profile)).toBe("")
  })
})

describe("the tenant of Microsoft", () => {
  const issuer = (name: string): string => `https://login.microsoftonline.com/${name}/v2.0`

  it.each([
    ["AUTH_AZURE_AD_ISSUER", (): object => AzureAD({ clientId: "c" })],
    ["AUTH_MICROSOFT_ENTRA_ID_ISSUER", (): object => AzureAD({ clientId: "c" })],
    ["AUTH_WORK_ISSUER", (): object => MicrosoftEntraID({ id: "work", clientId: "c" })],
  ])("is that of %s", (name, make) => {
    vi.stubEnv(name, issuer("contoso"))
    expect(make()).toMatchObject({ issuer: issuer("contoso") })
  })

  it("decides for the second of two providers, whatever the first one's is, what an address proves", () => {
    vi.stubEnv("AUTH_MICROSOFT_ENTRA_ID_ISSUER", issuer("contoso"))
    vi.stubEnv("AUTH_AZURE_AD_ISSUER", issuer("common"))
    const claims = { sub: "s", tid: "72f988bf-86f1-41af-91ab-2d7cd011db47", email: "ada@a.test" } as never
    expect(AzureAD().emailVerified?.(claims)).toBe(false)
    expect(MicrosoftEntraID().emailVerified?.(claims)).toBe("unstated")
  })
})

describe("an address", () => {
  it.each([
    [1, true],
    [0, false],
    [undefined, false],
    ["1", false],
  ])("of Zoom with `verified` %j is proven: %j", (verified, proven) => {
    expect(Zoom().emailVerified?.({ verified } as never)).toBe(proven)
  })

  it.each([
    [{ email: "ada@a.test" }, undefined],
    [{ email: "mine@a.test" }, true],
    [{}, true],
    [{ email: "ada@a.test", email_verified: true }, true],
  ])("of PayPal in %j, beside a list that confirms another, is proven: %j", (said, proven) => {
    const emails = [{ value: "mine@a.test", primary: true, confirmed: true }]
    expect(PayPal().emailVerified?.({ ...said, emails } as never)).toBe(proven)
  })
})

describe("a token response of Nextcloud", () => {
  it.each([{}, { user_id: null }, { user_id: {} }, { user_id: " " }])("that is %j asks for nobody", async (answer) => {
    const fetch = vi.fn(async () => Response.json({ ocs: { data: { id: "undefined" } } }))
    const { userinfo } = Nextcloud({ issuer: "https://cloud.test" })
    const { request } = userinfo as { request: (given: object) => Promise<Profile> }
    const given = { provider: { issuer: "https://cloud.test" }, tokens: { access_token: "a", ...answer }, fetch }
    await expect(request(given)).rejects.toThrow("names no user")
    expect(fetch).not.toHaveBeenCalled()
  })
})
