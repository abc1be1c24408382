/** Discovery: the rules for a document, how long it is cached, and who shares it. */
import { describe, expect, it } from "vitest"
import { createCaches } from "../../../src/config/caches.js"
import { customFetch } from "../../../src/config/markers.js"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../support/oauth-desk.js"
import { json, type OpFault, openOp } from "../../support/op.js"
import { makeWorld } from "../../support/world.js"

const document = "https://op.test/.well-known/openid-configuration"

describe("the address of the discovery document", () => {
  it.each([
    { issuer: "https://op.test", address: document },
    { issuer: "https://op.test/", address: document },
    {
      issuer: "https://op.test:8443/realms/a",
      address: "https://op.test:8443/realms/a/.well-known/openid-configuration",
    },
  ])(
    "follows from the issuer $issuer [spec provider issuer]",
    { tags: ["threat:M8-01", "threat:CC-01"] },
    async ({ issuer, address }) => {
      const op = await openOp({ issuer })
      await openDesk(oidcAt(op)).begin()
      expect(op.calls.map(({ url }) => url)).toEqual([address])
    },
  )

  it("can be configured [spec provider wellKnown]", { tags: ["threat:M8-01"] }, async () => {
    const op = await openOp({ issuer: "https://op.test/tenant" })
    await openDesk(
      oidcAt(op, { issuer: undefined, wellKnown: `${op.issuer}/.well-known/openid-configuration` }),
    ).begin()
    expect(op.callsOf("discovery")).toHaveLength(1)
  })

  it("is not requested when all endpoints are configured", { tags: ["threat:M8-14"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oauthAt(op, { issuer: op.issuer }))
    op.tokens = { id_token: undefined }
    await signIn(desk, op)
    expect(op.callsOf("discovery")).toHaveLength(0)
  })

  it("does not override configured endpoints", { tags: ["threat:M8-14"] }, async () => {
    const op = await openOp()
    const { url } = await openDesk(oidcAt(op, { authorization: "https://login.op.test/go" })).begin()
    expect(url.host).toBe("login.op.test")
  })
})

