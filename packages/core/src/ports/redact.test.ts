import { describe, expect, it } from "vitest"
import { quickest } from "../../test/support/quickest.js"
import { CallbackRouteError, CredentialsSignin } from "../errors.js"
import { createRedactor, withoutSecretsOf } from "./redact.js"

const redact = (value: unknown): unknown => createRedactor().value(value)

const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
const jwe = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDIn0..aXY.Y2lwaGVy.dGFn"
const hex = "0123456789abcdef".repeat(4)
const random = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

describe("redaction by shape", () => {
  it.each([
    ["a signed token", `token was ${jwt} here`, jwt],
    ["a sealed token", `cookie ${jwe}`, jwe],
    ["a bearer header", "Authorization: Bearer abc.def-123", "abc.def-123"],
    ["a basic header", "basic Y2xpZW50OnNlY3JldA==", "Y2xpZW50OnNlY3JldA"],
    ["the token of a link", "https://app.test/auth/callback/email?callbackUrl=%2F&token=tok123&email=a%40b", "tok123"],
    ["a code on a query", "GET /auth/callback/github?code=c0de&state=st4te", "c0de"],
    ["a state on a query", "GET /auth/callback/github?code=c0de&state=st4te", "st4te"],
    ["a form body", "grant_type=authorization_code&client_secret=hush&code_verifier=v3r", "hush"],
    ["a verifier at the end", "grant_type=x&code_verifier=v3r", "v3r"],
    ["the first of a form body", "code=c0de&x=1", "c0de"],
    ["a token in JSON", '{"access_token": "gho_\\"16C7", "x": 1}', "16C7"],
    ["a token as Prisma shows it", '  data: {\n    access_token: "ya29.a0-x",\n    scope: "x"', "ya29.a0-x"],
    ["a token as an inspector shows it", "failed: { accessToken: 'gho_16C7', id: 1 }", "gho_16C7"],
    ["a password as an inspector shows it", "failed: { password: 'hunter2', id: 1 }", "hunter2"],
    ["the key of a duplicate as MongoDB shows it", '{ sessionToken: "5b0e-uuid" }', "5b0e-uuid"],
    ["a session cookie", "Cookie: a=b; authjs.session-token=5b0e-uuid; c=d", "5b0e-uuid"],
    ["a prefixed cookie", "__Host-renamed=v4lue; x", "v4lue"],
    ["a connection string", "connect postgres://app:pa55@db:5432/x failed", "pa55"],
    ["a random value in hex", `row ${hex} not found`, hex],
    ["a random value in hex, and a digest behind it", `row ${hex}2d6c6b2d${hex.slice(32)} not found`, hex],
    ["a random value in base64url", `row ${random}.`, random],
  ])("cuts out %s", (_, text, secret) => {
    const result = redact(text) as string
    expect(result).not.toContain(secret)
    expect(result).toContain("[redacted]")
  })

  it.each([
    ['The operation "createUser" of the adapter failed.'],
    ["at Object.<anonymous> (/srv/app/node_modules/@latchkey/core/dist/methods/oauth/finish.js:12:34)"],
    ["https://app.test/auth/signin?callbackUrl=%2Fdash&error=Callback"],
    ['duplicate key value violates unique constraint "users_email_key"'],
    ["an incident 4f9a2c1b7e0d"],
    ["connect ECONNREFUSED 127.0.0.1:5432"],
    ["isExceptionallyLongButOrdinaryIdentifierName"],
    ["[Error: no] { code: 'P2002', key: 'email', state: 'done' }"],
  ])("leaves ordinary text alone: %s", (text) => {
    expect(redact(text)).toBe(text)
  })

  it("cuts out what it knows, wherever it stands", () => {
    expect(createRedactor(["known-secret"]).text("xknown-secretx known-secret")).toBe("x[redacted]x [redacted]")
  })

  it("does not search for very short secrets", () => {
    expect(createRedactor(["a", ""]).text("abc")).toBe("abc")
  })

  it.each([
    ["a".repeat(300_000)],
    ["eyJ".repeat(100_000)],
    ["x://".repeat(80_000)],
    ['"code":"'.repeat(40_000)],
    ["authjs.".repeat(40_000)],
  ])("takes no longer for a hostile text", async (text) => {
    expect(await quickest(() => redact(text))).toBeLessThan(2000)
  })
})

