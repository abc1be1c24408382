import { expect, it } from "vitest"
import { headersOf, readerOf, senderOf } from "./headers.js"

const own = ["https://app.test", undefined]

it.each([
  [{ origin: "https://app.test" }, "own"],
  [{ origin: "https://app.test", "sec-fetch-site": "cross-site" }, "own"],
  [{ "sec-fetch-site": "same-origin" }, "own"],
  [{ origin: "https://evil.test" }, "foreign"],
  [{ origin: "https://evil.test", "sec-fetch-site": "cross-site" }, "foreign"],
  [{ origin: "https://sub.app.test", "sec-fetch-site": "same-site" }, "foreign"],
  [{ origin: "null", "sec-fetch-site": "cross-site" }, "foreign"],
  // What a browser says behind a proxy whose name the application does not know, and of a page without referrer.
  [{ origin: "https://public.test", "sec-fetch-site": "same-origin" }, "own"],
  [{ origin: "null", "sec-fetch-site": "same-origin" }, "own"],
  [{ origin: "http://app.test" }, "foreign"],
  [{ origin: "https://app.test:8443" }, "foreign"],
  [{ origin: "https://app.test.evil.test" }, "foreign"],
  [{ origin: "null" }, "foreign"],
  [{ origin: "" }, "foreign"],
  // No browser writes an origin like this.
  [{ origin: "https://app.test:443" }, "foreign"],
  [{ origin: "HTTPS://APP.TEST" }, "foreign"],
  [{ origin: "undefined" }, "foreign"],
  [{ "sec-fetch-site": "same-site" }, "foreign"],
  [{ "sec-fetch-site": "cross-site" }, "foreign"],
  [{ "sec-fetch-site": "same-origin, cross-site" }, "foreign"],
  [{ "sec-fetch-site": "none" }, "unknown"],
  [{ referer: "https://app.test/in" }, "unknown"],
  [{}, "unknown"],
])("a request with %j comes from a sender that is %s [CS-17] [CS-18]", (headers, sender) => {
  expect(senderOf(new Headers({ ...headers }), own)).toBe(sender)
})

it("knows several names of the application", () => {
  const request = { Origin: "https://app.test" }
  expect(senderOf(request, ["https://app.test", "http://inner:3000"])).toBe("own")
  expect(senderOf(request, [undefined, "http://inner:3000"])).toBe("foreign")
})

it("takes a number for its text, as wrappers for AWS Lambda put one there", () => {
  const reader = readerOf({ "content-length": 42 as never, accept: ["a", "b"], cookie: ["c=1", "d=2"] })
  expect([reader.get("content-length"), reader.get("accept"), reader.get("cookie")]).toEqual(["42", "a, b", "c=1; d=2"])
  expect([...headersOf(reader)]).toContainEqual(["content-length", "42"])
})
