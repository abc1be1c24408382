import { afterEach, describe, expect, it, vi } from "vitest"
import { adaOf, config, requestOf, sent } from "../test/support/application.js"
import { NextAuth } from "./index.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

describe("the handlers", () => {
  it("answer below /api/auth, at the address that people see", async () => {
    const { handlers } = NextAuth(config())
    const answer = await handlers.GET(requestOf("/api/auth/providers"))
    expect(await answer.json()).toMatchObject({
      credentials: { callbackUrl: "https://app.test/api/auth/callback/credentials" },
    })
  })

  it("take the host from the Host header alone, which senders cannot add to", async () => {
    const { handlers } = NextAuth(config())
    const answer = await handlers.GET(requestOf("/api/auth/providers", sent({ "x-forwarded-host": "evil.test" })))
    expect(await answer.text()).not.toContain("evil.test")
  })

  it("pass forms on", async () => {
    const { handlers } = NextAuth(config())
    const first = await handlers.GET(requestOf("/api/auth/csrf"))
    const { csrfToken } = (await first.json()) as { csrfToken: string }
    const cookie = first.headers.getSetCookie().map((line) => line.split(";", 1)[0])
    const body = new URLSearchParams({ csrfToken, name: "Ada", password: "right" })
    const headers = sent({ cookie: cookie.join("; "), "content-type": "application/x-www-form-urlencoded" })
    const answer = await handlers.POST(requestOf("/api/auth/callback/credentials", headers, { method: "POST", body }))
    expect(answer.headers.getSetCookie().join()).toContain("__Secure-authjs.session-token=")
  })

  it("are at basePath of the configuration, which may be made for each request", async () => {
    const { handlers } = NextAuth((request) => config({ basePath: request?.nextUrl.pathname.slice(0, 5) ?? "/none" }))
    for (const path of ["/left", "/east"]) {
      const answer = await handlers.GET(requestOf(`${path}/providers`))
      expect(await answer.text()).toContain(`https://app.test${path}/callback/credentials`)
    }
  })

  it("are at the path of AUTH_URL where it has one", async () => {
    vi.stubEnv("AUTH_URL", "https://app.test/deep/auth")
    const answer = await NextAuth(config()).handlers.GET(requestOf("/deep/auth/providers"))
    expect(await answer.text()).toContain("https://app.test/deep/auth/callback/credentials")
  })

  it.each(["/api/auth", "/shop/api/auth"])(
    "know the base path of the application, which Next takes off, by that of the service: asked at %s",
    async (path) => {
      const { handlers } = NextAuth(config({ basePath: "/shop/api/auth" }))
      const answer = await handlers.GET(requestOf(`${path}/providers`))
      expect(await answer.text()).toContain("https://app.test/shop/api/auth/callback/credentials")
    },
  )

  it.each(["/other/providers", "/api/authority/providers", "/hop/api/auth/providers"])(
    "answer nothing at another path: %s",
    async (path) => {
      const { handlers } = NextAuth(config({ basePath: "/shop/api/auth" }))
      expect((await handlers.GET(requestOf(path))).status).toBe(404)
    },
  )

  it("name what a function has returned in place of a configuration", async () => {
    const { handlers } = NextAuth(() => undefined as never)
    await expect(handlers.GET(requestOf("/api/auth/session"))).rejects.toThrow(
      "The function given to NextAuth has to return a configuration, but returned undefined.",
    )
  })

  it("serve the session of the browser", async () => {
    const given = config()
    const answer = await NextAuth(given).handlers.GET(requestOf("/api/auth/session", sent(await adaOf(given))))
    expect(await answer.json()).toMatchObject({ user: { name: "Ada" } })
  })
})