describe("a discovery document", () => {
  it.each([
    "https://op.test1",
    "https://op.testINVALID",
    "https://op.test/INVALID",
    "https://op.test/x",
    "https://op.test/X/..%2f",
    "http://op.test",
    "https://other.test",
    "",
    5,
    undefined,
  ])(
    "that names the issuer %j is refused before any redirect",
    { tags: ["threat:M8-02", "threat:B9-14", "threat:CC-03", "threat:FI-17"] },
    async (issuer) => {
      const op = await openOp()
      op.metadata = { issuer }
      const error = await refusalOf(openDesk(oidcAt(op)).begin())
      expect(error.type).toBe("OAuthSignInError")
      expect(op.calls.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
    },
  )

  it("may differ from the configured issuer in the slash of an empty path: it is the same address", async () => {
    const op = await openOp({ issuer: "https://op.test/" })
    const desk = openDesk(oidcAt(op, { issuer: "https://op.test" }))
    expect((await signIn(desk, op)).account.providerAccountId).toBe("person-1")
  })

  it.each([
    ["https://op.test", "https://OP.test"],
    ["https://xn--nda.test", "https://\u00f6.test"],
  ])(
    "of %s that spells it %s is of the same address, and what spells it otherwise afterwards is refused",
    {
      tags: ["threat:M8-02"],
    },
    async (issuer, spelled) => {
      const op = await openOp({ issuer })
      op.metadata = { issuer: spelled }
      const desk = openDesk(oidcAt(op))
      const { url } = await desk.begin()
      expect((await refusalOf(desk.finish(op.authorize(url)))).type).toBe("OAuthCallbackError")
      expect(op.callsOf("token")).toEqual([])
    },
  )

  const typed = (type: string): ResponseInit => ({ headers: { "content-type": type } })
  const remade =
    (make: (text: string) => Response): OpFault =>
    async (_, honest) =>
      make(await (await honest()).text())
  it.each<[string, OpFault]>([
    ["status 404", remade((text) => new Response(text, { status: 404 }))],
    ["status 201", remade((text) => new Response(text, { status: 201 }))],
    [
      "a redirect [M8-10] [FI-09]",
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
    ],
    ["a page", () => new Response("<html>", typed("text/html"))],
    ["data that calls itself a page", remade((text) => new Response(text, typed("text/html; charset=utf-8")))],
    ["nothing", () => new Response("", typed("application/json"))],
    ["a list", () => json([])],
    ["null", () => json(null)],
    ["half of it", remade((text) => new Response(text.slice(0, -10), typed("application/json")))],
    ["data behind a byte order mark", remade((text) => new Response(`\uFEFF${text}`, typed("application/json")))],
    ["UTF-16", remade((text) => new Response(Buffer.from(text, "utf16le"), typed("application/json")))],
  ])("that is %s is refused", { tags: ["threat:M8-03", "threat:FI-06"] }, async (_, fault) => {
    const op = await openOp()
    op.faults.discovery = fault
    expect((await refusalOf(openDesk(oidcAt(op)).begin())).type).toBe("OAuthSignInError")
  })

  it("may have unknown members", { tags: ["threat:M8-07", "threat:M8-08", "threat:M8-15"] }, async () => {
    const op = await openOp()
    op.metadata = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown_${index}`, index]))
    op.metadata["signed_metadata"] = "no.jwt.here"
    Object.defineProperty(op.metadata, "__proto__", { value: { polluted: true }, enumerable: true })
    await signIn(openDesk(oidcAt(op)), op)
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it.each(["token_endpoint", "jwks_uri", "userinfo_endpoint"])(
    "must not lead %s to plain http",
    { tags: ["threat:M8-06", "threat:SS-05", "threat:SS-14", "threat:SS-21", "threat:A-046"] },
    async (name) => {
      const spellings = ["[::1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost"]
      for (const host of ["op.test", "127.0.0.1", "10.0.0.1", "169.254.169.254", ...spellings]) {
        const op = await openOp()
        op.metadata = { [name]: `http://${host}/x` }
        expect((await refusalOf(openDesk(oidcAt(op)).begin())).message).toContain("http")
        expect(op.calls.map(({ url }) => url)).toEqual([document])
      }
    },
  )

  it("must not lead the aliases of clients with certificates to plain http", { tags: ["threat:M8-06"] }, async () => {
    const op = await openOp()
    op.metadata = { mtls_endpoint_aliases: { token_endpoint: "http://127.0.0.1/x" } }
    expect((await refusalOf(openDesk(oidcAt(op)).begin())).message).toContain("mtls_endpoint_aliases.token_endpoint")
    op.metadata = { mtls_endpoint_aliases: null }
    expect((await signIn(openDesk(oidcAt(op)), op)).kind).toBe("proof")
  })

  it.each(["issuer", "token_endpoint", "jwks_uri"])(
    "is refused, and its hosts are not parsed, where %s is longer than any address",
    { tags: ["threat:AL-18"] },
    async (name) => {
      const op = await openOp()
      op.metadata = { [name]: `https://${"\u0301\u0323".repeat(1100)}.test` }
      const refusal = await refusalOf(openDesk(oidcAt(op)).begin())
      expect(refusal.message).toContain(`${name} of the discovery document has 2213 characters`)
    },
  )

  it("may lead the keys to another host over https", { tags: ["threat:M8-13"] }, async () => {
    const op = await openOp()
    op.metadata = { jwks_uri: "https://keys.test/jwks" }
    const asked: Request[] = []
    const fetch = (input: string | Request | URL, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init)
      if (new URL(request.url).host !== "keys.test") return op.fetch(request)
      asked.push(request)
      return Promise.resolve(json({ keys: op.keys.map(({ jwk }) => jwk) }))
    }
    expect((await signIn(openDesk(oidcAt(op, { [customFetch]: fetch })), op)).kind).toBe("proof")
    expect(asked.map(({ url, headers }) => [url, headers.get("authorization"), headers.get("cookie")])).toEqual([
      ["https://keys.test/jwks", null, null],
    ])
  })

  it("is not requested of an issuer over plain http", { tags: ["threat:M8-04"] }, async () => {
    for (const issuer of ["http://op.test", "http://10.0.0.1", "http://localhost.op.test"]) {
      const op = await openOp({ issuer })
      await expect((async () => openDesk(oidcAt(op)).begin())()).rejects.toThrow(/http/)
      expect(op.calls).toEqual([])
    }
  })

  it("is not requested for an issuer with a query or a fragment", { tags: ["threat:M8-04"] }, async () => {
    for (const issuer of ["https://op.test/?tenant=1", "https://op.test/#a"]) {
      const op = await openOp()
      const error = await refusalOf(openDesk(oidcAt(op, { issuer })).begin())
      expect(error.message).toContain("query or a fragment")
      expect(op.calls).toEqual([])
    }
  })
})

