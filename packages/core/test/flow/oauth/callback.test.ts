/** The callback: which requests are accepted, by which method, and the meaning of its errors. */
import { describe, expect, it } from "vitest"
import { createCaches } from "../../../src/config/caches.js"
import { selectMethod } from "../../../src/methods/select.js"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../support/oauth-desk.js"
import { openOp } from "../../support/op.js"
import { makeWorld } from "../../support/world.js"

describe("the callback of an OAuth provider", () => {
  it("signs in a person who agreed, and keeps the return address of the flow [spec authentication 4] [spec action callback GET]", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    const { url } = await desk.begin("", "https://app.test/deep?x=1")
    expect(await desk.finish(op.authorize(url))).toMatchObject({
      kind: "proof",
      returnTo: "https://app.test/deep?x=1",
      account: { provider: "op", type: "oidc", providerAccountId: "person-1" },
    })
  })

  it("is refused without any check cookie, before a request is sent to the provider [spec provider checks] [B9-02] [CS-10] [A-139] [P7-09]", async () => {
    for (const checks of [["pkce"], ["state"], ["nonce"], ["state", "pkce", "nonce"]]) {
      const op = await openOp()
      const desk = openDesk(oidcAt(op, { checks }))
      const { url } = await desk.begin()
      desk.cookies.clear()
      const error = await refusalOf(desk.finish(op.authorize(url)))
      expect([error.type, op.callsOf("token").length]).toEqual(["InvalidCheck", 0])
    }
  })

  it("is refused when the flow began in another browser [B9-03] [B9-24] [U-21]", async () => {
    for (const checks of [["state"], ["pkce", "state"]]) {
      const op = await openOp()
      const [victim, attacker] = [openDesk(oidcAt(op, { checks })), openDesk(oidcAt(op, { checks }))]
      await victim.begin()
      const { url } = await attacker.begin()
      const error = await refusalOf(victim.finish(op.authorize(url)))
      expect([error.type, op.callsOf("token").length]).toEqual(["InvalidCheck", 0])
    }
  })

  it("fails at the provider with the code of another browser and the state of this one [B9-24] [P7-07]", async () => {
    const op = await openOp()
    const [victim, attacker] = [openDesk(oidcAt(op)), openDesk(oidcAt(op))]
    const [ours, theirs] = [await victim.begin(), await attacker.begin()]
    const back = op.authorize(ours.url)
    back.searchParams.set("code", op.authorize(theirs.url).searchParams.get("code") ?? "")
    const error = await refusalOf(victim.finish(back))
    expect([error.type, error.cause?.["error"]]).toEqual(["OAuthCallbackError", "invalid_grant"])
  })

  it.each([[["nonce"]], [["state", "nonce"]]])(
    "is refused with the code of another browser and the state of this one where only %j is checked [B9-24]",
    async (checks) => {
      const op = await openOp()
      const [victim, attacker] = [openDesk(oidcAt(op, { checks })), openDesk(oidcAt(op, { checks }))]
      const [ours, theirs] = [await victim.begin(), await attacker.begin()]
      const back = op.authorize(ours.url)
      back.searchParams.set("code", op.authorize(theirs.url).searchParams.get("code") ?? "")
      expect((await refusalOf(victim.finish(back))).message).toContain("nonce")
      expect(op.callsOf("token")).toHaveLength(1)
    },
  )

  it("is refused after more than 15 minutes [FI-22] [P7-10]", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    const { url } = await desk.begin()
    desk.now = new Date(desk.now.getTime() + 16 * 60_000)
    expect((await refusalOf(desk.finish(op.authorize(url)))).type).toBe("InvalidCheck")
  })

  it("is refused with the checks of another provider [B9-04] [B9-23]", async () => {
    const op = await openOp()
    const hostile = await openOp({ issuer: "https://op2.test" })
    const providers = [
      { ...oidcAt(op), id: "a" },
      { ...oidcAt(hostile), id: "b" },
    ] as never
    const desk = openDesk(oidcAt(op), { config: { providers } })
    const { url } = await desk.begin()
    expect(url.searchParams.get("redirect_uri")).toBe("https://app.test/auth/callback/a")
    const back = op.authorize(url)
    back.pathname = "/auth/callback/b"
    back.searchParams.delete("iss")
    expect((await refusalOf(desk.finish(back))).type).toBe("InvalidCheck")
    expect(hostile.callsOf("token")).toEqual([])
  })

  it("finishes the sign-ins of any two of three tabs [RC-20] [P7-12]", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, { checks: ["state", "pkce", "nonce"] }))
    const flows = [await desk.begin("", "https://app.test/1"), await desk.begin("", "https://app.test/2")]
    for (const [index, { url }] of flows.entries()) {
      expect((await desk.finish(op.authorize(url))).returnTo).toBe(`https://app.test/${index + 1}`)
    }
  })

  it("is refused when it has neither a code nor an error", async () => {
    const op = await openOp()
    expect((await refusalOf(signIn(openDesk(oidcAt(op)), op, { code: undefined }))).type).toBe("OAuthCallbackError")
    expect(op.callsOf("token")).toEqual([])
  })

  it.each(["iss", "code", "state", "error"])("is refused with %s twice [I9-05]", async (name) => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    const back = op.authorize((await desk.begin()).url)
    back.searchParams.append(name, back.searchParams.get(name) ?? "a")
    back.searchParams.append(name, "b")
    const { type, status } = await refusalOf(desk.finish(back))
    // It came from a browser, and says nothing of the provider.
    expect([type, status]).toEqual(["OAuthCallbackError", 400])
    expect(op.callsOf("token")).toEqual([])
  })

  it("is refused with the issuer twice, also at a provider whose issuer is not checked [I9-05]", async () => {
    const op = await openOp()
    const desk = openDesk(oauthAt(op))
    const back = op.authorize((await desk.begin()).url)
    back.searchParams.append("iss", "https://evil.test")
    expect((await refusalOf(desk.finish(back))).message).toContain("more than once")
  })

  it.each(["id_token", "token", "response"])(
    "is refused when it brings %s through the browser [B9-09]",
    async (name) => {
      const op = await openOp()
      const error = await refusalOf(signIn(openDesk(oidcAt(op)), op, { [name]: "x" }))
      expect([error.type, op.callsOf("token").length]).toEqual(["OAuthCallbackError", 0])
    },
  )

  it("may have unknown parameters [C1-06]", async () => {
    const op = await openOp()
    const extra = { session_state: "s", hd: "ignored", __proto__x: "y", ["__proto__"]: "y", access_token: "ignored" }
    const { account, profile, user } = await signIn(openDesk(oidcAt(op)), op, extra)
    expect(account.access_token).toMatch(/^at-/)
    for (const part of [account, profile, user]) {
      expect(Object.getPrototypeOf(part)).toBe(Object.prototype)
      for (const name of ["session_state", "hd", "__proto__x"]) expect(part).not.toHaveProperty(name)
      expect(Object.hasOwn(part ?? {}, "__proto__")).toBe(false)
    }
  })
})

