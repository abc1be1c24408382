import { describe, expect, it, vi } from "vitest"
import { quickest } from "../../test/support/quickest.js"
import { bodyLimit, readForm } from "./body.js"

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | FormData
const request = (body: Body | undefined, type?: string, headers: Record<string, string> = {}): Request =>
  new Request("https://app.test/auth/signin", {
    method: "POST",
    headers: { ...(type !== undefined && { "content-type": type }), ...headers },
    ...(body !== undefined && { body, duplex: "half" }),
  } as RequestInit)
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const statusOf = (req: Request): Promise<number> =>
  readForm(req).then(
    () => 200,
    (error: { status: number }) => error.status,
  )
const form = "application/x-www-form-urlencoded"

describe("readForm: content types", () => {
  it.each([
    ["application/json", '{"a":"1"}', "CT-04"],
    ["APPLICATION/JSON", '{"a":"1"}', "CT-04"],
    ["application/json; charset=utf-8", '{"a":"1"}', "CT-03"],
    ['application/json ;charset="UTF-8"', '{"a":"1"}', "CT-03"],
    ["application/json\t; x", '{"a":"1"}', "CT-04"],
    ["application/json;", '{"a":"1"}', "CT-04"],
    [" application/json", '{"a":"1"}', "CT-04"],
    [form, "a=1", "CT-04"],
    [`${form};charset=UTF-8`, "a=1", "CT-04"],
  ])("reads %j [%3$s]", async (type, body) => {
    expect(await readForm(request(bytes(body), type))).toEqual({ a: "1" })
  })

  it.each([
    ["text/plain", "CT-02"],
    ["application/xml", "CT-02"],
    ["application/x-json", "CT-02"],
    ["application/json; charset=utf-16", "CT-03"],
    ["application/json; charset=utf-7", "CT-03"],
    ["application/json; charset=x", "CT-03"],
    [`${form}; charset=iso-8859-1`, "CT-03"],
    ["application/json, text/plain", "CT-05"],
    ["application/json; charset=utf-8, application/json", "CT-05"],
    [`${form}, application/json`, "CT-05"],
    ["application/json; x=y, text/plain", "CT-05"],
    ["application/jsonp", "CT-04"],
    ["xapplication/json", "CT-04"],
    ["json", "CT-04"],
    ["__proto__", "CT-04"],
    ["constructor/x", "CT-04"],
    [";", "CT-04"],
  ])(
    "refuses a body of type %j and forgives an empty one [%2$s]",
    { tags: ["threat:CS-21", "threat:V3-16"] },
    async (type) => {
      expect(await statusOf(request(bytes('{"a":"1"}'), type))).toBe(415)
      expect(await readForm(request(undefined, type))).toEqual({})
    },
  )

  it("reads no type as no body", { tags: ["threat:CT-01"] }, async () => {
    expect(await readForm(request(bytes("csrfToken=x")))).toEqual({})
    expect(await readForm(request(undefined))).toEqual({})
  })

  it("does not unpack compressed bodies", { tags: ["threat:CT-09"] }, async () => {
    expect(await statusOf(request(bytes("a=1"), form, { "content-encoding": "gzip" }))).toBe(415)
    expect(await statusOf(request(bytes("a=1"), form, { "content-encoding": "identity" }))).toBe(200)
  })
})

