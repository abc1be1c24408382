import { describe, expect, it } from "vitest"
import { createCaches } from "./caches.js"
import { resolveSettings } from "./resolve.js"

describe("a", () => {
  it("b", () => {
    const s = resolveSettings(
      {
        secret: "x".repeat(32),
        providers: [
          {
            id: "gh",
            name: "GH",
            type: "oauth",
            clientId: "a",
            clientSecret: "b",
            authorization: "https://a.test/auth",
            token: "https://a.test/t",
            userinfo: "https://a.test/u",
          },
        ],
      },
      { env: {}, caches: createCaches() },
    )
    console.log(s.problems, s.warnings, s.providers, s.cookies.secure, s.hostTrust, s.strategy)
  })
})
