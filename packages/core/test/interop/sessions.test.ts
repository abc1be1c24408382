import { Auth as PeerAuth } from "@auth/core"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import type { AuthConfig } from "../../src/types/config.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"

const older = "older-secret-of-at-least-32-characters"
const newer = "newer-secret-of-at-least-32-characters"

/** The same application for both: whoever signs in carries `size` characters of claims. */
function application(secret: string | string[], size: number): AuthConfig {
  return {
    secret,
    trustHost: true,
    basePath: "/auth",
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, ballast: "x".repeat(size) } : token),
      session: ({ session, token }) => ({
        ...session,
        user: { ...session.user, id: token.sub ?? "", ballast: String(token["ballast"]).length },
      }),
    },
    providers: [
      {
        id: "credentials",
        name: "Credentials",
        type: "credentials",
        credentials: { name: {} },
        authorize: ({ name }) => ({
          id: "42",
          name: String(name),
          email: "ada@app.test",
          image: "https://app.test/ada.png",
        }),
      },
    ],
  }
}

const ours = (secret: string | string[], size: number, origin: string): TestBrowser =>
  openBrowser(createAuth(application(secret, size), { env: {} }).handle, { origin })
const theirs = (secret: string | string[], size: number, origin: string): TestBrowser => {
  // Auth.js writes into its configuration, so it gets one of its own.
  const config = application(secret, size) as unknown as Parameters<typeof PeerAuth>[1]
  return openBrowser((request) => PeerAuth(request, config) as Promise<Response>, { origin })
}

function handOver(from: TestBrowser, to: TestBrowser): void {
  for (const [name, cookie] of from.jar) to.jar.set(name, cookie)
}

describe.each([
  ["ours, then Auth.js", ours, theirs],
  ["Auth.js, then ours", theirs, ours],
] as const)("a session made by %s", (_, first, second) => {
  it.each([
    ["secure cookies", "https://app.test", 10],
    ["plain cookies", "http://app.test", 10],
    ["secure cookies in chunks", "https://app.test", 9_000],
    ["plain cookies in chunks", "http://app.test", 9_000],
  ] as const)("continues with %s, and can be ended", async (_kind, origin, size) => {
    const from = first(older, size, origin)
    const to = second(older, size, origin)
    const signedIn = await from.post("/auth/callback/credentials", { name: "Ada" })
    expect(signedIn.status).toBe(302)
    const names = [...from.jar.keys()].filter((name) => name.includes("session-token"))
    expect(names.length).toBe(size > 4_000 ? 4 : 1)
    handOver(from, to)
    const user = { id: "42", name: "Ada", email: "ada@app.test", image: "https://app.test/ada.png", ballast: size }
    expect(await to.session()).toMatchObject({ user })
    // And back again, with whatever the second one made of it.
    handOver(to, from)
    expect(await from.session()).toMatchObject({ user })
    handOver(from, to)
    await to.post("/auth/signout")
    expect([...to.jar.keys()].filter((name) => name.includes("session-token"))).toEqual([])
    expect(await to.session()).toBeNull()
  })

  it("continues after the secret was rotated, but not without the old secret", async () => {
    const origin = "https://app.test"
    const from = first(older, 10, origin)
    await from.post("/auth/callback/credentials", { name: "Ada" })
    const rotated = second([newer, older], 10, origin)
    handOver(from, rotated)
    expect(await rotated.session()).toMatchObject({ user: { name: "Ada" } })
    const forgetful = second(newer, 10, origin)
    handOver(from, forgetful)
    expect(await forgetful.session()).toBeNull()
  })
})
