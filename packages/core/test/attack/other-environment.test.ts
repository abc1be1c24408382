/** A framework fills the configuration from an environment that is not that of the process, as on Workers. */
import { describe, expect, it } from "vitest"
import { Auth, setEnvDefaults } from "../../src/index.js"
import type { AuthConfig } from "../../src/types/config.js"
import { oidc } from "../support/resolve-providers.js"

const given = { AUTH_SECRET: "a secret of the tests that is long enough", NODE_ENV: "production" }

function filled(env: Record<string, string>): AuthConfig {
  const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  const config: AuthConfig = { providers: [oidc as never], logger }
  setEnvDefaults({ ...given, ...env }, config)
  return config
}

/** What the service says of its own addresses at a request for another host. */
async function addressesAt(config: AuthConfig): Promise<{ status: number; text: string }> {
  const response = await Auth(new Request("https://evil.test/auth/providers"), config)
  return { status: response.status, text: await response.text() }
}

describe("an environment that is not that of the process", { tags: ["threat:HO-33"] }, () => {
  it("fixes the address of the application by its AUTH_URL, whatever host a request names", async () => {
    const config = filled({ AUTH_URL: "https://app.test" })
    for (const handed of [config, { ...config }]) {
      const { status, text } = await addressesAt(handed)
      expect(status).toBe(200)
      expect(text).toContain("https://app.test/auth/callback/acme")
      expect(text).not.toContain("evil.test")
    }
    setEnvDefaults({ ...given, AUTH_URL: "https://moved.test" }, config)
    expect((await addressesAt(config)).text).toContain("https://moved.test/auth/callback/acme")
  })

  it("refuses every request where its AUTH_URL is no address", async () => {
    expect((await addressesAt(filled({ AUTH_URL: "app.test" }))).status).toBe(500)
  })

  it("refuses a host that nothing in it trusts", async () => {
    expect((await addressesAt(filled({}))).status).toBe(500)
  })
})
