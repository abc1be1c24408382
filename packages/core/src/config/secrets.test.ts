import { describe, expect, it } from "vitest"
import { createCaches } from "./caches.js"
import { resolveSettings } from "./resolve.js"

const good = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
const production = { NODE_ENV: "production" }

const judge = (secret: string | string[], env: Record<string, string> = {}, jwt?: { secret: string }) => {
  const { problems, warnings } = resolveSettings(
    { providers: [], secret, ...(jwt && { jwt }) },
    { env, caches: createCaches() },
  )
  return { problems: problems.map(({ message }) => message), warnings }
}

describe("a secret", () => {
  it.each(["secret", "fifteen-charact", "your-secret-here", "a secret of at least 32 characters", "x".repeat(40)])(
    "that can be guessed is refused in production: %s",
    (secret) => {
      const { problems } = judge(secret, production)
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(/^Weak secret: "secret": expected a random text of at least 32 characters/)
      expect(problems[0]).toMatch(/received a string of \d+ characters\. Set "secret", or AUTH_SECRET/)
      expect(judge(secret, { NODE_ENV: "development" }).problems).toEqual([])
    },
  )

  it("that can be guessed is refused in a list and for tokens as well", () => {
    expect(judge([good, "changeme"], production).problems).toHaveLength(1)
    expect(judge(good, production, { secret: "secret" }).problems[0]).toContain('"jwt.secret"')
  })

  it("of sixteen characters works in production, with a warning", () => {
    expect(judge("sixteen-charactr", production)).toEqual({ problems: [], warnings: ["secret-too-short"] })
  })

  it("of 32 random characters is right", () => {
    expect(judge(good, production)).toEqual({ problems: [], warnings: [] })
  })
})
