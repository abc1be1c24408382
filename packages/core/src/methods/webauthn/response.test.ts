/** Parsing the posted response: what is read, and what is reported as invalid. */

import { toBase64url } from "@latchkey/testing/webauthn"
import { describe, expect, it } from "vitest"
import { readResponse } from "./response.js"

const clientData = (value: unknown): string => toBase64url(new TextEncoder().encode(JSON.stringify(value)))
const good = { type: "webauthn.get", challenge: "x", origin: "https://app.test" }
const response = { clientDataJSON: clientData(good), authenticatorData: "AA", signature: "AA" }
const answer = { id: "AQID", rawId: "AQID", type: "public-key", response }

// {"a":"?"} with a byte that is no UTF-8.
const invalidUtf8 = toBase64url(Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d))

describe("readResponse", () => {
  it.each([
    ["text", JSON.stringify(answer)],
    ["an object", answer],
  ])("takes %s", { tags: ["threat:WA-24"] }, (_, data) => {
    expect(readResponse("authenticate", data)).toEqual({
      id: "AQID",
      rawId: "AQID",
      type: "public-key",
      response,
      transports: [],
    })
  })

  it("takes the members that count and no others", { tags: ["threat:WR-34"] }, () => {
    const more = {
      ...answer,
      clientExtensionResults: { x: 1 },
      response: { ...response, userHandle: "BB", transports: ["usb"], x: 1 },
    }
    expect(readResponse("authenticate", more)).toEqual({
      id: "AQID",
      rawId: "AQID",
      type: "public-key",
      response: { ...response, userHandle: "BB" },
      transports: [],
    })
  })

  it("takes an absent user handle, however it is spelt", () => {
    for (const userHandle of [undefined, null]) {
      expect(readResponse("authenticate", { ...answer, response: { ...response, userHandle } }).response).toEqual(
        response,
      )
    }
  })

  it.each([
    ["data", "{"],
    ["data", "7"],
    ["data", JSON.stringify({ ...answer, x: "x".repeat(70_000) })],
    ["data", null],
    ["id", { ...answer, id: "" }],
    ["id", { ...answer, id: "AB", rawId: "AB" }],
    ["id", { ...answer, id: "A", rawId: "A" }],
    ["id", { ...answer, id: "A".repeat(3000), rawId: "A".repeat(3000) }],
    ["rawId", { ...answer, rawId: "AAAA" }],
    ["type", { ...answer, type: "password" }],
    ["response", { ...answer, response: null }],
    ["signature", { ...answer, response: { ...response, signature: 7 } }],
    ["signature", { ...answer, response: { ...response, signature: "A".repeat(70_000) } }],
    ["clientDataJSON", { ...answer, response: Object.create(response) as object }],
    ["clientDataJSON", { ...answer, response: { ...response, clientDataJSON: "+" } }],
    ["clientDataJSON", { ...answer, response: { ...response, clientDataJSON: invalidUtf8 } }],
    ["clientDataJSON", { ...answer, response: { ...response, clientDataJSON: clientData([]) } }],
    [
      "clientDataJSON",
      { ...answer, response: { ...response, clientDataJSON: clientData({ ...good, x: "x".repeat(16_384) }) } },
    ],
    [
      "clientDataJSON.crossOrigin",
      { ...answer, response: { ...response, clientDataJSON: clientData({ ...good, crossOrigin: true }) } },
    ],
    [
      "clientDataJSON.topOrigin",
      { ...answer, response: { ...response, clientDataJSON: clientData({ ...good, topOrigin: null }) } },
    ],
    ["data", JSON.stringify(JSON.stringify(answer))],
    ["response", { ...answer, response: JSON.stringify(response) }],
  ])("reports an invalid %s", { tags: ["threat:WA-05", "threat:WA-24"] }, (member, data) => {
    expect(() => readResponse("authenticate", data)).toThrow(
      `The member ${member} of the response is missing or invalid.`,
    )
  })
})
