import { describe, expect, it } from "vitest"
import { createCaches } from "./caches.js"
import { resolveSettings } from "./resolve.js"

const judge = (config: object) => {
  const settings = resolveSettings(
    { secret: "0f1e2d3c4b5a69788796a5b4c3d2e1f0", providers: [], ...config },
    { env: {}, caches: createCaches() },
  )
  return { warnings: settings.warnings, detail: settings.warningDetails["unknown-option"] }
}

describe("an option that is not known", () => {
  it.each([
    [{ provders: [] }, '"provders" (did you mean "providers"?).'],
    [{ session: { maxage: 60 } }, '"session.maxage" (did you mean "session.maxAge"?).'],
    [{ callbacks: { singIn: () => true } }, '"callbacks.singIn" (did you mean "callbacks.signIn"?).'],
    [{ trusthost: true }, '"trusthost" (did you mean "trustHost"?).'],
    [{ somethingElse: 1 }, '"somethingElse".'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, '"a", "b", "c", "d", "e", and 1 more.'],
  ])("is a warning with the nearest name: %j", (config, detail) => {
    expect(judge(config)).toEqual({ warnings: ["unknown-option"], detail })
  })

  it.each([{ callbacks: { authorized: () => true } }, { prefix: "/api/auth" }])(
    "is no warning where a framework of Auth.js reads it: %j",
    (config) => {
      expect(judge(config).warnings).toEqual([])
    },
  )

  it("is no warning where all are known", () => {
    const adapter = { getUser: async () => null }
    const config = { adapter, session: { maxAge: 60, verifyUser: true }, pages: { newUser: "/new" }, callbacks: {} }
    expect(judge(config).warnings).toEqual([])
  })
})
