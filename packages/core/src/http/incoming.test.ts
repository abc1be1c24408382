import { describe, expect, it, vi } from "vitest"
import { post, settingsOf } from "../../test/support/facts.js"
import { readIncoming } from "../../test/support/read-incoming.js"
import { pairs } from "../../test/support/shared-members.js"
import { asRequest, craftIncoming, type Incoming, isPrefetch, wantsPage } from "./incoming.js"

const settings = settingsOf()
const read = (path: string, init: RequestInit = {}): Promise<Incoming> =>
  readIncoming(new Request(new URL(path, "https://app.test"), init), settings)
const problemOf = ({ problem }: Incoming): unknown => problem && { ...problem }

describe("reading a request", () => {
  it("reads a GET", async () => {
    const incoming = await read("/auth/signin/github?a=1&a=2&b=x%20y#z", {
      headers: { cookie: "c=1; d=2", accept: "text/HTML" },
    })
    expect(incoming).toMatchObject({
      route: { action: "signin", provider: "github" },
      method: "GET",
      isHead: false,
      origin: "https://app.test",
      isSecure: true,
      url: "https://app.test/auth/signin/github?a=1&a=2&b=x%20y",
      query: { a: "2", b: "x y" },
      form: {},
      caller: "browser",
      problem: undefined,
    })
    expect([...incoming.cookies]).toEqual([
      ["c", "1"],
      ["d", "2"],
    ])
  })

  it("reads the form of a POST", async () => {
    const incoming = await readIncoming(post("https://app.test/auth/signin", { email: "a@b.test" }), settings)
    expect(incoming).toMatchObject({ method: "POST", form: { email: "a@b.test" }, problem: undefined })
  })

  it("reads HEAD as a GET that must not consume anything", { tags: ["threat:CS-24", "threat:CT-21"] }, async () => {
    expect(await read("/auth/callback/x?token=1", { method: "HEAD" })).toMatchObject({
      method: "GET",
      isHead: true,
      problem: undefined,
    })
  })

  it.each([
    [{ "sec-purpose": "prefetch;prerender" }, true],
    [{ purpose: "Prefetch" }, true],
    [{ "x-moz": "prefetch" }, true],
    [{ purpose: "other" }, false],
    [{}, false],
  ])("recognises a prefetch by %j: %s", { tags: ["threat:CS-25"] }, async (headers, isOne) => {
    expect(isPrefetch(await read("/auth/callback/x", { headers: headers as HeadersInit }))).toBe(isOne)
  })

  it.each([
    [{ accept: "text/HTML" }, true],
    [{ accept: "application/json, text/html;q=0.5" }, true],
    [{ accept: "text/html", "x-auth-return-redirect": "1" }, false],
    [{ accept: "*/*" }, false],
    [{}, false],
  ])("is answered with a page where the headers are %j: %s", async (headers, isPage) => {
    expect(wantsPage(await read("/auth/signin", { headers: headers as HeadersInit }))).toBe(isPage)
  })

  it("takes a call in this process for neither a prefetch nor for a page, whatever its headers are", () => {
    const headers = { accept: "text/html", purpose: "prefetch" }
    const call = craftIncoming({ url: "https://app.test/", headers }, { action: "session", method: "GET" }, settings)
    expect([isPrefetch(call), wantsPage(call)]).toEqual([false, false])
  })

  it.each([
    [{ "x-auth-return-redirect": "1" }, "script"],
    [{ "X-Auth-Return-Redirect": "" }, "script"],
    [{ "x-auth-return-redirect": "0, https://evil.test" }, "script"],
    [{ "x-auth-return-redirect-x": "1" }, "browser"],
    [{}, "browser"],
  ])("derives the caller %s from %j, never an integration", { tags: ["threat:CT-26"] }, async (headers, caller) => {
    expect((await read("/auth/signin", { headers: headers as HeadersInit })).caller).toBe(caller)
  })

  it.each([
    ["/auth/unknown", "GET", "UnknownAction", 404],
    ["/auth/callback/github/extra", "POST", "UnknownAction", 404],
    ["/other", "PUT", "UnknownAction", 404],
    ["/auth/session", "PUT", "UnknownAction", 405],
    ["/auth/session", "OPTIONS", "UnknownAction", 405],
    ["/auth/csrf", "DELETE", "UnknownAction", 405],
    ["/auth/csrf", "PATCH", "UnknownAction", 405],
    ["/auth/csrf", "patch", "UnknownAction", 405],
    ["/auth/signin", "PROPFIND", "UnknownAction", 405],
    ["/auth/signout", "X-POST", "UnknownAction", 405],
  ])("finds wrong with %s by %s: %s, %i", { tags: ["threat:CT-21"] }, async (path, method, type, status) => {
    expect(problemOf(await read(path, { method }))).toMatchObject({ type, status })
  })

  it.each([
    ["/auth/session", ["GET", "HEAD", "POST"]],
    ["/auth/csrf", ["GET", "HEAD"]],
  ])("says which methods serve %s", async (path, allow) => {
    expect(problemOf(await read(path, { method: "PUT" }))).toMatchObject({ allow })
  })

  it.each([
    ["text/plain", "csrfToken=x", 415],
    ["application/json", "{", 400],
    ["application/x-www-form-urlencoded", "a".repeat(300_000), 413],
  ])("finds wrong with a body of %s what its status says", async (type, body, status) => {
    const incoming = await read("/auth/signin", { method: "POST", body, headers: { "content-type": type } })
    expect(problemOf(incoming)).toMatchObject({ type: "UnreadableRequest", status })
    expect({ ...incoming.form }).toEqual({})
  })

  it("does not read the body of a request that is refused anyway", async () => {
    const request = post("https://app.test/auth/unknown", { a: "1" })
    await readIncoming(request, settings)
    expect(request.bodyUsed).toBe(false)
    const strict = settingsOf({ trustHost: undefined }, { NODE_ENV: "production" })
    const distrusted = post("https://evil.test/auth/signin", { a: "1" })
    expect((await readIncoming(distrusted, strict)).problem?.type).toBe("UntrustedHost")
    expect(distrusted.bodyUsed).toBe(false)
  })

  it("ignores the body of a GET, and headers that would change the method", {
    tags: ["threat:CT-20", "threat:CS-20"],
  }, async () => {
    const headers = { "x-http-method-override": "POST", "content-type": "application/json" }
    expect(await read("/auth/signin?_method=POST", { headers })).toMatchObject({ method: "GET", form: {} })
  })

  it("ignores every header that names a host", {
    tags: ["threat:HO-03", "threat:HO-22", "threat:HO-23", "threat:HO-27", "threat:HO-28"],
  }, async () => {
    const headers = {
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "http",
      "x-forwarded-port": "1",
      "x-forwarded-prefix": "//evil.test",
      "x-forwarded-server": "evil.test",
      "x-host": "evil.test",
      "x-original-host": "evil.test",
      forwarded: "host=evil.test;proto=http",
    }
    const both = await Promise.all([
      read("/auth/session", { headers }),
      readIncoming(new Request("https://b.test/auth/session"), settings),
    ])
    expect(both.map(({ url }) => url)).toEqual(["https://app.test/auth/session", "https://b.test/auth/session"])
  })

  it("puts the configured origin in place of the request's", { tags: ["threat:HO-02"] }, async () => {
    const fixed = settingsOf({}, { AUTH_URL: "https://app.test/auth" })
    const incoming = await readIncoming(new Request("http://evil.test:8080/auth/session?x=1"), fixed)
    expect(incoming).toMatchObject({
      origin: "https://app.test",
      isSecure: true,
      url: "https://app.test/auth/session?x=1",
    })
  })

  it("reads a thousand names of an address, and refuses more", { tags: ["threat:AL-17"] }, async () => {
    const named = (count: number): string => Array.from({ length: count }, (_, index) => `f${index}=`).join("&")
    expect((await read(`/auth/error?${named(1000)}`)).problem).toBeUndefined()
    for (const query of [named(1001), named(100_000)])
      expect((await read(`/auth/error?${query}`)).problem).toMatchObject({ type: "UnreadableRequest", status: 400 })
  })

  it("keeps the names of the prototype apart", { tags: ["threat:PP-04", "threat:PA-21"] }, async () => {
    const { query, form } = await read("/auth/error?__proto__=x&toString=y&x=/auth/signin")
    expect({ ...query }).toEqual({ toString: "y", x: "/auth/signin" })
    expect([query, form].map((record) => Object.getPrototypeOf(record))).toEqual([null, null])
    expect(query["valueOf"]).toBeUndefined()
  })

  it("bounds the query", { tags: ["threat:CT-18"] }, async () => {
    const many = Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join("&")
    expect(problemOf(await read(`/auth/error?${many}`))).toMatchObject({ type: "UnreadableRequest", status: 400 })
    expect(problemOf(await read(`/auth/error?${"a&".repeat(10_000)}`))).toMatchObject({ status: 400 })
    expect(problemOf(await read(`/auth/error?x=${"a".repeat(65_536)}`))).toMatchObject({ status: 400 })
    expect(problemOf(await read(`/auth/error?x=${"a".repeat(60_000)}`))).toBeUndefined()
  })

  it("reads a query of broken escapes and foreign bytes", {
    tags: ["threat:CT-17", "threat:CT-19", "threat:HT-21", "threat:HT-22"],
  }, async () => {
    const listed = await read("/auth/error?a[]=1&a[0]=2&b[c]=3")
    expect({ ...listed.query }).toEqual({ "a[]": "1", "a[0]": "2", "b[c]": "3" })
    const { query } = await read("/auth/error?a=%&b=%c0%bc&c=%253Cscript%253E&d=\u00e4&e=%3Cscript%3E")
    expect({ ...query }).toEqual({ a: "%", b: "\ufffd\ufffd", c: "%3Cscript%3E", d: "ä", e: "<script>" })
  })
})

