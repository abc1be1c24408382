/** `signInAs` makes the session that the application itself would have made: both strategies, every form of cookie. */
import { createAuth } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/core/memory"
import type { AuthConfig } from "@latchkey/core/types"
import request from "supertest"
import { afterEach, describe, expect, it, vi } from "vitest"
import { signInAs } from "../src/index.js"
import { makeApplication, strategies } from "./support/application.js"

const ada = { name: "Ada Lovelace", email: "ada@app.test" }
const secureName = "__Secure-authjs.session-token"

afterEach(() => vi.unstubAllEnvs())

describe.each(strategies)("signInAs with sessions of the strategy %s", (strategy) => {
  it("signs a person in with the headers of one request", async () => {
    const { app, config } = makeApplication(strategy)
    await request(app).get("/inside").expect(401)
    const { headers, user } = await signInAs(config, ada)
    const answer = await request(app).get("/inside").set(headers).expect(200)
    expect(answer.body.user).toMatchObject({ id: user.id, ...ada })
    expect(Date.parse(answer.body.expires)).toBeGreaterThan(Date.now())
  })

  it("keeps an agent signed in until it signs out, with a session that the application ends", async () => {
    const { app, config } = makeApplication(strategy)
    const agent = request.agent(app)
    const { setCookies } = await signInAs(config, ada)
    agent.jar.setCookies(setCookies)
    await agent.get("/inside").expect(200)
    const { body } = await agent.get("/auth/csrf")
    await agent.post("/auth/signout").type("form").send({ csrfToken: body.csrfToken }).expect(302)
    await agent.get("/inside").expect(401)
  })

  it("takes the service as well as the configuration, and serves plain fetch", async () => {
    const { config } = makeApplication(strategy)
    const auth = createAuth({ ...config, trustHost: true }, { env: {} })
    const { headers } = await signInAs(auth, ada, { url: "https://app.test" })
    const answer = await auth.handle(new Request("https://app.test/auth/session", { headers }))
    expect(await answer.json()).toMatchObject({ user: ada })
    const { session } = await auth.session({ url: "https://app.test", headers: new Headers(headers) })
    expect(session).toMatchObject({ user: ada })
  })

  it("names cookies by the scheme of the address, unless the configuration says the scheme", async () => {
    const { config } = makeApplication(strategy)
    const plain = await signInAs(config, ada)
    expect(plain.cookies()).toMatchObject([
      { name: "authjs.session-token", domain: "localhost", path: "/", httpOnly: true, secure: false, sameSite: "Lax" },
    ])
    const secure = await signInAs(config, ada, { url: "https://app.test:8443/deep" })
    expect(secure.cookies()).toMatchObject([{ name: secureName, domain: "app.test", path: "/", secure: true }])
    expect(secure.cookies("https://other.test")[0]?.domain).toBe("other.test")
    expect(secure.cookieHeader).toMatch(new RegExp(`^${secureName}=`))
    const behind = createAuth(config, { env: { AUTH_URL: "https://your.app" } })
    expect((await signInAs(behind, ada)).cookies()).toMatchObject([{ name: secureName, domain: "your.app" }])
    const forced = await signInAs({ ...config, useSecureCookies: true }, ada)
    expect(forced.cookies()).toMatchObject([{ name: secureName, domain: "localhost", secure: true }])
  })

  it("finds who is stored by id or address, and stores who is not", async () => {
    const adapter = memoryAdapter()
    const { config } = makeApplication(strategy, { adapter })
    const stored = await adapter.createUser({ id: "u1", ...ada, emailVerified: null })
    expect((await signInAs(config, { id: stored.id })).user).toMatchObject({ id: stored.id, ...ada })
    expect((await signInAs(config, { email: ada.email, name: "Another name" })).user).toMatchObject({
      id: stored.id,
      ...ada,
    })
    const { user } = await signInAs(config, { email: "grace@app.test", name: "Grace" })
    expect(await adapter.getUserByEmail("grace@app.test")).toEqual(user)
    expect(await signInAs(config, {})).toMatchObject({ user: { id: expect.any(String) } })
  })

  it("calls callbacks and events as at a sign-in, and does not ask the signIn callback", async () => {
    const calls: [string, unknown][] = []
    const signIn = vi.fn(() => false)
    const jwt = vi.fn(({ token, account }) => ({ ...token, ...(account && { access: account.access_token }) }))
    const { config } = makeApplication(strategy, {
      callbacks: { signIn, jwt },
      events: {
        createUser: ({ user }) => void calls.push(["createUser", user.email]),
        linkAccount: ({ account }) => void calls.push(["linkAccount", account.providerAccountId]),
        signIn: ({ account, isNewUser, profile }) =>
          void calls.push(["signIn", [account?.provider, isNewUser, profile?.sub]]),
      },
    })
    const account = { providerAccountId: "ada-at-acme", access_token: "at-1" }
    await signInAs(config, ada, { provider: "acme", account, profile: { sub: "ada-at-acme" } })
    await signInAs(config, ada, { account })
    expect(calls).toEqual([
      ["createUser", ada.email],
      ["linkAccount", "ada-at-acme"],
      ["signIn", ["acme", true, "ada-at-acme"]],
      ["signIn", ["acme", false, undefined]],
    ])
    expect(signIn).not.toHaveBeenCalled()
    if (strategy === "database") return expect(jwt).not.toHaveBeenCalled()
    expect(jwt.mock.calls[0]?.[0]).toMatchObject({ trigger: "signUp", account: { type: "oidc", access_token: "at-1" } })
  })

  it("refuses an account that belongs to somebody else", async () => {
    const { config } = makeApplication(strategy)
    const account = { providerAccountId: "7" }
    await signInAs(config, ada, { account })
    await expect(signInAs(config, { email: "grace@app.test" }, { account })).rejects.toThrow("belongs to another user")
  })

  it("creates a session that has already ended, for a given time", async () => {
    const { app, config } = makeApplication(strategy)
    const at = new Date(Date.now() - 31 * 86_400_000)
    const { headers } = await signInAs(config, ada, { at })
    await request(app).get("/inside").set(headers).expect(401)
    const lately = await signInAs(config, ada, { at: new Date(Date.now() - 29 * 86_400_000) })
    const extended = await request(app).get("/inside").set(lately.headers).expect(200)
    expect(extended.headers["set-cookie"]?.[0]).toContain("authjs.session-token=")
  })
})

