import { describe, expect, it } from "vitest"
import { decode, encode, getToken, type JWT } from "./jwt.js"

const secret = "0123456789abcdef0123456789abcdef"
const salt = "authjs.session-token"

describe("encode and decode", () => {
  it("open what they sealed, with thirty days to live", async () => {
    const opened = await decode({ token: await encode({ token: { sub: "42" }, secret, salt }), secret, salt })
    expect(opened).toMatchObject({ sub: "42" })
    expect((opened?.exp ?? 0) - (opened?.iat ?? 0)).toBe(2_592_000)
  })

  it("seal an empty token by default", async () => {
    expect(await decode({ token: await encode({ secret, salt }), secret, salt })).toHaveProperty("jti")
  })

  it.each([undefined, ""])("open nothing as null: %j", async (token) => {
    expect(await decode({ token, secret, salt })).toBeNull()
  })

  it("take a list of secrets: the first seals, any opens [spec options secret]", async () => {
    const old = await encode({ token: { sub: "1" }, secret: ["old secret"], salt })
    expect(await decode({ token: old, secret: ["new secret", "old secret"], salt })).toMatchObject({ sub: "1" })
    const fresh = await encode({ token: { sub: "1" }, secret: ["new secret", "old secret"], salt })
    const unopened = new Error("no matching decryption secret")
    await expect(decode({ token: fresh, secret: "old secret", salt })).rejects.toEqual(unopened)
    await expect(decode({ token: fresh, secret: ["old secret", "another"], salt })).rejects.toEqual(unopened)
  })

  it("refuse what has ended", async () => {
    const token = await encode({ token: {}, secret, salt, maxAge: -20 })
    await expect(decode({ token, secret, salt })).rejects.toThrow("ended")
  })

  it.each([[""], [[]], [["", "second"]]])("refuse to seal with no secret: %j", async (none) => {
    await expect(encode({ token: {}, secret: none, salt })).rejects.toMatchObject({ type: "MissingSecret" })
  })
})

describe("getToken", async () => {
  const token = await encode({ token: { sub: "42" }, secret, salt })
  const secure = await encode({ token: { sub: "43" }, secret, salt: `__Secure-${salt}` })
  const request = (headers: Record<string, string>): Request => new Request("https://app.test/", { headers })

  it("reads the cookie of plain http by default", async () => {
    const req = request({ cookie: `a=b; ${salt}=${token}; __Secure-${salt}=${secure}` })
    expect(await getToken({ req, secret })).toMatchObject({ sub: "42" })
  })

  it("reads the cookie of https with `secureCookie`", async () => {
    const req = request({ cookie: `${salt}=${token}; __Secure-${salt}=${secure}` })
    expect(await getToken({ req, secret, secureCookie: true })).toMatchObject({ sub: "43" })
  })

  it("reads a cookie of another name, whose name is the salt", async () => {
    const own = await encode({ token: { sub: "44" }, secret, salt: "own" })
    const req = request({ cookie: `own=${own}` })
    expect(await getToken({ req, secret, cookieName: "own" })).toMatchObject({ sub: "44" })
    expect(await getToken({ req, secret, cookieName: "own", salt })).toBeNull()
  })

  it("joins the chunks of a long token", async () => {
    const long = await encode({ token: { sub: "45", text: "x".repeat(9000) }, secret, salt })
    const parts = [0, 1, 2, 3].map((index) => `${salt}.${index}=${long.slice(index * 3936, (index + 1) * 3936)}`)
    expect(await getToken({ req: request({ cookie: parts.toReversed().join("; ") }), secret })).toMatchObject({
      sub: "45",
    })
  })

  it.each([
    ["a record in any case", { Cookie: `${salt}=${token}` }],
    ["a record of lists", { cookie: ["x=y", `${salt}=${token}`] }],
    ["Headers", new Headers({ cookie: `${salt}=${token}` })],
  ])("takes headers as %s", async (_, headers) => {
    expect(await getToken({ req: { headers }, secret })).toMatchObject({ sub: "42" })
  })

  it("answers the sealed token when asked for it, without a secret", async () => {
    const req = request({ cookie: `${salt}=${token}` })
    const raw: string | null = await getToken({ req, raw: true })
    expect(raw).toBe(token)
  })

  it("takes a bearer token where there is no cookie", { tags: ["threat:A-151"] }, async () => {
    expect(await getToken({ req: request({ authorization: `Bearer ${token}` }), secret })).toMatchObject({ sub: "42" })
    for (const scheme of ["Basic", "Token", "Digest", "BearerX", ""]) {
      expect(await getToken({ req: request({ authorization: `${scheme} ${token}` }), secret }), scheme).toBeNull()
    }
    expect(await getToken({ req: request({ authorization: token }), secret })).toBeNull()
  })

  it.each(["Bearer %", "Bearer %A", "Bearer %ZZ", "Bearer", "Bearer ", "Bearer  x", `Bearer ${"a".repeat(65_536)}`])(
    "answers null for the header %j",
    { tags: ["threat:A-002"] },
    async (authorization) => {
      expect(await getToken({ req: { headers: { authorization } }, secret })).toBeNull()
    },
  )

  it("answers null for no token, before it asks for a secret", async () => {
    expect(await getToken({ req: request({}) })).toBeNull()
  })

  it("asks for the secret when there is a token", async () => {
    const req = request({ cookie: `${salt}=${token}` })
    await expect(getToken({ req })).rejects.toMatchObject({ type: "MissingSecret" })
    await expect(getToken({ req, secret: [] })).rejects.toMatchObject({ type: "MissingSecret" })
  })

  it("opens with the application's own decode", async () => {
    const decodeOwn = async ({ token: text }: { token?: string | undefined }): Promise<JWT> => ({ sub: `own ${text}` })
    const claims = await getToken({ req: request({ cookie: `${salt}=x` }), secret, decode: decodeOwn })
    expect(claims).toEqual({ sub: "own x" })
  })

  it("answers null for a token that does not open", async () => {
    expect(await getToken({ req: request({ cookie: `${salt}=${token}` }), secret: "another secret" })).toBeNull()
  })

  it("refuses to work without a request", async () => {
    await expect(getToken({ secret } as never)).rejects.toThrow("request")
  })
})