describe("the parameter iss of the authorization response", () => {
  it.each(["", "https://op.test/", "https://OP.test", "https://op.test:443", "https://op%2Etest", "https://evil.test"])(
    "is compared letter by letter: %s [I9-01] [I9-03]",
    async (iss) => {
      const op = await openOp()
      const error = await refusalOf(signIn(openDesk(oidcAt(op)), op, { iss }))
      expect([error.type, op.callsOf("token").length]).toEqual(["OAuthCallbackError", 0])
    },
  )

  it("is needed where the provider announces it, and only there [I9-02] [I9-06]", async () => {
    const op = await openOp()
    expect((await signIn(openDesk(oidcAt(op)), op, { iss: undefined })).kind).toBe("proof")
    op.metadata = { authorization_response_iss_parameter_supported: true }
    const error = await refusalOf(signIn(openDesk(oidcAt(op)), op, { iss: undefined }))
    expect([error.type, op.callsOf("token").length]).toEqual(["OAuthCallbackError", 1])
  })

  it("is needed of the provider that announces it while another one does not [I9-06]", async () => {
    const caches = createCaches()
    const [announcing, silent] = [await openOp(), await openOp({ issuer: "https://op2.test" })]
    announcing.metadata = { authorization_response_iss_parameter_supported: true }
    for (const _ of ["first", "again"]) {
      const refused = signIn(openDesk(oidcAt(announcing), { caches }), announcing, { iss: undefined })
      expect((await refusalOf(refused)).type).toBe("OAuthCallbackError")
      expect((await signIn(openDesk(oidcAt(silent), { caches }), silent, { iss: undefined })).kind).toBe("proof")
    }
    expect(announcing.callsOf("token")).toEqual([])
  })

  it("is checked before an error is accepted [I9-04]", async () => {
    const op = await openOp()
    const error = await refusalOf(
      signIn(openDesk(oidcAt(op)), op, { error: "access_denied", iss: "https://evil.test" }),
    )
    expect([error.type, error.cause?.["code"]]).not.toContain("access_denied")
  })

  it("is ignored for a provider without an issuer [I9-10]", async () => {
    const op = await openOp()
    expect((await signIn(openDesk(oauthAt(op)), op, { iss: "https://anything.test" })).kind).toBe("proof")
    expect(op.calls.map(({ url }) => new URL(url).host)).toEqual(["op.test", "op.test"])
  })
})

