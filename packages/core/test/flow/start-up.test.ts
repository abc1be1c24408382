/** A developer reads what is wrong when the service is made, not when the first person clicks. */
import { expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import type { AuthConfig } from "../../src/types/config.js"

const secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

function logged(): { config: AuthConfig; lines: string[] } {
  const lines: string[] = []
  const logger = {
    error: (error: Error) => void lines.push(error.name),
    warn: (code: string) => void lines.push(code),
  }
  return { config: { providers: [], trustHost: true, logger }, lines }
}

it("all problems and warnings are logged when the service is made, and not again for the same configuration", () => {
  const { config, lines } = logged()
  const broken = { ...config, secret: "", session: { maxAge: -1 }, provders: [] }
  createAuth(broken, { env: {} })
  expect(lines).toEqual(["unknown-option", "MissingSecret", "InvalidConfiguration"])
  createAuth(broken, { env: {} })
  createAuth({ ...broken }, { env: {} })
  expect(lines).toHaveLength(3)
})

it("nothing is logged for a configuration that is right", () => {
  const { config, lines } = logged()
  createAuth({ ...config, secret }, { env: {} })
  expect(lines).toEqual([])
})

it("nothing is logged while a framework builds the application, without its secrets", () => {
  const { config, lines } = logged()
  createAuth(config, { env: { NEXT_PHASE: "phase-production-build" } })
  expect(lines).toEqual([])
})

it("variables that are loaded after the service was made are used from the first request on", async () => {
  const { config } = logged()
  const env: Record<string, string> = {}
  const auth = createAuth(config, { env })
  env["AUTH_SECRET"] = secret
  expect((await auth.handle(new Request("https://app.test/auth/csrf"))).status).toBe(200)
})

it("a configuration is resolved once, for the report and for requests", async () => {
  const { config } = logged()
  let resolved = 0
  const provider = (): never => {
    resolved += 1
    return { id: "own", type: "credentials", authorize: () => null } as never
  }
  const auth = createAuth({ ...config, secret, providers: [provider] }, { env: {} })
  const once = resolved
  for (const _ of [1, 2]) await auth.handle(new Request("https://app.test/auth/csrf"))
  expect(resolved).toBe(once)
})