describe("redaction by name", () => {
  it.each([
    ["secret", ["a", "b"]],
    ["clientSecret", "x"],
    ["client_secret", "x"],
    ["password", 1234],
    ["access_token", "x"],
    ["refreshToken", "x"],
    ["sessionToken", "x"],
    ["csrfToken", "x"],
    ["tokens", { any: "x" }],
    ["code_verifier", "x"],
    ["code", "SplxlOBeZQQYbYS6WxSbIA"],
    ["code", "4/0AX4XfWh"],
    ["cookie", "a=b"],
    ["set-cookie", ["a=b"]],
    ["cookies", { a: "b" }],
    ["credentials", { user: "ada" }],
    ["apiKey", "x"],
    ["privateKey", { d: "x" }],
    ["client_assertion", "x"],
    ["authorization", "whatever"],
    ["state", "x"],
    ["nonce", "x"],
    ["token", "x"],
  ])("cuts out %s", (name, value) => {
    expect(redact({ [name]: value })).toEqual({ [name]: "[redacted]" })
  })

  it.each([
    ["code", "23505"],
    ["code", "ER_DUP_ENTRY"],
    ["code", "ECONNREFUSED"],
    ["code", 42],
    ["operation", "createUser"],
    ["token_type", "bearer"],
    ["provider", "github"],
    ["email", "ada@app.test"],
    ["hasSecret", true],
    ["secret", undefined],
    ["authorization", "https://op.test/authorize?scope=openid"],
    ["token", { url: "https://op.test/token" }],
  ])("leaves %s: %j", (name, value) => {
    expect(redact({ [name]: value })).toEqual({ [name]: value })
  })

  it("looks into lists, maps, headers, parameters and errors", () => {
    const error = Object.assign(new Error(`failed with ${jwt}`), { response: { access_token: "x" }, code: "bad_thing" })
    const value = redact([
      new Map([["code", "abc"]]),
      new URLSearchParams({ code: "abc", scope: "openid" }),
      new Headers({ cookie: "a=b", accept: "text/html" }),
      error,
      new URL("https://a.test/?code=abc"),
    ])
    expect(value).toEqual([
      { code: "[redacted]" },
      { code: "[redacted]", scope: "openid" },
      { cookie: "[redacted]", accept: "text/html" },
      { name: "Error", message: "failed with [redacted]", response: { access_token: "[redacted]" }, code: "bad_thing" },
      "https://a.test/?code=[redacted]",
    ])
  })
})