describe("the response mode form_post", () => {
  const formPost = { authorization: { params: { response_mode: "form_post" } }, checks: ["state", "pkce", "nonce"] }

  it("is read from the body [B9-20] [CF-01] [I9-07]", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, formPost))
    expect((await desk.finish(op.authorize((await desk.begin()).url), true)).kind).toBe("proof")
    const back = op.authorize((await desk.begin()).url, { iss: "https://evil.test" })
    expect((await refusalOf(desk.finish(back, true))).type).toBe("OAuthCallbackError")
  })

  it.each<[string, (back: URLSearchParams) => void]>([
    ["an empty issuer", (back) => back.set("iss", "")],
    ["the issuer with a slash", (back) => back.set("iss", "https://op.test/")],
    ["the issuer in another case", (back) => back.set("iss", "https://OP.test")],
    ["the issuer with its port", (back) => back.set("iss", "https://op.test:443")],
    ["no issuer, which was announced", (back) => back.delete("iss")],
    [
      "an error in the name of another issuer",
      (back) => {
        back.set("error", "x")
        back.set("iss", "https://evil.test")
      },
    ],
    ...["iss", "code", "state", "error"].map((name): [string, (back: URLSearchParams) => void] => [
      `${name} twice`,
      (back) => {
        for (const value of ["a", "b"]) back.append(name, value)
      },
    ]),
  ])("is refused with %s [I9-07]", async (_, change) => {
    const op = await openOp()
    op.metadata = { authorization_response_iss_parameter_supported: true }
    const desk = openDesk(oidcAt(op, formPost))
    const back = op.authorize((await desk.begin()).url)
    change(back.searchParams)
    const error = await refusalOf(desk.finish(back, true))
    expect([error.type, op.callsOf("token")]).toEqual(["OAuthCallbackError", []])
    expect([undefined, "OAUTH_INVALID_RESPONSE"]).toContain(error.cause?.["code"])
  })

  it("is required if it was requested, and refused otherwise [B9-20] [CS-26]", async () => {
    const op = await openOp()
    for (const [over, asForm, allow] of [
      [formPost, false, ["POST"]],
      [{}, true, ["GET", "HEAD"]],
    ] as const) {
      const desk = openDesk(oidcAt(op, over))
      const error = await refusalOf(desk.finish(op.authorize((await desk.begin()).url), asForm))
      expect(error).toMatchObject({ type: "UnknownAction", status: 405, allow })
    }
    expect(op.callsOf("token")).toEqual([])
  })

  it("takes nothing from the query, and no value that is not a string [B9-20]", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, formPost))
    const back = op.authorize((await desk.begin()).url)
    const inQuery = await desk.context(`${back.pathname}${back.search}`, {
      method: "POST",
      body: new URLSearchParams(),
    })
    expect((await refusalOf(selectMethod(inQuery).finish())).type).toBe("InvalidCheck")
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ ...Object.fromEntries(back.searchParams), code: ["a"] })
    const asList = await desk.context(back.pathname, { method: "POST", headers, body })
    const { status, message } = await refusalOf(selectMethod(asList).finish())
    expect([status, message]).toEqual([400, expect.stringContaining("other than a string")])
    expect(op.callsOf("token")).toEqual([])
  })

  it("shows an error that was posted [CF-15]", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, formPost))
    const back = op.authorize((await desk.begin()).url, { error: "login_required", code: undefined })
    const error = await refusalOf(desk.finish(back, true))
    expect([error.type, error.cause?.["code"]]).toEqual(["OAuthCallbackError", "login_required"])
  })

  it("is a post from the page of the provider, which has no token of ours, and ends at a page where it is an error [CF-01] [CF-15] [C1-47] [CS-26]", async () => {
    const params = { response_mode: "form_post", max_age: "0", prompt: "none" }
    const world = await makeWorld({ strategy: "jwt", provider: { authorization: { params } } })
    const foreign = {
      "content-type": "application/x-www-form-urlencoded",
      origin: "https://op.test",
      "sec-fetch-site": "cross-site",
    }
    const come = async (extra: Record<string, string | undefined>) => {
      const browser = world.browser()
      const begun = await browser.post("/auth/signin/op")
      const checks = begun.headers.getSetCookie().filter((line) => /state|pkce/.test(line.split("=")[0] ?? ""))
      const asked = new URL(begun.location ?? "").searchParams
      const { pathname, searchParams } = world.op.authorize(begun.location ?? "", extra)
      const visit = await browser.send(pathname, { method: "POST", headers: foreign, body: searchParams.toString() })
      return { browser, asked, checks, visit }
    }
    const good = await come({})
    expect([good.asked.get("max_age"), good.asked.get("prompt"), good.checks.length]).toEqual(["0", "none", 2])
    for (const line of good.checks) expect(line).toMatch(/; Secure.*; SameSite=None/)
    world.op.idToken = { auth_time: world.op.now() }
    const signedIn = await come({})
    expect([signedIn.visit.location, await signedIn.browser.session()]).toEqual([
      "https://app.test/",
      expect.objectContaining({ user: expect.objectContaining({ name: "Ada" }) }),
    ])
    // Nobody who did not begin it.
    const stolen = world.op.authorize((await world.browser().post("/auth/signin/op")).location ?? "")
    const body = stolen.searchParams.toString()
    const victim = world.browser()
    const refused = await victim.send(stolen.pathname, { method: "POST", headers: foreign, body })
    expect([refused.location?.includes("error=OAuthCallbackError"), await victim.session()]).toEqual([true, null])
    const { visit, browser, checks } = await come({ error: "login_required", code: undefined })
    expect(visit.location).toMatch(/^https:\/\/app\.test\/auth\/signin\?error=OAuthCallbackError&/)
    expect((await browser.get(visit.location ?? "")).status).toBe(200)
    expect(await browser.session()).toBeNull()
    for (const line of checks) expect(browser.cookie(line.split("=")[0] ?? "")).toBeUndefined()
  })
})

