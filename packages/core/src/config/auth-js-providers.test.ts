/** Every provider object of Auth.js resolves unchanged. */
import { readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { createCaches } from "./caches.js"
import { resolveSettings } from "./resolve.js"
import type { ResolvedOAuthProvider } from "./settings.js"

const folder = dirname(createRequire(import.meta.url).resolve("@auth/core/providers/github"))
const others = [
  "credentials",
  "nodemailer",
  "provider-types",
  "oauth-types",
  "webauthn",
  "passkey",
  "index",
  "email",
  "oauth",
]
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.slice(0, -3))
  .filter((id) => !others.includes(id))

const dummy = {
  clientId: "client",
  clientSecret: "secret",
  issuer: "https://op.test",
  apiKey: "key",
  from: "app@app.test",
  // What single providers ask for beside.
  tenantId: "tenant",
  primaryUserFlow: "flow",
  domain: "op.test",
  baseUrl: "https://op.test",
  authorizationServer: "https://op.test",
  appId: "app",
  platformType: "WebsiteApp",
  enterprise: {},
}

async function make(file: string, options: object): Promise<{ id: string; type: string; issuer?: string }> {
  const module = (await import(pathToFileURL(join(folder, `${file}.js`)).href)) as {
    default: (options: object) => { id: string; type: string }
  }
  return module.default({ ...options })
}

const settingsOf = (provider: unknown) =>
  resolveSettings(
    { secret: "s".repeat(32), providers: [provider as never], adapter: {} },
    { env: {}, caches: createCaches() },
  )

describe("provider objects of Auth.js", () => {
  it("are many", () => {
    expect(files.length).toBeGreaterThan(80)
  })

  it.each(files)("resolves %s without a problem", async (file) => {
    const made = await make(file, dummy)
    const settings = settingsOf(made)
    expect(settings.problems).toEqual([])
    const provider = settings.providers.get(made.id)
    expect(provider?.type).toBe(made.type)
    if (made.type !== "oauth" && made.type !== "oidc") return
    const { authorization, token, wellKnown, clientId, checks } = provider as ResolvedOAuthProvider
    expect(clientId).toBe("client")
    expect(wellKnown !== undefined || (authorization !== undefined && token !== undefined)).toBe(true)
    expect(checks).not.toContain("none")
  })
})
