/** The code becomes tokens: what an answer must be like, and what is kept of it. */
import { describe, expect, it } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../../test/support/oauth-desk.js"
import { json, openOp } from "../../../test/support/op.js"

describe("the token request", () => {
  it("repeats the redirect_uri byte by byte and carries the code once [spec provider token]", {
    tags: ["threat:B9-17", "threat:C1-08", "threat:P7-06"],
  }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    const { url } = await desk.begin("", "https://app.test/x?y=z")
    await desk.finish(op.authorize(url))
    const [{ body, method, headers, url: address } = {} as never] = op.callsOf("token")
    expect(body.get("redirect_uri")).toBe(url.searchParams.get("redirect_uri"))
    expect([method, address, body.get("grant_type")]).toEqual(["POST", "https://op.test/token", "authorization_code"])
    expect(headers.get("content-type")).toContain("application/x-www-form-urlencoded")
    expect(body.getAll("code")).toHaveLength(1)
  })

  it("sends no verifier where there is no PKCE", { tags: ["threat:P7-11"] }, async () => {
    const op = await openOp()
    await signIn(openDesk(oidcAt(op, { checks: ["state"] })), op)
    expect(op.callsOf("token")[0]?.body.has("code_verifier")).toBe(false)
  })

  it("is never repeated by itself", { tags: ["threat:FI-07", "threat:FI-08"] }, async () => {
    for (const status of [429, 500, 502, 503]) {
      const op = await openOp()
      op.faults.token = () => json({}, status)
      expect((await refusalOf(signIn(openDesk(oidcAt(op)), op))).type).toBe("OAuthCallbackError")
      expect(op.callsOf("token")).toHaveLength(1)
    }
    const op = await openOp()
    op.faults.token = () => Promise.reject(Object.assign(new TypeError("reset"), { code: "ECONNRESET" }))
    expect(await refusalOf(signIn(openDesk(oidcAt(op)), op))).toMatchObject({
      type: "ProviderUnavailable",
      cause: { code: "ECONNRESET" },
    })
    expect(op.callsOf("token")).toHaveLength(1)
  })
})

describe("the token answer", () => {
  type Answer = (call: unknown, honest: () => Promise<Response>) => Response | Promise<Response>
  it.each<[string, Answer]>([
    ["an error with status 200 [A-057]", () => json({ error: "bad_verification_code" })],
    ["an empty object", () => json({})],
    ["a text", () => new Response("ok")],
    ["empty [FI-06]", () => new Response("")],
    ["null", () => json(null)],
    ["a list", () => json([])],
    ["an empty access token", () => json({ access_token: "", token_type: "bearer" })],
    ["a number as access token", () => json({ access_token: 5, token_type: "bearer" })],
    ["a type of token that is not a string", () => json({ access_token: "a", token_type: 5 })],
    ["a scope that is a list", () => json({ access_token: "a", token_type: "bearer", scope: ["a"] })],
    ["a negative lifetime", () => json({ access_token: "a", token_type: "bearer", expires_in: -1 })],
    ["right, with status 201 [C1-10]", async (_, honest) => json(await (await honest()).json(), 201)],
    ["status 204 [C1-10]", () => new Response(null, { status: 204 })],
    ["a redirect [FI-09]", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } })],
    ["right, with status 302 [C1-10]", async (_, honest) => json(await (await honest()).json(), 302)],
    [
      "right, as a page [C1-10]",
      async (_, honest) =>
        new Response((await honest()).body, { headers: { "content-type": "text/html; charset=utf-8" } }),
    ],
    ["a challenge", () => new Response("{}", { status: 401, headers: { "www-authenticate": "Basic" } })],
  ])("that is %s signs nobody in", async (_, fault) => {
    let mapped = 0
    const op = await openOp()
    op.faults.token = fault
    const profile = (): object => ({ id: `${mapped++}` })
    for (const provider of [oauthAt(op, { profile }), oidcAt(op, { profile })]) {
      expect((await refusalOf(signIn(openDesk(provider), op))).type).toBe("OAuthCallbackError")
    }
    expect([mapped, op.callsOf("userinfo")]).toEqual([0, []])
  })

  it("of OpenID Connect is refused with a type nobody knows", { tags: ["threat:C1-09"] }, async () => {
    const op = await openOp()
    op.tokens = { token_type: "mac" }
    expect((await refusalOf(signIn(openDesk(oidcAt(op)), op))).type).toBe("OAuthCallbackError")
    op.tokens = { token_type: undefined }
    expect((await signIn(openDesk(oidcAt(op)), op)).account.token_type).toBe("bearer")
  })

  it.each([200, 400, 401, 503])(
    "with status %d keeps the provider's error code in the cause",
    { tags: ["threat:P7-05"] },
    async (status) => {
      const op = await openOp()
      op.faults.token = () => {
        const answer = json({ error: "bad_verification_code", error_description: "The code is wrong." }, status)
        answer.headers.set("www-authenticate", 'Basic realm="op"')
        return answer
      }
      expect((await refusalOf(signIn(openDesk(oauthAt(op)), op))).cause).toMatchObject({
        error: "bad_verification_code",
        description: "The code is wrong.",
      })
    },
  )

  it("is a refusal by its status, whatever else it holds", async () => {
    const op = await openOp()
    op.faults.token = () => json({ error: "invalid_grant", access_token: "a", token_type: "bearer" }, 400)
    const error = await refusalOf(signIn(openDesk(oauthAt(op)), op))
    expect(error.message).toContain("refused the code")
  })

  it("is corrected by `token.conform`, which gets a copy; undefined keeps it", async () => {
    const op = await openOp()
    op.tokens = { token_type: undefined, id_token: undefined }
    const corrected = async (response: Response): Promise<Response> =>
      json({ ...((await response.json()) as object), token_type: "bearer" })
    const token = { url: "https://op.test/token", conform: corrected }
    expect((await signIn(openDesk(oauthAt(op, { token })), op)).account.token_type).toBe("bearer")
    op.tokens = { id_token: undefined }
    const look = async (response: Response): Promise<undefined> => {
      await response.text()
    }
    const kept = { url: "https://op.test/token", conform: look }
    expect((await signIn(openDesk(oauthAt(op, { token: kept })), op)).account.token_type).toBe("bearer")
  })

  it("comes from `token.request` where the provider sends the request itself", async () => {
    const op = await openOp()
    const seen: Record<string, unknown>[] = []
    const token = {
      request: ({ provider, ...given }: Record<string, unknown>) => {
        seen.push({ ...given, id: (provider as { id: string }).id })
        return { tokens: { access_token: "own", expires_in: 60 } }
      },
    }
    op.faults.userinfo = () => json({ sub: "person-1" })
    const { account } = await signIn(openDesk(oauthAt(op, { token })), op)
    expect(account).toMatchObject({ access_token: "own", token_type: "bearer", providerAccountId: "person-1" })
    const params = { code: expect.any(String), state: expect.any(String) }
    const redirectUri = "https://app.test/auth/callback/op"
    expect(seen).toMatchObject([{ params, redirectUri, checks: { code_verifier: expect.any(String) }, id: "op" }])
    expect(op.callsOf("token")).toEqual([])
  })

  it("is not asked of `token.request` without a code", async () => {
    const op = await openOp()
    const token = { request: () => ({ tokens: { access_token: "own" } }) }
    op.faults.userinfo = () => json({ sub: "person-1" })
    const error = await refusalOf(signIn(openDesk(oauthAt(op, { token })), op, { code: undefined }))
    expect(error.message).toContain("neither a code nor an error")
  })

  it("that a hook makes invalid is an error", async () => {
    const op = await openOp()
    const broken = (): never => {
      throw new Error("boom")
    }
    for (const token of [{ url: "https://op.test/token", conform: broken }, { request: broken }]) {
      expect((await refusalOf(signIn(openDesk(oauthAt(op, { token })), op))).message).toContain("boom")
    }
  })
})

