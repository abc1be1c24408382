/** Every provider file against the shape rules, and every provider of OAuth against the profiles recorded for it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { createCaches } from "../../src/config/caches.js"
import { resolveSettings } from "../../src/config/resolve.js"
import type { ResolvedOAuthProvider } from "../../src/config/settings.js"
import { providerIds } from "../../src/providers/ids.js"
import type { Profile, User } from "../../src/types/identity.js"
import type { OAuthConfig, ProviderConfig } from "../../src/types/provider.js"

const folder = new URL("../../src/providers/", import.meta.url)
const profiles = new URL("./profiles/", import.meta.url)
/** Files of the folder that are no providers, and one that is a second path to another. */
const others = new Set(["define", "ids", "index", "oauth", "ory-hydra"])

type Make = (options?: object) => ProviderConfig
const load = async (id: string): Promise<Record<string, unknown> & { default: Make }> =>
  import(`../../src/providers/${id}.ts`)
/** What single providers cannot be made without. */
const needed = { server: "smtp://127.0.0.1:25", authorize: () => null, accountID: "1" }

const made = await Promise.all(providerIds.map(async (id) => ({ id, module: await load(id) })))
const configs = made.map(({ id, module }) => ({ id, module, config: module.default({ ...needed }) }))
const isOAuth = ({ config }: { config: ProviderConfig }): boolean => config.type === "oauth" || config.type === "oidc"
const oauths = configs.filter(isOAuth) as unknown as {
  id: string
  module: { default: Make }
  config: OAuthConfig<Profile>
}[]

function resolved(provider: ProviderConfig): ResolvedOAuthProvider {
  const settings = resolveSettings(
    { providers: [provider], secret: "s".repeat(32) },
    { env: {}, caches: createCaches() },
  )
  if (!("discontinued" in provider)) expect(settings.problems).toEqual([])
  return [...settings.providers.values()][0] as ResolvedOAuthProvider
}

describe("the provider files", () => {
  it("are the ids, and the ids are the files", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.includes(".test."))
    const found = files.map((file) => file.slice(0, -3)).filter((name) => !others.has(name))
    expect([...providerIds]).toEqual(found.sort())
  })

  it.each(configs)(
    "$id is named like its file and exported twice [spec provider id] [spec provider name] [spec provider type]",
    ({ id, module, config }) => {
      expect([config.id, id]).toEqual([id, expect.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/)])
      expect(config.name).toMatch(/\S/)
      expect(["oauth", "oidc", "email", "credentials", "webauthn"]).toContain(config.type)
      const named = Object.entries(module).filter(([name, value]) => name !== "default" && value === module.default)
      expect(named, "the default export under a name of its own").toHaveLength(1)
    },
  )

  it.each(configs)("$id does not modify its options", ({ module }) => {
    const options = Object.freeze({ ...needed })
    expect(() => module.default(options)).not.toThrow()
  })
})

describe("providers of OAuth", () => {
  it.each(oauths)("$id is made without options, and talks over https alone", ({ module }) => {
    const config = module.default() as OAuthConfig<Profile>
    const addresses = [
      config.issuer,
      config.jwks_endpoint,
      config.wellKnown,
      ...[config.authorization, config.token, config.userinfo].map((endpoint) =>
        typeof endpoint === "string" ? endpoint : endpoint?.url,
      ),
    ]
    for (const address of addresses) {
      if (address !== undefined) expect(String(address)).toMatch(/^(?:https:\/\/|\{issuer\}\/)/)
    }
  })

  it.each(oauths)("$id resolves with its options laid over it [spec provider style]", ({ module, id }) => {
    const where = (module.default() as OAuthConfig<Profile>).issuer === undefined && { issuer: "https://op.test" }
    const own = { ...where, ...(id === "netsuite" && { accountID: "1", userinfo: "https://op.test/person" }) }
    const options = { ...own, clientId: "c", clientSecret: "s", name: "Other", checks: ["state"] }
    const provider = resolved(module.default(options))
    expect(provider).toMatchObject({ id, name: "Other", clientId: "c", clientSecret: "s", checks: ["state"] })
    expect(provider.config.style?.brandColor).toMatch(/^#[0-9a-f]{6}$/)
  })

  it.each(oauths)("$id says where it is documented, and when it was checked", ({ config }) => {
    expect(config.docs).toMatch(/^https:\/\//)
    expect(new Date(String(config.checked)).toISOString().slice(0, 10)).toBe(config.checked)
  })

  const cases = oauths.flatMap(({ id, config }) => {
    // The others are mapped in the whole catalogue's own test.
    if (!existsSync(new URL(`${id}.json`, profiles))) return []
    const recorded = JSON.parse(readFileSync(new URL(`${id}.json`, profiles), "utf8")) as {
      profile: Profile
      user: User
    }[]
    return recorded.map((one, index) => ({ id, index, config, ...one }))
  })
  it.each(cases)("$id maps its recorded profile $index", async ({ config, profile, user }) => {
    const { profile: map } = resolved({ ...config, issuer: config.issuer ?? "https://op.test" } as ProviderConfig)
    expect(await map(profile, {})).toMatchObject(user)
  })

  it.each(oauths)("$id maps any profile, or none, without an exception", async ({ config }) => {
    const where = { issuer: config.issuer ?? "https://op.test", userinfo: config.userinfo ?? "https://op.test/person" }
    const { profile: map } = resolved({ ...config, ...where } as ProviderConfig)
    for (const profile of [{}, { id: null, email: 5, name: {}, user: "x", avatar: null }]) {
      await expect((async () => map(profile as never, {}))()).resolves.toBeTypeOf("object")
    }
  })
})