describe("the cache of discovery documents", () => {
  it("is filled once for 200 requests with 200 new but equal configurations", async () => {
    const op = await openOp()
    const caches = createCaches()
    await Promise.all(Array.from({ length: 200 }, () => openDesk(oidcAt(op), { caches }).begin()))
    expect(op.callsOf("discovery")).toHaveLength(1)
  })

  it("keeps a document for an hour", { tags: ["threat:M8-09"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    const started = desk.now.getTime()
    for (const minutes of [0, 59, 61]) {
      desk.now = new Date(started + minutes * 60_000)
      await desk.begin()
    }
    expect(op.callsOf("discovery")).toHaveLength(2)
  })

  it("is requested once by many who begin at the same time", { tags: ["threat:M8-09"] }, async () => {
    const caches = createCaches()
    const [op, other] = [await openOp(), await openOp({ issuer: "https://op2.test" })]
    const begin = (at: typeof op): Promise<unknown> => openDesk(oidcAt(at), { caches }).begin()
    await Promise.all(Array.from({ length: 20 }, (_, index) => begin(index % 2 ? op : other)))
    expect([op, other].map((each) => each.callsOf("discovery").length)).toEqual([1, 1])
  })

  it("does not keep a failure", { tags: ["threat:M8-09", "threat:FI-01", "threat:FI-18"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    op.faults.discovery = () => json({}, 503)
    await refusalOf(desk.begin())
    op.faults = {}
    expect((await desk.begin()).url.host).toBe("op.test")
  })

  it("fails the sign-in alone: the process starts, and everything else is answered", {
    tags: ["threat:FI-18"],
  }, async () => {
    const world = await makeWorld({ strategy: "jwt" })
    world.op.faults.discovery = () => Promise.reject(new TypeError("fetch failed"))
    const browser = world.browser()
    for (const path of ["session", "providers", "csrf", "signin"])
      expect((await browser.get(`/auth/${path}`)).status).toBe(200)
    expect([world.op.calls, world.errors]).toEqual([[], []])
    const begun = await browser.post("/auth/signin/op")
    expect([begun.status, begun.location]).toEqual([302, expect.stringContaining("/auth/signin?error=")])
    expect(await browser.session()).toBeNull()
    await world.signInByMail(browser, "ada@app.test")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })

  it("works with a clock that was set back", { tags: ["threat:FI-20"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    await desk.begin()
    desk.now = new Date(desk.now.getTime() - 3600_000)
    await desk.begin()
    expect(op.callsOf("discovery")).toHaveLength(2)
  })

  it("is not shared between two `fetch` functions or two issuers", { tags: ["threat:A-074"] }, async () => {
    const caches = createCaches()
    const [honest, hostile] = [await openOp(), await openOp()]
    hostile.metadata = { token_endpoint: "https://op.test/stolen" }
    await openDesk(oidcAt(hostile), { caches }).begin()
    await openDesk(oidcAt(honest), { caches }).begin()
    expect([honest, hostile].map((op) => op.callsOf("discovery").length)).toEqual([1, 1])
    const wellKnown = document
    const error = await refusalOf(
      openDesk(oidcAt(honest, { issuer: "https://other.test", wellKnown }), { caches }).begin(),
    )
    expect(error.message).toContain("issuer")
  })
})