describe("an error of the provider", () => {
  it.each([
    "invalid_request",
    "unauthorized_client",
    "access_denied",
    "unsupported_response_type",
    "invalid_scope",
    "server_error",
    "temporarily_unavailable",
    "interaction_required",
    "login_required",
    "account_selection_required",
    "consent_required",
    "invalid_request_uri",
    "invalid_request_object",
    "request_not_supported",
    "request_uri_not_supported",
    "registration_not_supported",
    "unmet_authentication_requirements",
    "made_up_by_somebody",
  ])(
    "%s keeps its code, also beside a code [spec signin-page OAuthCallbackError] [C1-04] [C1-05] [FI-21]",
    async (code) => {
      const op = await openOp()
      const error = await refusalOf(signIn(openDesk(oidcAt(op)), op, { error: code }))
      expect([error.type, error.cause?.["code"], error.cause?.["provider"]]).toEqual(["OAuthCallbackError", code, "op"])
      expect(op.callsOf("token")).toEqual([])
    },
  )

  it.each(["access_denied", "user_cancelled_authorize", "user_cancelled_login"])(
    "%s means that the person cancelled",
    async (code) => {
      const op = await openOp()
      const error = await refusalOf(signIn(openDesk(oauthAt(op)), op, { error: code, code: undefined }))
      expect(error.cause).toMatchObject({ code: "access_denied", error: code })
    },
  )

  it("is not repeated when it is not a valid error code, and its description is sanitised [C1-04]", async () => {
    const op = await openOp()
    const extra = { error: 'x"\r\nSet-Cookie: a=b', error_description: "line\r\nbreak \u0000 <script>" }
    const { cause, message } = await refusalOf(signIn(openDesk(oidcAt(op)), op, extra))
    expect(cause?.["code"]).toBeUndefined()
    expect(cause?.["description"]).toBe("line break   <script>")
    expect(message).not.toContain("Set-Cookie")
  })
})
