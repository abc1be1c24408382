/** The authorization request: what it says, what a request may add, and what it may not change. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf } from "../../../test/support/oauth-desk.js"
import { json, openOp } from "../../../test/support/op.js"
import { Authentik } from "../../providers/authentik.js"

const names = (url: URL): string[] => [...url.searchParams.keys()]

describe("the authorization request", () => {
  it("redirects to the authorization endpoint with a code request [spec authentication 4] [spec provider authorization]", async () => {
    const op = await openOp()
    const { url } = await openDesk(oidcAt(op)).begin()
    expect(url.origin + url.pathname).toBe("https://op.test/authorize")
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "client",
      redirect_uri: "https://app.test/auth/callback/op",
      scope: "openid profile email",
    })
  })

  it("names the client as configured [spec provider clientId]", { tags: ["threat:C1-02"] }, async () => {
    const op = await openOp()
    const { goTo, url } = await openDesk(oidcAt(op, { clientId: "a&b c=ü%20+" })).begin()
    expect(url.searchParams.get("client_id")).toBe("a&b c=ü%20+")
    expect(goTo).toContain("client_id=a%26b+c%3D%C3%BC%2520%2B&")
  })

  it.each([
    ["OpenID Connect", oidcAt],
    ["OAuth", oauthAt],
  ] as const)(
    "uses PKCE with S256 by default, with %s [spec provider checks]",
    {
      tags: ["threat:B9-05", "threat:P7-03", "threat:P7-04", "threat:C1-45"],
    },
    async (_, providerAt) => {
      const op = await openOp()
      const desk = openDesk(providerAt(op))
      const { url } = await desk.begin()
      expect(url.searchParams.get("code_challenge_method")).toBe("S256")
      await desk.finish(op.authorize(url))
      const verifier = op.callsOf("token")[0]?.body.get("code_verifier") ?? ""
      expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
      expect(url.searchParams.get("code_challenge")).toBe(createHash("sha256").update(verifier).digest("base64url"))
    },
  )

  it.each([
    { checks: ["pkce"], sent: ["state", "code_challenge", "code_challenge_method"] },
    { checks: ["state"], sent: ["state"] },
    { checks: ["nonce"], sent: ["state", "nonce"] },
    { checks: ["state", "pkce", "nonce"], sent: ["state", "code_challenge", "code_challenge_method", "nonce"] },
    { checks: ["none"], sent: [] },
  ])("sends what the checks $checks need, in that order", { tags: ["threat:P7-11"] }, async ({ checks, sent }) => {
    const op = await openOp()
    const { url } = await openDesk(oidcAt(op, { checks })).begin()
    expect(names(url).filter((name) => /^(state|nonce|code_)/.test(name))).toEqual(sent)
  })

  it("makes new values for every flow", { tags: ["threat:B9-06", "threat:A-064", "threat:C1-45"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, { checks: ["state", "pkce", "nonce"] }))
    const seen = new Set<string | null>()
    for (let flow = 0; flow < 20; flow++) {
      const { searchParams } = (await desk.begin()).url
      for (const name of ["state", "nonce", "code_challenge"]) seen.add(searchParams.get(name))
    }
    expect(seen.size).toBe(60)
  })

  it.each([[undefined], [[]], [["plain"]], [["plain", "S256"]]])(
    "never falls back to the plain method, nor to none, where the provider announces %j",
    { tags: ["threat:B9-07", "threat:A-031", "threat:B9-08"] },
    async (announced) => {
      const op = await openOp()
      op.metadata = { code_challenge_methods_supported: announced }
      const { searchParams } = (await openDesk(oidcAt(op)).begin()).url
      expect(searchParams.get("code_challenge_method")).toBe("S256")
      expect(searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/)
    },
  )

  it("uses the plain method only where the provider says so", { tags: ["threat:B9-07"] }, async () => {
    const op = await openOp()
    const { searchParams } = (await openDesk(oidcAt(op, { pkceMethod: "plain" })).begin()).url
    expect(searchParams.get("code_challenge_method")).toBe("plain")
    for (const pkceMethod of ["S256", undefined]) {
      const { url } = await openDesk(oidcAt(op, { pkceMethod })).begin()
      expect(url.searchParams.get("code_challenge_method")).toBe("S256")
    }
  })

  it("keeps secrets out of the address and the cookies", {
    tags: ["threat:P7-06", "threat:P7-08", "threat:C1-45"],
  }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, { checks: ["pkce", "state", "nonce"] }))
    const { url, goTo } = await desk.begin()
    const sealed = [...desk.cookies.values()].join(" ")
    const nonce = url.searchParams.get("nonce") ?? "?"
    expect(nonce).toMatch(/^[\w-]{43,}$/)
    for (const shown of [nonce, Buffer.from(nonce).toString("base64url")]) expect(sealed).not.toContain(shown)
    await desk.finish(op.authorize(url))
    const verifier = op.callsOf("token")[0]?.body.get("code_verifier") ?? "?"
    expect(goTo).not.toContain(verifier)
    expect(sealed).not.toContain(verifier)
    expect(sealed).not.toContain(Buffer.from(verifier).toString("base64url"))
    expect(op.calls.map((call) => call.url).join(" ")).not.toMatch(/code_verifier|access_token=/)
  })
})

describe("parameters of the sign-in request", () => {
  const fixed = [
    "client_id",
    "redirect_uri",
    "response_type",
    "response_mode",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "claims",
    "request",
    "request_uri",
  ]
  it.each(fixed)("cannot override %s", { tags: ["threat:U-16", "threat:A-050", "threat:C1-35"] }, async (name) => {
    const op = await openOp()
    const { url } = await openDesk(oidcAt(op, { checks: ["state", "pkce", "nonce"] })).begin(`?${name}=evil`)
    expect(url.searchParams.getAll(name)).not.toContain("evil")
  })

  it.each([
    "Client_ID",
    "REDIRECT_URI",
    "redirect.uri",
    "redirect[uri",
    "redirect uri",
    " state",
    "\tnonce",
    "client_id[]",
    "Redirect.URI[0]",
    "claims[id_token][email]",
    "Response_Mode",
    "CODE.Challenge",
    "Request_Object",
    "CallbackURL",
    "[redirect_uri]",
    "[claims][id_token]",
    "redirect_uri]",
    "]client_id",
    "redirect_uri\0x",
    "redirect[uri\0x",
    "client_id[\0]",
    " [state]\0",
    "redirect_uri ",
    "redirect_uri\n",
    "state ]",
    "\0state",
    "_nonce",
    "redirect-uri[]",
    "redirect\u00a0uri",
  ])("cannot be named as %j, which some servers read as one of those", { tags: ["threat:A-050"] }, async (name) => {
    const op = await openOp()
    const query = `?${new URLSearchParams([
      [name, "evil"],
      ["login_hint", "ada"],
    ])}`
    const { url } = await openDesk(oidcAt(op, { checks: ["state", "pkce", "nonce"] })).begin(query)
    expect([...url.searchParams.values()]).not.toContain("evil")
    expect(url.searchParams.get("login_hint")).toBe("ada")
  })

  it("may have names that only resemble those", async () => {
    const op = await openOp()
    const { url } = await openDesk(oidcAt(op)).begin("?my_state=1&statement=1&state_of=1&foo[client_id]=1")
    for (const name of ["my_state", "statement", "state_of", "foo[client_id]"]) {
      expect(url.searchParams.get(name)).toBe("1")
    }
  })

  it("an audience or a resource changes no other parameter, and is not sent with the code", {
    tags: ["threat:A-050"],
  }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    const { url } = await desk.begin("?resource=https://evil.test&audience=https://evil.test")
    expect(url.searchParams.get("client_id")).toBe("client")
    expect(url.searchParams.get("redirect_uri")).toBe("https://app.test/auth/callback/op")
    expect((await desk.finish(op.authorize(url))).kind).toBe("proof")
    const [{ body } = {} as never] = op.callsOf("token")
    expect([body.has("resource"), body.has("audience")]).toEqual([false, false])
  })

  it("are sent to the provider, the return address is not", async () => {
    const op = await openOp()
    const { url } = await openDesk(oidcAt(op)).begin("?login_hint=ada&scope=openid+calendar&callbackUrl=%2Fhome")
    expect(url.searchParams.get("login_hint")).toBe("ada")
    expect(url.searchParams.getAll("scope")).toEqual(["openid calendar"])
    expect(url.search).not.toContain("home")
    expect(names(url)).not.toContain("callbackUrl")
  })

  it("beat those of the configuration, which beat the defaults", async () => {
    const op = await openOp()
    const authorization = { url: "https://op.test/authorize?prompt=login", params: { access_type: "offline", hd: "a" } }
    const { url } = await openDesk(oauthAt(op, { authorization })).begin("?hd=b")
    expect(names(url).slice(0, 7)).toEqual([
      "prompt",
      "access_type",
      "hd",
      "scope",
      "response_type",
      "client_id",
      "redirect_uri",
    ])
    expect(url.searchParams.get("hd")).toBe("b")
  })

  it("of the configuration are put on a discovered endpoint, `claims` as JSON", {
    tags: ["threat:C1-35"],
  }, async () => {
    const op = await openOp()
    const authorization = { params: { prompt: "consent", claims: { userinfo: { email: null } } } }
    const { searchParams } = (await openDesk(oidcAt(op, { authorization })).begin()).url
    expect(searchParams.get("prompt")).toBe("consent")
    expect(searchParams.get("claims")).toBe('{"userinfo":{"email":null}}')
  })

  it("leave the scope of an OpenID provider at one that gives an id_token", { tags: ["threat:C1-01"] }, async () => {
    const op = await openOp()
    const scope = async (over: object): Promise<string | null> =>
      (await openDesk(oidcAt(op, over)).begin()).url.searchParams.get("scope")
    expect(await scope({})).toBe("openid profile email")
    expect(await scope({ authorization: { params: { scope: "openid groups" } } })).toBe("openid groups")
    expect(await scope({ authorization: { params: { scope: null } } })).toBe("openid profile email")
    expect(await scope({ authorization: "https://op.test/authorize?prompt=login" })).toBe("openid profile email")
    // Some providers send an id_token without being asked, and know no such scope.
    expect(await scope({ authorization: { params: { scope: "name email" } } })).toBe("name email")
  })
})

describe("check cookies", () => {
  it("survive the POST of another site only where the provider posts [spec provider checks]", {
    tags: ["threat:C1-47", "threat:Q-06", "threat:V3-04"],
  }, async () => {
    const op = await openOp()
    const formPost = { authorization: { params: { response_mode: "form_post" } } }
    const crossSite = async (over: object): Promise<(boolean | undefined)[]> => {
      const { cookies } = await openDesk(oidcAt(op, { checks: ["pkce", "state", "nonce"], ...over })).begin()
      return cookies.filter((change) => "value" in change).map((change) => "value" in change && change.crossSite)
    }
    expect(await crossSite(formPost)).toEqual([true, true, true])
    expect(await crossSite({})).toEqual([undefined, undefined, undefined])
  })
})

describe("a request that cannot be built", () => {
  it.each([
    { what: "no clientId", over: { clientId: undefined }, type: "InvalidConfiguration", names: "AUTH_OP_ID" },
    { what: "an empty clientId", over: { clientId: "" }, type: "InvalidConfiguration", names: "AUTH_OP_ID" },
    {
      what: "no clientSecret",
      over: { clientSecret: undefined },
      type: "InvalidConfiguration",
      names: "AUTH_OP_SECRET",
    },
    {
      what: "an unknown client authentication",
      over: { client: { token_endpoint_auth_method: "magic" } },
      type: "InvalidConfiguration",
      names: '"magic"',
    },
    {
      what: "private_key_jwt without a key",
      over: { client: { token_endpoint_auth_method: "private_key_jwt" } },
      type: "InvalidConfiguration",
      names: "clientPrivateKey",
    },
    {
      what: "an implicit response type [B9-09]",
      over: { authorization: { params: { response_type: "id_token" } } },
      type: "OAuthSignInError",
      names: "response_type",
    },
  ])("names what is missing: $what", { tags: ["threat:A-141"] }, async ({ over, type, names }) => {
    const error = await refusalOf(openDesk(oidcAt(await openOp(), over)).begin())
    expect(error.type).toBe(type)
    expect(error.message).toContain(names)
  })

  it("needs no secret for a public client", async () => {
    const over = { clientSecret: undefined, client: { token_endpoint_auth_method: "none" } }
    expect((await openDesk(oidcAt(await openOp(), over)).begin()).url.searchParams.get("client_id")).toBe("client")
  })

  it.each([
    { what: "a number", authorization_endpoint: 5 },
    { what: "a list", authorization_endpoint: ["https://op.test/authorize"] },
    { what: "an object", authorization_endpoint: { href: "https://op.test/authorize" } },
    { what: "a path", authorization_endpoint: "/authorize" },
    { what: "a script", authorization_endpoint: "javascript:alert(1)" },
    { what: "plain http", authorization_endpoint: "http://op.test/authorize" },
    { what: "nothing", authorization_endpoint: undefined },
  ])("does not redirect to $what", { tags: ["threat:M8-05", "threat:M8-06"] }, async ({ authorization_endpoint }) => {
    const op = await openOp()
    op.metadata = { authorization_endpoint }
    expect((await refusalOf(openDesk(oidcAt(op)).begin())).type).toBe("OAuthSignInError")
  })

  it.each([
    { configured: "https://op.test/o/app", stated: "https://op.test/o/app", departs: true },
    { configured: "https://op.test/o/app", stated: "https://op.test/o/app/", departs: true },
    { configured: "https://op.test/o/app/", stated: "https://op.test/o/app", departs: false },
    { configured: "https://op.test/o/app", stated: "https://op.test/o", departs: false },
  ])(
    "takes $stated for $configured where the service writes it so: $departs",
    async ({ configured, stated, departs }) => {
      const op = await openOp({ issuer: configured })
      op.metadata = { issuer: stated }
      const { discoveryIssuer } = Authentik()
      const desk = openDesk(oidcAt(op, { discoveryIssuer }))
      const outcome = desk.begin().then(
        ({ url }) => url.hostname,
        (error: { type: string }) => error.type,
      )
      expect(await outcome).toBe(departs ? "op.test" : "OAuthSignInError")
    },
  )

  it("distinguishes a provider that is down from one with a wrong response [spec signin-page OAuthSignin]", {
    tags: ["threat:FI-01"],
  }, async () => {
    const op = await openOp()
    op.faults.discovery = () =>
      Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } }))
    const down = await refusalOf(openDesk(oidcAt(op)).begin())
    expect([down.type, down.cause?.["code"]]).toEqual(["ProviderUnavailable", "ECONNREFUSED"])
    op.faults.discovery = () => json({ issuer: "https://evil.test" })
    expect((await refusalOf(openDesk(oidcAt(op)).begin())).type).toBe("OAuthSignInError")
  })
})