describe("readForm: JSON", () => {
  it.each([
    "",
    "null",
    "1",
    '"x"',
    "[]",
    "true",
    '{"a":1,}',
    '{"a":NaN}',
    '{"a":1}//x',
    '\ufeff{"a":1}',
    "a=1",
    '{"a":"\u0001"}',
    '{"a":"\u0000"}',
    "{a:1}",
    `[${"[".repeat(100_000)}`,
  ])("refuses text %#, in no time", { tags: ["threat:CT-06", "threat:CT-07"] }, async (body) => {
    const asked = (): Promise<number> => statusOf(request(bytes(body), "application/json"))
    expect(await asked()).toBe(400)
    expect(await quickest(asked)).toBeLessThan(50)
  })

  it("refuses 10 MiB as too large", { tags: ["threat:CT-07"] }, async () => {
    expect(await statusOf(request(bytes(`{"a":"${"x".repeat(10_485_760)}"}`), "application/json"))).toBe(413)
  })

  it("refuses what is not UTF-8", { tags: ["threat:CT-07"] }, async () => {
    expect(
      await statusOf(request(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "application/json")),
    ).toBe(400)
  })

  it("refuses what is nested too deeply to be written out again", {
    tags: ["threat:CT-07"],
  }, async () => {
    const nested = (levels: number, inside = "") => `{"a":${"[".repeat(levels)}${inside}${"]".repeat(levels)}}`
    for (const inside of ["", '"__proto__"']) {
      expect(await statusOf(request(bytes(nested(256, inside)), "application/json"))).toBe(200)
      expect(await statusOf(request(bytes(nested(257, inside)), "application/json"))).toBe(400)
      expect(await statusOf(request(bytes(nested(50_000, inside)), "application/json"))).toBe(400)
    }
    expect(
      await statusOf(request(bytes(`{"a":${'{"b":'.repeat(20_000)}1${"}".repeat(20_000)}}`), "application/json")),
    ).toBe(400)
    const wide = JSON.stringify({ a: Array.from({ length: 5000 }, () => [{}]) })
    expect(await statusOf(request(bytes(wide), "application/json"))).toBe(200)
  })

  it("asks no function about each member, however it is spelled", { tags: ["threat:AL-01"] }, async () => {
    const parse = vi.spyOn(JSON, "parse")
    await statusOf(request(bytes('{"a":{"__proto__":{"x":1}},"b":"\\u00e9"}'), "application/json"))
    expect(parse.mock.calls.map((args) => args.length)).toEqual([1])
    parse.mockRestore()
  })

  it("takes the last of equal keys and leaves values as they are", {
    tags: ["threat:CT-07", "threat:CS-06", "threat:PP-17"],
  }, async () => {
    const body = '{"a":1,"a":["x"],"b":{"toString":"x"},"c":null,"d":1e400,"e":"\\ud800\\u0000"}'
    expect(await readForm(request(bytes(body), "application/json"))).toEqual({
      a: ["x"],
      b: { toString: "x" },
      c: null,
      d: Number.POSITIVE_INFINITY,
      e: "\ud800\0",
    })
  })

  it.each([
    '{"__proto__":{"csrfToken":"x","isAdmin":true},"a":{"__proto__":{"x":1},"b":[{"__proto__":1}]}}',
    '{"\\u005f_proto__":{"csrfToken":"x"},"a":{"_\\u005Fproto__":{"x":1},"b":[{"__proto\\u005f_":1}]}}',
    '{"a":{"b":[{}]},"__proto__":null}',
  ])("drops every prototype in %s", { tags: ["threat:PP-01", "threat:PP-06"] }, async (body) => {
    const read = await readForm(request(bytes(body), "application/json"))
    expect(JSON.stringify(read)).toBe('{"a":{"b":[{}]}}')
    expect(Object.getPrototypeOf(read)).toBeNull()
    expect(read["csrfToken"]).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it("leaves `constructor` inert", { tags: ["threat:PP-02"] }, async () => {
    const read = await readForm(request(bytes('{"constructor":{"prototype":{"x":1}}}'), "application/json"))
    expect(read).toEqual({ constructor: { prototype: { x: 1 } } })
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})

describe("readForm: forms", () => {
  it.each([
    ["a=1&a=2", { a: "2" }, "CT-16"],
    ["a[]=1&a[0]=2&b[c]=3", { "a[]": "1", "a[0]": "2", "b[c]": "3" }, "CT-17"],
    ["a=%zz&b=%&c=x+y;d=1", { a: "%zz", b: "%", c: "x y;d=1" }, "CT-08"],
    ["=1&a&&", { "": "1", a: "" }, "CT-08"],
    [
      "__proto__=x&__proto__[x]=1&constructor.prototype.x=1",
      { "__proto__[x]": "1", "constructor.prototype.x": "1" },
      "PP-03",
    ],
    ["toString=1&hasOwnProperty=2", { toString: "1", hasOwnProperty: "2" }, "PP-04"],
    ["", {}, "CT-08"],
    ['{"a":1}', { '{"a":1}': "" }, "CT-06"],
  ])("reads %j flat [%3$s]", async (body, expected, _row) => {
    const read = await readForm(request(bytes(body), form))
    expect({ ...read }).toEqual(expected)
    expect(Object.getPrototypeOf(read)).toBeNull()
  })

  it("bounds the number of fields", { tags: ["threat:CT-08", "threat:AL-17"] }, async () => {
    const fields = (count: number): string => Array.from({ length: count }, (_, index) => `f${index}=`).join("&")
    expect(await statusOf(request(bytes(fields(1000)), form))).toBe(200)
    expect(await statusOf(request(bytes(fields(1001)), form))).toBe(413)
    expect(await statusOf(request(bytes("&a".repeat(1001)), form))).toBe(413)
  })

  it("reads the texts of a multipart form", { tags: ["threat:CT-02"] }, async () => {
    const data = new FormData()
    data.set("csrfToken", "x")
    data.set("name", "ä\r\nb")
    data.append("__proto__", "x")
    expect({ ...(await readForm(request(data))) }).toEqual({ csrfToken: "x", name: "ä\r\nb" })
  })

  it("ignores an empty file field", async () => {
    const part =
      'Content-Disposition: form-data; name="f"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n'
    const body = bytes(`--x\r\n${part}\r\n--x--\r\n`)
    expect((await readForm(request(body, "multipart/form-data; boundary=x")))["f"]).toBeUndefined()
  })

  it("refuses files and broken multipart forms", { tags: ["threat:CT-02"] }, async () => {
    const data = new FormData()
    data.set("file", new File(["x"], "x.txt"))
    expect(await statusOf(request(data))).toBe(415)
    expect(await statusOf(request(bytes("--x\r\nbroken"), "multipart/form-data; boundary=x"))).toBe(400)
    expect(await statusOf(request(bytes("--x"), "multipart/form-data"))).toBe(400)
  })
})

describe("readForm: size", () => {
  const endless = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(97)) })

  it("reads up to the limit", { tags: ["threat:CT-08"] }, async () => {
    expect(await statusOf(request(bytes("a".repeat(bodyLimit)), form))).toBe(200)
    expect(await statusOf(request(bytes("a".repeat(bodyLimit + 1)), form))).toBe(413)
  })

  it.each([form, "application/json", "multipart/form-data; boundary=x"])(
    "stops reading an endless %s",
    { tags: ["threat:CT-10"] },
    async (type) => {
      expect(await statusOf(request(endless(), type))).toBe(413)
    },
  )

  it("uses a declared length only to refuse a body", { tags: ["threat:CT-11"] }, async () => {
    expect(await statusOf(request(bytes("a=1"), form, { "content-length": "1000000" }))).toBe(413)
    expect(await statusOf(request(bytes("a=1"), form, { "content-length": "4294967295" }))).toBe(413)
    expect(await statusOf(request(bytes("a=1"), form, { "content-length": "1000" }))).toBe(200)
    expect(await statusOf(request(bytes("a".repeat(bodyLimit + 1)), form, { "content-length": "3" }))).toBe(413)
    expect(await statusOf(request(bytes("a=1"), form, { "content-length": "x" }))).toBe(200)
  })

  it("says so when the stream breaks or was read already", { tags: ["threat:CT-13"] }, async () => {
    const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error("gone")),
    })
    expect(await statusOf(request(broken, form))).toBe(400)
    const used = request(bytes("a=1"), form)
    await used.text()
    await expect(readForm(used)).rejects.toThrow(/has been read already/)
    const locked = request(bytes("a=1"), form)
    locked.body?.getReader()
    expect(await statusOf(locked)).toBe(400)
  })
})
