/** What an application can ask of the object it holds, and what it cannot reach through it. */
import { describe, expect, it } from "vitest"
import { type AuthConfig, createAuth, inspectAuth } from "../../src/index.js"

const secret = "a-secret-of-at-least-32-characters"

describe("the object an application holds", () => {
  it("has its members by name, and no settings", () => {
    const auth = createAuth({ secret, providers: [] }, { env: {} })
    const names = [
      "basePath",
      "cookieNames",
      "handle",
      "isOwn",
      "origin",
      "problems",
      "respond",
      "session",
      "signIn",
      "signOut",
      "update",
    ]
    expect(Object.getOwnPropertyNames(auth).toSorted()).toEqual(names)
    expect({ ...auth }).not.toHaveProperty("settings")
  })

  it("has the base path, and the origin that AUTH_URL fixes", () => {
    const fixed = createAuth({ secret, providers: [] }, { env: { AUTH_URL: "https://app.test/login" } })
    expect([fixed.basePath, fixed.origin]).toEqual(["/login", "https://app.test"])
    const open = createAuth({ secret, providers: [], basePath: "/" }, { env: {} })
    expect([open.basePath, open.origin]).toEqual(["", undefined])
    expect([open.isOwn("/signin"), fixed.isOwn("/signin"), fixed.isOwn("/login/signin")]).toEqual([true, false, true])
  })

  it("has the names of its cookies, on http and on https", () => {
    const cookies = { sessionToken: { name: "own" } }
    const { cookieNames } = createAuth({ secret, providers: [], cookies }, { env: {} })
    expect(cookieNames.filter((name) => name === "own")).toHaveLength(2)
    expect(cookieNames).toEqual(
      expect.arrayContaining(["authjs.state", "__Secure-authjs.state", "__Host-authjs.csrf-token"]),
    )
    expect(cookieNames).not.toContain("authjs.session-token")
  })

  it("lists what is wrong with the configuration", () => {
    expect(createAuth({ secret, providers: [] }, { env: {} }).problems()).toEqual([])
    const config: AuthConfig = { providers: [], session: { strategy: "database" } }
    const auth = createAuth(config, { env: {} })
    expect(auth.problems().map(({ type }) => type)).toEqual(["MissingSecret", "MissingAdapter"])
  })

  it("can be inspected by tools; anything else cannot", () => {
    const auth = createAuth({ secret, providers: [], adapter: { getUser: () => null } }, { env: {} })
    const inspection = inspectAuth(auth)
    expect(inspection).toMatchObject({ strategy: "database", basePath: "/auth", problems: [] })
    expect([inspection.store.has("getUser"), inspection.store.has("createUser")]).toEqual([true, false])
    for (const other of [undefined, null, "auth", {}, { settings: {} }]) expect(inspectAuth(other)).toBeUndefined()
  })
})