describe("the tokens of an account", () => {
  const now = new Date("2030-01-01")
  const accountOf = async (tokens: object, over: object = {}) => {
    const op = await openOp()
    op.now = () => now.getTime() / 1000
    op.tokens = { id_token: undefined, ...tokens }
    return signIn(openDesk(oauthAt(op, over), { now }), op)
  }

  it("have the expiry of the access token, computed from its lifetime [spec account expires_at]", async () => {
    for (const expires_in of [3600, "3600"]) {
      const { account, stored } = await accountOf({ expires_in })
      expect([account.expires_at, stored?.expires_at]).toEqual([1893459600, 1893459600])
    }
    expect((await accountOf({ expires_in: undefined })).account.expires_at).toBeUndefined()
    expect((await accountOf({ expires_in: 0 })).account.expires_at).toBeUndefined()
  })

  it.each([1e20, "1e20", Number.MAX_SAFE_INTEGER])(
    "have no expiry if the lifetime is infinite: %s",
    async (expires_in) => {
      const { account, stored } = await accountOf({ expires_in }, { account: (tokens: object) => tokens })
      for (const kept of [account, stored]) {
        expect(kept?.expires_at).toBeUndefined()
        expect(kept?.["expires_in"]).toBeUndefined()
      }
    },
  )

  it.each([
    ["BEARER", "bearer"],
    ["DPoP", "dpop"],
    ["MAC", "mac"],
    ["JWT", "jwt"],
    ["constructor", "constructor"],
    ["__proto__", "__proto__"],
    ["", "bearer"],
    [null, "bearer"],
    [undefined, "bearer"],
  ])("name their type in lower case: %s is %s [spec account token_type]", async (token_type, expected) => {
    const { account, stored } = await accountOf({ token_type })
    expect([account.token_type, stored?.token_type]).toEqual([expected, expected])
  })

  it("are stored as far as the usual ones go [spec provider account]", async () => {
    const extra = { refresh_token: "r", scope: "a b", session_state: "s", foo: "bar" }
    const { account, stored } = await accountOf(extra)
    expect(account).toMatchObject({ ...extra, expires_in: 3600 })
    expect(Object.keys(stored ?? {}).sort()).toEqual([
      "access_token",
      "expires_at",
      "provider",
      "providerAccountId",
      "refresh_token",
      "scope",
      "session_state",
      "token_type",
      "type",
    ])
  })

  it("are stored as the provider's `account` chooses [spec provider account]", async () => {
    const tokens = { refresh_token: "r" }
    const key = { provider: "op", type: "oauth", providerAccountId: "person-1" }
    const account = ({ refresh_token }: { refresh_token?: string }): object => ({ refresh_token, extra: 1 })
    expect((await accountOf(tokens, { account })).stored).toEqual({ ...key, refresh_token: "r", extra: 1 })
    expect((await accountOf(tokens, { account: () => undefined })).stored).toEqual(key)
  })

  it("never name the account or its owner", { tags: ["threat:PP-14"] }, async () => {
    const forged = { provider: "x", providerAccountId: "x", type: "email", userId: "victim", id: "x", user: "x" }
    const account = (tokens: object): object => tokens
    const { account: passed, stored } = await accountOf(forged, { account })
    for (const kept of [passed, stored]) {
      expect(kept).toMatchObject({ provider: "op", providerAccountId: "person-1", type: "oauth" })
      expect(Object.keys(kept ?? {})).not.toEqual(expect.arrayContaining(["userId"]))
      expect(kept).not.toHaveProperty("id")
    }
  })
})