describe("redaction of values", () => {
  it("ends cycles, depth and length", () => {
    const circle: Record<string, unknown> = { name: "a" }
    circle["self"] = circle
    expect(redact(circle)).toEqual({ name: "a", self: "[circular]" })
    let deep: object = {}
    for (let level = 0; level < 50; level += 1) deep = { deep }
    expect(JSON.stringify(redact(deep))).toContain("[…]")
    expect((redact(Array.from({ length: 1000 }, () => 1)) as unknown[]).length).toBe(100)
    expect((redact("x ".repeat(50_000)) as string).length).toBeLessThan(10_000)
  })

  it("shows one object in two places twice", () => {
    const shared = { a: 1 }
    expect(redact({ x: shared, y: shared })).toEqual({ x: { a: 1 }, y: { a: 1 } })
  })

  it("survives members that cannot be read and values that JSON cannot hold", () => {
    const value = redact({
      get bad() {
        throw new Error("no")
      },
      big: 10n,
      fn: () => 1,
      symbol: Symbol("x"),
      date: new Date(0),
      bytes: new Uint8Array(3),
      invalid: new Date("x"),
    })
    expect(JSON.parse(JSON.stringify(value))).toEqual({
      bad: "[unreadable]",
      big: "10",
      fn: "[function]",
      symbol: "[symbol]",
      date: "1970-01-01T00:00:00.000Z",
      bytes: "[bytes]",
      invalid: "[invalid date]",
    })
  })

  it("treats a member named __proto__ as data", () => {
    const value = redact(JSON.parse('{"__proto__": {"polluted": true}}')) as { polluted?: boolean }
    expect(value.polluted).toBeUndefined()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe("redaction of errors", () => {
  const { error: clean } = createRedactor()

  it("hands over the same error when there is nothing to hide", () => {
    const error = new CallbackRouteError(new Error("down"), { provider: "github" })
    expect(clean(error)).toBe(error)
    class Wrong extends CredentialsSignin {
      override code = "locked_out"
    }
    const refusal = new Wrong()
    expect(clean(refusal)).toBe(refusal)
  })

  it("makes a copy of the same kind otherwise, and leaves the error alone", () => {
    const below = new Error(`the answer was {"access_token":"gho_16C7"}`)
    const error = new CallbackRouteError(below, { code: "c0de", provider: "github" })
    const copy = clean(error) as CallbackRouteError
    expect(copy).toBeInstanceOf(CallbackRouteError)
    expect(copy).toMatchObject({ type: "CallbackRouteError", kind: "error", name: "CallbackRouteError" })
    expect(copy.cause).toMatchObject({ provider: "github", code: "[redacted]" })
    expect(`${copy.message}${copy.stack}${copy.cause?.err?.message}${copy.cause?.err?.stack}`).not.toContain("gho_16C7")
    expect(copy.stack).toContain("redact.test")
    expect(Object.keys(copy)).toEqual(Object.keys(error))
    expect(error.message).toContain("gho_16C7")
    expect(error.cause?.err).toBe(below)
  })

  it("keeps what a class keeps in private members readable, without secrets", () => {
    class Refused extends Error {
      readonly #query = { table: "account", token: "gho_16C7" }
      get query(): object {
        return this.#query
      }
      get unreadable(): string {
        throw new Error("no")
      }
    }
    const copy = clean(new Refused(`failed: ${jwt}`)) as Refused
    expect(copy).toBeInstanceOf(Refused)
    expect(copy.query).toEqual({ table: "account", token: "[redacted]" })
    expect(copy.unreadable).toBe("[unreadable]")
    expect((clean(new DOMException(`failed: ${jwt}`, "AbortError")) as DOMException).code).toBe(20)
  })

  it("cuts out the longer one of two secrets where one begins with the other", () => {
    const error = new Error("failed: secret-of-ada-and-more")
    expect(createRedactor(["secret-of-ada", "secret-of-ada-and-more"]).error(error).message).toBe("failed: [redacted]")
  })

  it("describes errors inside metadata with their causes, and without where there are none", () => {
    const inner = new Error("inner", { cause: { refresh_token: "r" } })
    expect(redact({ inner })).toEqual({
      inner: { name: "Error", message: "inner", cause: { refresh_token: "[redacted]" } },
    })
    expect(redact(new Error("bare"))).not.toHaveProperty("cause")
  })

  it("goes through the errors of an aggregate", () => {
    const copy = clean(new AggregateError([new Error(`no ${jwt}`)], "All failed")) as AggregateError
    expect(copy).toBeInstanceOf(AggregateError)
    expect(copy.errors).toHaveLength(1)
    expect(copy.errors[0]).toBeInstanceOf(Error)
    expect(copy.errors[0]).toMatchObject({ message: "no [redacted]", stack: expect.stringContaining("redact.test") })
    expect(Object.keys(copy)).not.toContain("errors")
    expect(redact(copy)).toMatchObject({ errors: [{ name: "Error", message: "no [redacted]" }] })
  })

  it("hands over an aggregate as it is when none of its errors has anything to hide, up to a hundred of them", () => {
    const error = new AggregateError([new Error("no"), "text"], "All failed")
    expect(clean(error)).toBe(error)
    const many = Array.from({ length: 101 }, () => new Error(`no`))
    expect((clean(new AggregateError([...many, jwt])) as AggregateError).errors).toHaveLength(100)
  })

  it("leaves out what an aggregate holds of itself", () => {
    const error = new AggregateError([new Error(`no ${jwt}`)], "All failed")
    error.errors.push(error)
    expect((clean(error) as AggregateError).errors[1]).toBeUndefined()
  })

  it("follows chains of causes, also circular ones", () => {
    const inner = new Error("inner", { cause: { refresh_token: "r" } })
    const outer = new Error("outer", { cause: inner })
    expect((clean(outer).cause as Error).cause).toEqual({ refresh_token: "[redacted]" })
    const circle = new Error(`circle ${jwt}`)
    circle.cause = circle
    expect(clean(circle).message).toBe("circle [redacted]")
  })
})

describe("withoutSecretsOf", () => {
  it.each([
    ['pass"word 1', '{"params":["pass\\"word 1"]}', '{"params":["[redacted]"]}'],
    ["back\\slash-1", "where it is 'back\\\\slash-1'", "where it is '[redacted]'"],
    ["it's-my-1", "where it is 'it''s-my-1'", "where it is '[redacted]'"],
    ["it's-my-1", "where it is 'it\\'s-my-1'", "where it is '[redacted]'"],
    ["it's\\my-1", "where it is 'it\\'s\\\\my-1'", "where it is '[redacted]'"],
  ])("finds a password also as JSON and SQL write it: %s", (password, message, expected) => {
    expect(withoutSecretsOf([{ password }], new Error(message)).message).toBe(expected)
  })

  it.each([
    ["p@ss/word 1", "invalid address smtp://ada:p%40ss%2Fword%201@mail", "invalid address smtp://[redacted]@mail"],
    ["p@ss/word 1", "sent p%40ss%2fword%201", "sent [redacted]"],
    ["p@ss/word 1", "sent p%40ss%2Fword+1", "sent [redacted]"],
    ["p@ss(word)1", "sent p%40ss(word)1", "sent [redacted]"],
    ["p@ss(word)1", "sent p%40ss%28word%291", "sent [redacted]"],
    ["p%40ssword1", "no login for ada with p@ssword1", "no login for ada with [redacted]"],
    ["p%40ss'word1", "where it is 'p@ss''word1'", "where it is '[redacted]'"],
    ["100%password", "sent 100%25password", "sent [redacted]"],
    ["%41%41%41", "the AAA of it", "the AAA of it"],
    ["half-\ud83c-secret", "sent half-%EF%BF%BD-secret", "sent [redacted]"],
  ])("finds a password also as addresses hold it: %j", (password, message, expected) => {
    expect(withoutSecretsOf([{ password }], new Error(message)).message).toBe(expected)
  })

  it("takes no longer for many secrets with spellings of their own", async () => {
    const pins = Array.from({ length: 900 }, (_, at) => [`${at}pin`, `%41'"@ é`.repeat(100) + at])
    const given = { ...Object.fromEntries(pins), name: "%41'".repeat(20_000) }
    const cut = (): Error => withoutSecretsOf([given], new Error(`No user ${given.name}`))
    expect(await quickest(cut)).toBeLessThan(1000)
  })

  it("cuts out the longer of two secrets that begin alike", () => {
    const given = { password: "longpass", passphrase: "longpass-and-more" }
    expect(withoutSecretsOf([given], new Error("no longpass-and-more")).message).toBe("no [redacted]")
  })

  it.each([
    [60, 1000, 100_000],
    [8, 10_000, 88_000],
    [900, 90, 100_000],
  ])(
    "takes no longer for %i secrets of %i characters that are nearly found everywhere",
    async (count, size, length) => {
      const secretOf = (at: number): string => `${"a".repeat(size - 20 - at)}b${"a".repeat(19)}`
      const pins = Array.from({ length: count }, (_, at) => [`${at}pin`, secretOf(at % 60)])
      const name = "a".repeat(length)
      const given = { ...Object.fromEntries(pins), name, token: "b".repeat(90_000) }
      const cut = (): Error => withoutSecretsOf([given], new Error(`No user ${name}`))
      expect(await quickest(cut)).toBeLessThan(1000)
      expect(cut().message.length).toBeLessThan(10_000)
    },
  )

  it("cuts a long token out of a long text", () => {
    const token = "x1-".repeat(1_000)
    const words = "word ".repeat(900)
    expect(withoutSecretsOf([{ token }], new Error(`${words}${token} more`)).message).toBe(`${words}[redacted] more`)
  })

  it.each([
    ["all found in what replaces them", (_: number): string => "redacted"],
    ["each nearly found", (at: number): string => `${"redacted".repeat(10)}${at}`],
  ])("takes no longer for many secrets, %s", { timeout: 60_000 }, async (_, secretOf) => {
    const email = "redacted".repeat(8_000)
    const pins = Array.from({ length: 900 }, (__, at) => [`${at}pin`, secretOf(at)])
    const given = { ...Object.fromEntries(pins), email, token: "x".repeat(50_000) }
    expect(await quickest(() => withoutSecretsOf([given], new Error(`No user ${email}`)))).toBeLessThan(1000)
  })
})