describe("signInAs", () => {
  it("cuts a large session token into the cookies that the application reads together", async () => {
    const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = ({ token }) => ({ ...token, ballast: "x".repeat(6000) })
    const { app, config } = makeApplication("jwt", { callbacks: { jwt } })
    const { headers, cookies } = await signInAs(config, ada)
    expect(cookies().map(({ name }) => name)).toEqual([
      "authjs.session-token.0",
      "authjs.session-token.1",
      "authjs.session-token.2",
    ])
    await request(app).get("/inside").set(headers).expect(200)
  })

  it("needs no adapter: the same person is the same user each time", async () => {
    const { config } = makeApplication("jwt")
    const { adapter: _none, ...stateless } = config
    const [first, second] = [await signInAs(stateless, ada), await signInAs(stateless, ada)]
    expect(first.user.id).toBe(second.user.id)
    expect((await signInAs(stateless, { id: "7" })).user).toEqual({ id: "7" })
  })

  it("says what is wrong with a configuration that serves nothing", async () => {
    const { config } = makeApplication("jwt", { secret: [] })
    await expect(signInAs(createAuth(config, { env: {} }), ada)).rejects.toThrow(/secret/)
    const { adapter: _none, ...rest } = makeApplication("database").config
    await expect(signInAs(rest, ada)).rejects.toThrow(/adapter/)
    const adapter = { ...memoryAdapter(), createUser: undefined } as never
    await expect(signInAs({ ...rest, adapter }, ada)).rejects.toThrow("no `createUser`")
  })

  it.each([
    [() => undefined, "a function"],
    [null, "a null"],
    [{ handle: 1 }, "another object"],
  ])("says what it expects, given %s", async (given, received) => {
    await expect(signInAs(given as never, ada)).rejects.toThrow(`received ${received}`)
  })

  it.each(["production", "Production", "production ", "prod"])(
    "is refused where NODE_ENV is %j, and so is the whole package",
    async (mode) => {
      const { config } = makeApplication("jwt")
      vi.stubEnv("NODE_ENV", mode)
      await expect(signInAs(config, ada)).rejects.toThrow(`does not run where NODE_ENV is ${JSON.stringify(mode)}`)
      vi.resetModules()
      await expect(import("../src/index.js")).rejects.toThrow("devDependencies")
      await expect(import("../src/webauthn.js")).rejects.toThrow("devDependencies")
    },
  )

  it.each(["test", "development", "reproduction", "production-like tests"])(
    "runs where NODE_ENV is %j",
    async (mode) => {
      const { config } = makeApplication("jwt")
      vi.stubEnv("NODE_ENV", mode)
      expect((await signInAs(config, ada)).cookieHeader).not.toBe("")
    },
  )
})
