/** The sources of the profile, and which responses are refused. */
import { describe, expect, it } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../support/oauth-desk.js"
import { type FakeOp, json, makeOpKey, openOp, signWith } from "../../support/op.js"

const jwt = (token: string): Response => new Response(token, { headers: { "content-type": "application/jwt" } })

describe("the profile of an OpenID provider", () => {
  it("consists of the claims of the id_token", { tags: ["threat:C1-34"] }, async () => {
    const op = await openOp()
    expect((await signIn(openDesk(oidcAt(op)), op)).profile).toMatchObject({ sub: "person-1", email: "Ada@Op.test" })
    expect(op.callsOf("userinfo")).toEqual([])
  })

  it("is read from the userinfo endpoint where the provider says so, once the id_token is verified", {
    tags: ["threat:CB-13", "threat:CC-02", "threat:C1-30", "threat:C1-34"],
  }, async () => {
    const op = await openOp()
    op.idToken = { email: undefined, name: "Another name", role: "admin", email_verified: undefined }
    const { profile } = await signIn(openDesk(oidcAt(op, { idToken: false })), op)
    expect(profile).toEqual(op.person)
    expect(op.calls.map(({ endpoint }) => endpoint)).toEqual(["discovery", "token", "jwks", "userinfo"])
    const [{ url, method, headers, body } = {} as never] = op.callsOf("userinfo")
    expect([url, method, [...body]]).toEqual(["https://op.test/userinfo", "GET", []])
    expect(headers.get("authorization")).toMatch(/^Bearer at-[\w-]+$/)
    const [call] = op.callsOf("userinfo")
    expect([call?.method, call?.headers.get("authorization")?.slice(0, 10)]).toEqual(["GET", "Bearer at-"])
    expect(call?.url).not.toContain("at-")
  })

  it("is read with the scope that asks for it, and with keys wherever the provider has them", {
    tags: ["threat:CB-13", "threat:CC-02"],
  }, async () => {
    const op = await openOp()
    op.metadata = { jwks_uri: "https://op.test/jwks?of=x7Qa" }
    const desk = openDesk(oidcAt(op, { idToken: false }))
    const { url } = await desk.begin()
    expect(url.searchParams.get("scope")).toBe("openid profile email")
    expect((await desk.finish(op.authorize(url))).profile).toEqual(op.person)
    expect(op.calls.map((call) => call.url)).toEqual([
      "https://op.test/.well-known/openid-configuration",
      "https://op.test/token",
      "https://op.test/jwks?of=x7Qa",
      "https://op.test/userinfo",
    ])
    const silent = await openOp()
    silent.faults.discovery = () => json({}, 503)
    await refusalOf(openDesk(oidcAt(silent)).begin())
    expect(silent.calls.filter(({ endpoint }) => endpoint !== "discovery")).toEqual([])
  })

  it.each([
    ["is about somebody else [CB-11] [C1-31] [B9-26]", () => json({ sub: "person-1invalid" })],
    ["is about nobody [C1-31]", () => json({ name: "Ada" })],
    [
      "is a refusal [C1-33] [A-018]",
      () => Response.json({ sub: "person-1" }, { status: 401, headers: { "www-authenticate": "Bearer" } }),
    ],
    [
      "is right beside a challenge [C1-33]",
      () => Response.json({ sub: "person-1" }, { headers: { "www-authenticate": 'Bearer error="invalid_token"' } }),
    ],
    ["is an error with a body [A-018]", () => json({ sub: "person-1" }, 500)],
    ["is a page", () => new Response('{"sub":"person-1"}', { headers: { "content-type": "text/html" } })],
    ["redirects", () => new Response(null, { status: 302, headers: { location: "https://evil.test" } })],
  ])("is refused when it %s", async (_, fault) => {
    const op = await openOp()
    op.faults.userinfo = fault
    expect((await refusalOf(signIn(openDesk(oidcAt(op, { idToken: false })), op))).type).toBe("OAuthCallbackError")
  })

  it("is verified when it is signed", { tags: ["threat:C1-32"] }, async () => {
    const stranger = await makeOpKey("first")
    const attempt = async (make: (op: FakeOp) => Promise<string>): Promise<boolean> => {
      const op = await openOp()
      op.metadata = { userinfo_signing_alg_values_supported: ["RS256", "none"] }
      op.faults.userinfo = async () => jwt(await make(op))
      return signIn(openDesk(oidcAt(op, { idToken: false })), op).then(
        () => true,
        () => false,
      )
    }
    const sub = "person-1"
    expect(await attempt((op) => op.sign({ sub, iss: op.issuer, aud: op.clientId }))).toBe(true)
    expect(await attempt((op) => op.sign({ sub }))).toBe(true)
    expect(await attempt(() => signWith(stranger, { sub }))).toBe(false)
    expect(
      await attempt(
        async () =>
          `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"person-1"}').toString("base64url")}.`,
      ),
    ).toBe(false)
    expect(await attempt((op) => op.sign({ sub, iss: "https://evil.test" }))).toBe(false)
    expect(await attempt((op) => op.sign({ sub, aud: "other" }))).toBe(false)
    expect(await attempt((op) => op.sign({ sub, exp: op.now() - 600 }))).toBe(false)
  })

  it.each(["Application/JWT", "APPLICATION/JWT; charset=utf-8", "application/jwt ;charset=utf-8"])(
    "is verified when its type is written as %s",
    { tags: ["threat:C1-32"] },
    async (type) => {
      const stranger = await makeOpKey("first")
      const op = await openOp()
      op.metadata = { userinfo_signing_alg_values_supported: ["RS256"] }
      const attempt = (make: () => Promise<string>): ReturnType<typeof signIn> => {
        op.faults.userinfo = async () => new Response(await make(), { headers: { "content-type": type } })
        return signIn(openDesk(oidcAt(op, { idToken: false })), op)
      }
      const claims = { sub: "person-1", iss: op.issuer, aud: op.clientId }
      expect((await attempt(() => op.sign({ ...claims, nickname: "ada" }))).profile).toMatchObject({ nickname: "ada" })
      expect((await refusalOf(attempt(() => signWith(stranger, claims)))).type).toBe("OAuthCallbackError")
    },
  )

  it("is read as its type says, whatever it looks like", { tags: ["threat:C1-32"] }, async () => {
    const op = await openOp()
    op.metadata = { userinfo_signing_alg_values_supported: ["RS256"] }
    const signed = await op.sign({ sub: "person-1", iss: op.issuer, aud: op.clientId })
    const answers = [jwt(JSON.stringify(op.person)), json(signed)]
    for (const type of ["application/json", "text/plain"])
      answers.push(new Response(signed, { headers: { "content-type": type } }))
    for (const answer of answers) {
      op.faults.userinfo = () => answer
      expect((await refusalOf(signIn(openDesk(oidcAt(op, { idToken: false })), op))).type).toBe("OAuthCallbackError")
    }
  })

  it("may come from `userinfo.request`, which names no other `sub` than the id_token", {
    tags: ["threat:C1-31"],
  }, async () => {
    const op = await openOp()
    const asked = (sub?: string): object => ({
      idToken: false,
      userinfo: { request: () => ({ ...(sub !== undefined && { sub }), nickname: "ada" }) },
      profile: ({ nickname }: { nickname: string }) => ({ id: nickname }),
    })
    for (const sub of ["person-1", undefined])
      expect((await signIn(openDesk(oidcAt(op, asked(sub))), op)).profile).toMatchObject({ nickname: "ada" })
    for (const sub of ["victim", ""])
      expect((await refusalOf(signIn(openDesk(oidcAt(op, asked(sub))), op))).type).toBe("OAuthCallbackError")
  })

  it("is corrected by `userinfo.conform`", async () => {
    const op = await openOp()
    op.faults.userinfo = () => json({ data: op.person })
    const conform = async (response: Response): Promise<Response> =>
      json(((await response.json()) as { data: unknown }).data)
    const { profile } = await signIn(openDesk(oidcAt(op, { idToken: false, userinfo: { conform } })), op)
    expect(profile).toEqual(op.person)
  })
})

