/** Each option of a provider, from the configuration through a whole sign-in at the fake provider. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { givenTo, recordCalls } from "../support/recorder.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

const oauth = {
  type: "oauth",
  issuer: undefined,
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
}

/** A sign-in with these options: the request to the provider, and the world afterwards. */
async function signIn(options: WorldOptions = {}) {
  const world = await makeWorld(options)
  const browser = world.browser()
  const asked = await browser.post("/auth/signin/op")
  const back = world.op.authorize(asked.location ?? "")
  await browser.get(back.pathname + back.search)
  return { world, browser, asked: new URL(asked.location ?? ""), session: await browser.session() }
}

const addressesOf = (world: World): string[] => world.op.calls.map(({ url }) => url.replace("https://op.test", ""))

describe("a provider's", () => {
  it("id is part of its addresses and of accounts, and is unique [spec provider id]", async () => {
    const { asked, world } = await signIn()
    expect(asked.searchParams.get("redirect_uri")).toBe("https://app.test/auth/callback/op")
    const [provider] = world.config.providers
    const twins = await makeWorld({ config: { providers: [provider as never, provider as never] } })
    expect(Object.keys(JSON.parse((await twins.browser().get("/auth/providers")).text) as object)).toEqual(["op"])
    expect(twins.auth.problems()[0]?.message).toContain("providers[1].id")
  })

  it("name is the label of its button [spec provider name]", async () => {
    const world = await makeWorld({ provider: { name: "Castle <& Keep>" } })
    const { text } = await world.browser().get("/auth/signin")
    expect(text).toContain("Continue with Castle &lt;&amp; Keep&gt;")
  })

  it("type decides what it does and is one of five [spec provider type]", async () => {
    expect(addressesOf((await signIn()).world)).toContain("/.well-known/openid-configuration")
    expect(addressesOf((await signIn({ provider: oauth })).world)).toEqual(["/token", "/userinfo"])
    const world = await makeWorld({ provider: { type: "ldap" } })
    expect((await world.browser().post("/auth/signin/op")).location).toContain("error=Configuration")
    expect(world.errors[0]?.message).toMatch(/providers\.op\.type.*oauth, oidc, email, credentials, webauthn.*ldap/)
  })

  it("clientId and clientSecret identify the client [spec provider clientId] [spec provider clientSecret]", async () => {
    const op = { clientId: "app1", clientSecret: "the secret: of app 1" }
    const { asked, world, session } = await signIn({ op })
    expect(asked.searchParams.get("client_id")).toBe("app1")
    const basic = world.op.callsOf("token")[0]?.headers.get("authorization")?.slice("Basic ".length) ?? ""
    expect(Buffer.from(basic, "base64").toString()).toBe("app1:the+secret%3A+of+app+1")
    expect(session).toMatchObject({ user: { name: "Ada" } })
  })

  it("issuer is the base of discovery, and the issuer that its tokens must name [spec provider issuer]", async () => {
    const { world, session } = await signIn({ op: { issuer: "https://op.test/realm" } })
    expect(addressesOf(world)[0]).toBe("/realm/.well-known/openid-configuration")
    expect(session).not.toBeNull()
    const forged = await makeWorld()
    forged.op.idToken = { iss: "https://other.test" }
    expect((await forged.signInAtOp(forged.browser())).location).toContain("error=OAuthCallbackError")
  })

  it("jwks_endpoint is the address of its keys, also when its metadata name another [spec provider jwks_endpoint]", async () => {
    const world = await makeWorld({ provider: { jwks_endpoint: "https://op.test/jwks", idToken: false } })
    world.op.metadata = { jwks_uri: "https://op.test/elsewhere", userinfo_signing_alg_values_supported: ["RS256"] }
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(addressesOf(world)).not.toContain("/elsewhere")
    expect(await browser.session()).not.toBeNull()
  })

  it("wellKnown replaces its three endpoints [spec provider wellKnown]", async () => {
    const wellKnown = "https://op.test/.well-known/openid-configuration"
    const { world, session } = await signIn({ provider: { issuer: undefined, wellKnown } })
    expect(world.op.calls[0]?.url).toBe(wellKnown)
    expect(session).toMatchObject({ user: { name: "Ada" } })
  })

  it("authorization is the authorization endpoint, as a string or with parameters [spec provider authorization]", async () => {
    const { asked } = await signIn({ provider: { ...oauth, authorization: "https://op.test/authorize?audience=api" } })
    expect([asked.pathname, asked.searchParams.get("audience")]).toEqual(["/authorize", "api"])
    const params = { url: "https://op.test/authorize", params: { prompt: "login" } }
    expect((await signIn({ provider: { authorization: params } })).asked.searchParams.get("prompt")).toBe("login")
  })

  it("token and userinfo are called in turn, or replaced by their `request` [spec provider token] [spec provider userinfo]", async () => {
    const { world } = await signIn({ provider: oauth })
    expect(addressesOf(world)).toEqual(["/token", "/userinfo"])
    const { access_token, userinfo } = { access_token: "own", userinfo: { id: 9, name: "Own" } }
    const own = await signIn({
      provider: {
        ...oauth,
        token: { url: oauth.token, request: () => ({ tokens: { access_token } }) },
        userinfo: { url: oauth.userinfo, request: ({ tokens }: { tokens: object }) => ({ ...userinfo, tokens }) },
      },
    })
    expect([own.world.op.calls, own.session]).toMatchObject([[], { user: { name: "Own" } }])
  })

  it("checks default to pkce, and are those that are listed [spec provider checks]", async () => {
    const asks = async (checks?: string[]): Promise<string[]> => {
      const { asked, session } = await signIn({ provider: checks ? { checks } : {} })
      expect(session).not.toBeNull()
      return ["code_challenge", "nonce"].filter((param) => asked.searchParams.has(param))
    }
    expect(await asks()).toEqual(["code_challenge"])
    expect(await asks(["state"])).toEqual([])
    expect(await asks(["pkce", "state", "nonce"])).toEqual(["code_challenge", "nonce"])
    expect(await asks(["none"])).toEqual([])
  })

  it.each([
    ["state", "without it", false],
    ["pkce", "without a state, where the provider announces S256", true],
    ["pkce", "without a state, where it does not", false],
    ["nonce", "with that of another flow", false],
    ["nonce", "with its own", true],
  ])("check %s validates the callback: %s [spec provider checks]", async (check, how, isLetIn) => {
    const world = await makeWorld({ provider: { checks: [check] } })
    const browser = world.browser()
    if (!how.includes("does not")) world.op.metadata = { code_challenge_methods_supported: ["S256"] }
    const { location = "" } = await browser.post("/auth/signin/op")
    if (how.includes("another flow")) world.op.idToken = { nonce: "of another flow" }
    const back = world.op.authorize(location, check === "nonce" ? {} : { state: undefined })
    await browser.get(back.pathname + back.search)
    expect((await browser.session()) !== null).toBe(isLetIn)
  })

  it("client sets the client metadata, such as the authentication method [spec provider client]", async () => {
    const { world } = await signIn({ provider: { client: { token_endpoint_auth_method: "client_secret_post" } } })
    const [call] = world.op.callsOf("token")
    expect([call?.headers.has("authorization"), call?.body.get("client_secret")]).toEqual([
      false,
      world.op.clientSecret,
    ])
  })

  it("profile keeps id, name, email and image, or what its callback returns [spec provider profile]", async () => {
    const person = { sub: "1", name: "Ada", email: "a@op.test", picture: "/a.png", locale: "en" }
    const { adapter, calls } = recordCalls(memoryAdapter())
    await signIn({ adapter, op: { person } })
    const kept = { id: expect.any(String), name: "Ada", email: "a@op.test", image: "/a.png", emailVerified: null }
    expect(givenTo(calls, "createUser")).toEqual(kept)
    const profile = (claims: typeof person, tokens: { token_type: string }) => ({
      id: "1",
      name: claims.locale + tokens.token_type,
    })
    expect((await signIn({ op: { person }, provider: { profile } })).session).toMatchObject({
      user: { name: "enbearer" },
    })
  })

  it("account keeps seven values of the tokens, or what its callback returns, or nothing [spec provider account]", async () => {
    const stored = async (provider: object): Promise<string[]> => {
      const { adapter, calls } = recordCalls(memoryAdapter())
      const world = await makeWorld({ adapter, provider: { ...provider } })
      world.op.tokens = { refresh_token: "r", scope: "s", session_state: "t", extra: "e" }
      await world.signInAtOp(world.browser())
      const key = ["provider", "providerAccountId", "type", "userId"]
      return Object.keys(givenTo(calls, "linkAccount"))
        .filter((name) => !key.includes(name))
        .sort()
    }
    const seven = ["access_token", "expires_at", "id_token", "refresh_token", "scope", "session_state", "token_type"]
    expect(await stored({})).toEqual(seven)
    expect(await stored({ account: ({ scope }: { scope: string }) => ({ scope }) })).toEqual(["scope"])
    expect(await stored({ account: () => undefined })).toEqual([])
  })

  it("allowDangerousEmailAccountLinking links accounts with the same address, and is off by default [spec provider allowDangerousEmailAccountLinking]", async () => {
    for (const allowed of [undefined, false, true]) {
      const world = await makeWorld({ provider: { allowDangerousEmailAccountLinking: allowed } })
      await world.signInByMail(world.browser(), "ada@op.test")
      const visit = await world.signInAtOp(world.browser())
      const owner = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" })
      expect(visit.location?.includes("OAuthAccountNotLinked")).toBe(!allowed)
      expect(owner?.email).toBe(allowed ? "ada@op.test" : undefined)
    }
  })

  it("redirectProxyUrl is the base of its redirect_uri, and adds the state check [spec provider redirectProxyUrl]", async () => {
    const redirectProxyUrl = "https://proxy.test/auth"
    const world = await makeWorld({
      provider: { redirectProxyUrl },
      config: { redirectProxyUrl: "https://no.test/auth" },
    })
    const { location = "" } = await world.browser().post("/auth/signin/op")
    const { searchParams } = new URL(location)
    expect(searchParams.get("redirect_uri")).toBe("https://proxy.test/auth/callback/op")
    expect(searchParams.has("state")).toBe(true)
  })

  it("style sets the colours of its logo [spec provider style] [spec shape button-style]", async () => {
    const markOf = async (style: object): Promise<string> => {
      const world = await makeWorld({ provider: { style } })
      return (
        /<button class="provider"[^>]*>.*?<\/button>/.exec((await world.browser().get("/auth/signin")).text)?.[0] ?? ""
      )
    }
    expect(await markOf({ brandColor: "#c0ffee" })).toContain('color="#c0ffee"')
    expect(await markOf({ bg: "#bada55", text: "#fff" })).toContain('color="#bada55"')
    expect(await markOf({ logo: "/marks/op.svg" })).toContain('src="/marks/op.svg"')
    expect(await markOf({})).not.toContain("color=")
  })

  it("endpoints are only used when its metadata name the issuer [spec provider issuer]", async () => {
    const world = await makeWorld()
    world.op.metadata = { issuer: "https://evil.test" }
    expect((await world.browser().post("/auth/signin/op")).location).toContain("error=OAuthSignin")
  })
})
