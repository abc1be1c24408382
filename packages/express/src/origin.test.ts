import { UnreadableRequest } from "@latchkey/core/errors"
import type { Request as ExpressRequest } from "express"
import { expect, it } from "vitest"
import { originOf } from "./origin.js"

const request = (protocol: string, host: string): ExpressRequest =>
  ({ protocol, headers: { host }, socket: {} }) as unknown as ExpressRequest

it("is that of each request, whatever the one before named", () => {
  const asked = [
    ["http", "app.test"],
    ["http", "app.test"],
    ["https", "app.test"],
    ["https", "other.test:8443"],
    ["https", "app.test"],
  ] as const
  const read = asked.map(([protocol, host]) => originOf(request(protocol, host)))
  expect(read).toEqual(asked.map(([protocol, host]) => `${protocol}://${host}`))
})

it.each([
  [{ ":authority": "app.test" }, "http://app.test"],
  [{ host: "app.test" }, "http://app.test"],
  [{ ":authority": "app.test", host: "APP.test" }, "http://app.test"],
  [{ ":authority": "app.test", host: "evil.test" }, undefined],
  [{ ":authority": "app.test", host: "app.test:80" }, undefined],
  [{ ":authority": "someone@app.test", host: "app.test" }, undefined],
])("over HTTP/2 is what the proxy in front has looked at: %j", { tags: ["threat:HO-26"] }, (headers, origin) => {
  const sent = { protocol: "http", headers, socket: {} } as unknown as ExpressRequest
  if (origin === undefined) expect(() => originOf(sent)).toThrow(UnreadableRequest)
  else expect(originOf(sent)).toBe(origin)
})

it("is refused again for a host that was refused before", () => {
  for (const _ of [1, 2]) expect(() => originOf(request("http", "0x7f.1"))).toThrow("cannot be read")
})