describe("the profile of a provider of plain OAuth", () => {
  it("is the response of its userinfo endpoint [spec provider userinfo]", async () => {
    const op = await openOp()
    op.person = { id: 42, name: "Ada" }
    const { profile, account } = await signIn(openDesk(oauthAt(op)), op)
    expect([profile, account.providerAccountId]).toEqual([{ id: 42, name: "Ada" }, "42"])
    expect(op.callsOf("userinfo")[0]?.headers.get("accept")).toBe("application/json")
  })

  it.each([
    ["status 401 [A-018]", () => json({ message: "no" }, 401)],
    ["status 401 with an empty identity [A-018]", () => json({ id: null }, 401)],
    ["status 500 [A-018]", () => json({ message: "no" }, 500)],
    ["status 500 with an identity [A-018]", () => json({ id: 1 }, 500)],
    ["status 304", () => new Response(null, { status: 304 })],
    ["a list", () => json([{ id: 1 }])],
    ["null", () => json(null)],
    ["a page", () => new Response('{"id":1}', { headers: { "content-type": "text/html" } })],
    ["no JSON", () => new Response("id=1")],
    ["an empty id [A-018]", () => json({ id: "" })],
  ])("that returns %s signs nobody in", async (_, fault) => {
    const op = await openOp()
    op.faults.userinfo = fault
    expect((await refusalOf(signIn(openDesk(oauthAt(op)), op))).type).toMatch(
      /^OAuth(CallbackError|ProfileParseError)$/,
    )
  })

  it("comes from `userinfo.request`, which gets the outbound fetch", async () => {
    const op = await openOp()
    const userinfo = {
      request: async ({
        tokens,
        provider,
        fetch,
      }: {
        tokens: { access_token: string }
        provider: { id: string }
        fetch: typeof op.fetch
      }) => {
        const headers = { authorization: `Bearer ${tokens.access_token}` }
        const person = (await (await fetch("https://op.test/userinfo", { headers })).json()) as object
        return { ...person, by: provider.id }
      },
    }
    expect((await signIn(openDesk(oauthAt(op, { userinfo })), op)).profile).toEqual({ ...op.person, by: "op" })
  })

  it("is an error when `userinfo.request` returns nothing", async () => {
    const op = await openOp()
    for (const request of [() => null, () => "text", () => undefined]) {
      const error = await refusalOf(signIn(openDesk(oauthAt(op, { userinfo: { request } })), op))
      expect(error.type).toBe("OAuthCallbackError")
    }
  })

  it("cannot be fetched from another host with the outbound fetch", { tags: ["threat:SS-19"] }, async () => {
    const op = await openOp()
    const request = ({ fetch }: { fetch: typeof op.fetch }): unknown => fetch("http://169.254.169.254/latest")
    const error = await refusalOf(signIn(openDesk(oauthAt(op, { userinfo: { request } })), op))
    expect([error.type, op.callsOf("other")]).toEqual(["OAuthCallbackError", []])
  })
})
