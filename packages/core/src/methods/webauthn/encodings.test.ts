/** The strict readers of what authenticators write: CBOR items and DER signatures. */

import { type CborValue, encodeCbor } from "@latchkey/testing/webauthn"
import { describe, expect, it } from "vitest"
import { quickest } from "../../../test/support/quickest.js"
import { expectOneItem, expectStrictSignature } from "./encodings.js"

const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

describe("expectOneItem", () => {
  const nested = (depth: number): CborValue => (depth === 0 ? 1 : [nested(depth - 1)])

  it.each<[string, CborValue]>([
    ["a number", 1],
    ["a great number", 70_000],
    ["a negative one", -257],
    ["text", "x".repeat(300)],
    ["bytes", new Uint8Array(70_000)],
    ["an empty map", new Map()],
    [
      "a map of maps and lists",
      new Map<string, CborValue>([
        ["a", new Map([["x5c", [new Uint8Array(3)]]])],
        ["b", -1],
      ]),
    ],
    ["eight levels", nested(8)],
  ])("takes %s", (_, value) => {
    expect(() => expectOneItem(encodeCbor(value))).not.toThrow()
  })

  it("takes what is neither number nor text: true, null, a float", () => {
    for (const bytes of ["f5", "f6", "f93c00", "fb3ff0000000000000"])
      expect(() => expectOneItem(hex(bytes))).not.toThrow()
  })

  it.each([
    ["nothing at all", "", /end too early/],
    ["two items", "0000", /expected 1 bytes, received 2/],
    ["a head without its length", "19ff", /end too early/],
    ["bytes that are missing", "4401", /end too early/],
    ["a member that is missing", "a161", /end too early/],
    ["a value that is missing", "a16161", /end too early/],
    ["more items than there are bytes", "9a00ffffff00", /end too early/],
    ["a length beyond all numbers", "bbffffffffffffffff", /end too early/],
    ["bytes of indefinite length", "5f4101ff", /definite/],
    ["a list of indefinite length", "9f01ff", /definite/],
    ["a reserved length", "1c", /definite/],
    ["a lone break", "ff", /definite/],
    ["a tag", "c101", /tag/],
    ["nine levels", `${"81".repeat(9)}01`, /too deep/],
  ])("refuses %s", { tags: ["threat:WR-14", "threat:AL-13"] }, (_, bytes, message) => {
    expect(() => expectOneItem(hex(bytes))).toThrow(message)
  })

  it("takes no longer for hostile bytes", { tags: ["threat:WR-14", "threat:AL-13"] }, async () => {
    const hostile = [0x81, 0x9b, 0xbb].map((byte) => new Uint8Array(60_000).fill(byte))
    const time = await quickest(() => {
      for (const bytes of hostile) expect(() => expectOneItem(bytes)).toThrow()
    })
    expect(time).toBeLessThan(50)
  })
})

describe("expectStrictSignature", () => {
  it.each([
    ["the shortest", "3006020101020101"],
    ["a number with its sign byte", "300702020080020101"],
    ["the length of the largest curve", `308188${`0242${"01".repeat(66)}`.repeat(2)}`],
  ])("takes %s", (_, bytes) => {
    expect(() => expectStrictSignature(hex(bytes))).not.toThrow()
  })

  it.each([
    ["nothing", ""],
    ["another tag", "3106020101020101"],
    ["bytes after it", "300602010102010100"],
    ["bytes inside after the numbers", "3007020101020101ff"],
    ["a missing number", "3003020101"],
    ["an empty number", "30050200020101"],
    ["a negative number", "3006020181020101"],
    ["a padded number", "300702020001020101"],
    ["the number zero", "3006020100020101"],
    ["a length that is spelt too long", "308106020101020101"],
    ["an indefinite length", "30800201010201010000"],
    ["a number that ends too late", "3006020202020101"],
  ])("refuses %s", { tags: ["threat:WA-12"] }, (_, bytes) => {
    expect(() => expectStrictSignature(hex(bytes))).toThrow(/DER/)
  })
})