describe("craftIncoming", () => {
  const source = { url: "https://app.test/some/page?x=1", headers: { cookie: "a=1" } }

  it("makes what an action needs", () => {
    const call = {
      action: "signin",
      provider: "github",
      method: "POST",
      query: { scope: "a b", no: undefined },
      form: { x: 1 },
    } as const
    expect(craftIncoming(source, call, settings)).toMatchObject({
      route: { action: "signin", provider: "github" },
      method: "POST",
      origin: "https://app.test",
      isSecure: true,
      url: "https://app.test/auth/signin/github?scope=a+b",
      query: { scope: "a b" },
      form: { x: 1 },
      cookies: new Map([["a", "1"]]),
      caller: "server",
      problem: undefined,
    })
  })

  it.each([
    ["Headers", new Headers({ Cookie: "a=1" }), "1"],
    ["a record of Node", { cookie: "a=1" }, "1"],
    ["a record in another case", { Cookie: "a=1" }, "1"],
    ["a list", { cookie: ["a=1", "b=2"] }, "1"],
    ["a record without", { host: "x" }, undefined],
    ["an absent value", { cookie: undefined }, undefined],
  ])("reads cookies from %s", (_kind, headers, value) => {
    const { cookies } = craftIncoming(
      { url: "https://app.test", headers },
      { action: "session", method: "GET" },
      settings,
    )
    expect(cookies.get("a")).toBe(value)
  })

  it("takes a request for a source", () => {
    const request = new Request("http://localhost:3000/page", { headers: { cookie: "a=1" } })
    const { origin, cookies } = craftIncoming(request, { action: "session", method: "GET" }, settings)
    expect([origin, cookies.get("a")]).toEqual(["http://localhost:3000", "1"])
  })

  it("names the missing information", () => {
    const craft = (action: "session" | "signin", from: object): unknown =>
      craftIncoming({ headers: {}, ...from }, { action, method: "POST" }, settings).problem?.type
    expect(craft("session", {})).toBe("InvalidConfiguration")
    expect(craft("session", { secure: true })).toBeUndefined()
    expect(craft("signin", { secure: true })).toBe("InvalidConfiguration")
    expect(craft("signin", { url: "/relative" })).toBe("UnreadableRequest")
  })

  it("refuses fields that are nested too deeply to be written out again", { tags: ["threat:CT-07"] }, () => {
    const problem = (form: Record<string, unknown>): unknown =>
      craftIncoming(source, { action: "callback", provider: "credentials", method: "POST", form }, settings).problem
    const nested = (levels: number) => JSON.parse(`{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`)
    const refused = { type: "UnreadableRequest", status: 400 }
    expect(problem(nested(256))).toBeUndefined()
    for (const levels of [257, 45_000]) expect(problem(nested(levels)), String(levels)).toMatchObject(refused)
    expect(problem(JSON.parse(`{"a":${'{"b":'.repeat(20_000)}1${"}".repeat(20_000)}}`))).toMatchObject(refused)
    const failing = {
      get a(): never {
        throw new Error("away")
      },
    }
    expect(problem({ failing })).toMatchObject({ type: "UnreadableRequest" })
  })

  describe("with fields that a framework has read", () => {
    const crafted = (action: "callback" | "signin" | "session", value: unknown): unknown =>
      craftIncoming(source, { action, method: "POST", form: { data: value } }, settings).problem
    const written = ["callback", "signin"] as const
    const shared = (levels: number, inside: unknown): unknown =>
      levels === 0 ? inside : ((below) => ({ a: below, b: below }))(shared(levels - 1, inside))
    const refused = (status: number): object => ({ type: "UnreadableRequest", status })

    it.each([...written, "session"] as const)(
      "counts what members share for each of them: %s",
      {
        tags: ["threat:CT-07", "threat:CT-08"],
      },
      (action) => {
        const text = "x".repeat(100_000)
        const texts = action === "session" ? 10 : 2
        for (const many of [
          shared(60, {}),
          shared(60, []),
          [shared(60, 1)],
          shared(4, text),
          Array(texts + 1).fill(text),
        ])
          expect(crafted(action, many)).toMatchObject(refused(413))
        expect(crafted(action, shared(13, 1))).toBeUndefined()
        expect(crafted(action, Array(texts).fill(text))).toBeUndefined()
        expect(crafted(action, { ["x".repeat(1024 * 1024)]: 1 })).toMatchObject(refused(413))
      },
    )

    it("looks into objects of classes, where JSON is written of them", { tags: ["threat:CT-07"] }, () => {
      const pair = pairs(60, 1)
      class Said {
        readonly pair = pair
        toJSON(): number {
          return 1
        }
      }
      for (const action of written) {
        expect(crafted(action, pair)).toMatchObject(refused(413))
        expect(crafted(action, Array(100).fill(new Uint8Array(20_000)))).toMatchObject(refused(413))
        // A Buffer says itself what is written: a number for each byte.
        expect(crafted(action, Array(100).fill(Buffer.alloc(20_000)))).toMatchObject(refused(413))
        // These say themselves what is written.
        expect(crafted(action, [new Date(), new URL("https://app.test"), new Said()])).toBeUndefined()
      }
      expect(crafted("session", pair)).toBeUndefined()
    })

    it("walks what objects say themselves, which is what JSON writes", { tags: ["threat:CT-07"] }, () => {
      class Wrapped {
        readonly inside: unknown
        constructor(inside: unknown) {
          this.inside = inside
        }
        toJSON() {
          return { inside: this.inside, again: this.inside }
        }
      }
      const wrapped = (levels: number): unknown => (levels === 0 ? 1 : new Wrapped(wrapped(levels - 1)))
      class Endless {
        toJSON(): unknown {
          return { endless: new Endless() }
        }
      }
      class Failing {
        toJSON(): never {
          throw new Error("away")
        }
      }
      class Later {
        toJSON(): Promise<never> {
          return Promise.reject(new Error("away"))
        }
      }
      const action = vi.fn(() => Promise.reject(new Error("expected a form")))
      for (const name of written) {
        expect(crafted(name, wrapped(60))).toMatchObject(refused(413))
        expect(crafted(name, wrapped(12))).toBeUndefined()
        expect(crafted(name, new Endless())).toMatchObject(refused(400))
        expect(crafted(name, new Failing())).toMatchObject(refused(400))
        expect(crafted(name, new Later())).toBeUndefined()
        // React makes one of the application's actions of what a client sends.
        expect(crafted(name, { toJSON: action })).toMatchObject(refused(400))
        expect(action).not.toHaveBeenCalled()
        expect(crafted(name, { toJSON: "text" })).toBeUndefined()
      }
    })

    it("counts what lists lack, as JSON writes it", { tags: ["threat:CT-07", "threat:CT-08"] }, () => {
      const listOf = (length: number): unknown[] => {
        const list: unknown[] = []
        list[length - 1] = "x"
        return list
      }
      for (const action of written) {
        for (const length of [4_294_967_295, 60_000])
          expect(crafted(action, listOf(length))).toMatchObject(refused(413))
        for (const length of [2, 50_000]) expect(crafted(action, listOf(length))).toBeUndefined()
      }
      expect(crafted("session", listOf(4_294_967_295))).toMatchObject(refused(413))
      expect(crafted("session", listOf(2))).toBeUndefined()
    })

    it("refuses a BigInt, which JSON cannot write", { tags: ["threat:CT-07"] }, () => {
      const lists = [BigInt64Array.of(1n), new BigUint64Array(1)]
      for (const action of written)
        for (const value of [[1n], ...lists]) expect(crafted(action, value)).toMatchObject(refused(400))
      for (const value of [1n, ...lists]) expect(crafted("session", value)).toBeUndefined()
      for (const value of [new BigInt64Array(), Uint8Array.of(1)]) expect(crafted("signin", value)).toBeUndefined()
      const prototype = BigInt.prototype as { toJSON?: () => string }
      prototype.toJSON = () => "1"
      try {
        for (const value of [1n, ...lists]) expect(crafted("signin", value)).toBeUndefined()
      } finally {
        delete prototype.toJSON
      }
    })

    it("refuses an object that leads back to itself, which JSON cannot write", { tags: ["threat:CT-07"] }, () => {
      const circle: Record<string, unknown> = {}
      circle["a"] = [circle]
      for (const action of written) expect(crafted(action, circle)).toMatchObject(refused(400))
      expect(crafted("session", circle)).toBeUndefined()
      const twice = { name: "Ada" }
      expect(crafted("signin", [twice, twice])).toBeUndefined()
    })

    it("takes as much as a body may hold", () => {
      const ones = JSON.parse(`{"a":[${Array(131_000).fill(1).join()}]}`)
      const objects = JSON.parse(`{"a":[${Array(87_000).fill("{}").join()}]}`)
      const text = { "": "x".repeat(256 * 1024 - 20) }
      const lists = JSON.parse(
        `{"a":[${Array(700)
          .fill(`${"[".repeat(186)}${"]".repeat(186)}`)
          .join()}]}`,
      )
      for (const data of [ones, objects, lists, text]) expect(crafted("callback", data)).toBeUndefined()
    })
  })

  it("takes what an application passes of its own: objects that lead back to themselves, and those of classes", () => {
    class Entry {
      readonly before: Entry | undefined
      constructor(before?: Entry) {
        this.before = before
      }
    }
    let entry = new Entry()
    for (let index = 0; index < 1000; index++) entry = new Entry(entry)
    const person: { name: string; friends: unknown[] } = { name: "Ada", friends: [] }
    for (let index = 0; index < 50; index++) person.friends.push(person, person.friends)
    const form = { data: { person, entry, at: new Date() } }
    expect(craftIncoming(source, { action: "session", method: "POST", form }, settings).problem).toBeUndefined()
  })

  it("builds no web object for a session whose scheme is known", () => {
    const fixed = settingsOf({}, { AUTH_URL: "https://app.test" })
    const forbidden = vi.fn(() => {
      throw new Error("not here")
    })
    for (const name of ["Request", "Response", "URL", "Headers", "URLSearchParams"]) vi.stubGlobal(name, forbidden)
    try {
      const call = { action: "session", method: "GET" } as const
      expect(craftIncoming({ url: "http://x", headers: { cookie: "a=1" } }, call, fixed).cookies.get("a")).toBe("1")
      expect(craftIncoming({ secure: true, headers: { cookie: "a=1" } }, call, settings).problem).toBeUndefined()
    } finally {
      vi.unstubAllGlobals()
    }
    expect(forbidden).not.toHaveBeenCalled()
  })
})

