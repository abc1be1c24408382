import { describe, expect, it } from "vitest"
import { toBase64url, utf8 } from "../std/bytes.js"
import { assertLengths, parseObject, readCompact, readHeader, readText } from "./compact.js"

const iv = "A".repeat(22)
const tag = "A".repeat(43)

describe("the grammar of a token", () => {
  it("takes five parts, the second one empty", () => {
    expect(readCompact(`aGVhZGVy..${iv}.Y2lwaGVy.${tag}`)).toEqual({
      header: "aGVhZGVy",
      iv,
      ciphertext: "Y2lwaGVy",
      tag,
    })
  })

  it.each([
    ["four parts", `a.${iv}.b.${tag}`],
    ["six parts", `a..${iv}.b.${tag}.`],
    ["an encrypted key", `a.AAAA.${iv}.b.${tag}`],
    ["an empty part", `a..${iv}..${tag}`],
    ["a space", `a..${iv}.YWJj .${tag}`],
    ["a line break behind it", `a..${iv}.YWJj.${tag}\n`],
    ["padding", `a..${iv}.YQ==.${tag}`],
    ["the other alphabet", `a..${iv}.YW+/.${tag}`],
    ["another spelling of the ciphertext", `a..${iv}.YR.${tag}`],
    ["another spelling of the tag", `a..${iv}.YWJj.${tag.slice(0, -1)}B`],
    ["another spelling of the vector", `a..${iv.slice(0, -1)}B.YWJj.${tag}`],
    ["an impossible length", `a..${iv}.YWJjY.${tag}`],
  ])("refuses %s", (_, token) => {
    expect(() => readCompact(token)).toThrow("token")
  })
})

describe("IV and tag", () => {
  const parts = { header: "a", ciphertext: "b" }
  it.each([
    ["A256CBC-HS512", 22, 43],
    ["A256GCM", 16, 22],
  ] as const)("have one length each with %s", (cipher, ivLength, tagLength) => {
    const check = (ivMore: number, tagMore: number) => () =>
      assertLengths(cipher, { ...parts, iv: "A".repeat(ivLength + ivMore), tag: "A".repeat(tagLength + tagMore) })
    expect(check(0, 0)).not.toThrow()
    for (const [ivMore, tagMore] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [0, -10],
    ] as const) {
      expect(check(ivMore, tagMore)).toThrow("length")
    }
  })
})

describe("a header", () => {
  const read = (header: unknown) => readHeader(toBase64url(utf8(JSON.stringify(header))))

  it("names cipher and key", () => {
    expect(read({ alg: "dir", enc: "A256GCM", kid: "k" })).toEqual({ enc: "A256GCM", kid: "k" })
    expect(read({ alg: "dir", enc: "A256CBC-HS512" })).toEqual({ enc: "A256CBC-HS512", kid: undefined })
  })

  it.each([[{}], [null], [[]], ["dir"], [{ alg: "dir" }], [{ enc: "A256GCM" }], [{ alg: "dir", enc: ["A256GCM"] }]])(
    "is refused when it is %j",
    (header) => {
      expect(() => read(header)).toThrow("token")
    },
  )
})

describe("plaintext", () => {
  it("is UTF-8", () => {
    expect(readText(utf8("ä秘"))).toBe("ä秘")
    expect(() => readText(new Uint8Array([0xff]))).toThrow("UTF-8")
  })

  it("is a JSON object, and no error repeats it", () => {
    expect(parseObject('{"a":1}', "claims")).toEqual({ a: 1 })
    for (const text of ["[]", "null", "7", '"x"', "swordfish"]) {
      expect(() => parseObject(text, "claims")).toThrow(/^claims: a JSON object expected$/)
    }
  })
})