describe("asRequest", () => {
  it("gives an application its request back, with the form as JSON", async () => {
    const request = post(
      "https://app.test/auth/callback/credentials?x=1",
      { user: "a", list: "b" },
      { "x-real-ip": "::1", cookie: "a=1" },
    )
    request.headers.set("content-length", "11")
    const incoming = await readIncoming(request, settings)
    const again = asRequest(incoming)
    expect(again.url).toBe("https://app.test/auth/callback/credentials?x=1")
    expect(again.method).toBe("POST")
    expect(again.headers.get("x-real-ip")).toBe("::1")
    expect(again.headers.get("cookie")).toBe("a=1")
    expect(again.headers.get("content-type")).toContain("application/x-www-form-urlencoded")
    expect(again.headers.get("content-length")).toBeNull()
    expect(await again.json()).toEqual({ user: "a", list: "b" })
    expect(await asRequest(incoming, { other: 1 }).json()).toEqual({ other: 1 })
    // Its headers are a copy: those of the request that came stay as they are.
    again.headers.set("cookie", "b=2")
    expect([request.headers.get("cookie"), request.headers.get("content-length")]).toEqual(["a=1", "11"])
  })

  it("works for records of headers, pseudo-headers aside, and for a GET", async () => {
    const headers = { ":authority": "app.test", accept: ["a", "b"], "x-a": "1", none: undefined }
    const crafted = craftIncoming(
      { url: "https://app.test", headers },
      { action: "signin", provider: "mail", method: "POST", form: { email: "x" } },
      settings,
    )
    const request = asRequest(crafted)
    expect(request.url).toBe("https://app.test/auth/signin/mail")
    expect(request.headers.get("accept")).toBe("a, b")
    expect(await request.json()).toEqual({ email: "x" })
    expect(asRequest(await read("/auth/signin")).method).toBe("GET")
  })
})
