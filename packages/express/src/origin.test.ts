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

it("is refused again for a host that was refused before", () => {
  for (const _ of [1, 2]) expect(() => originOf(request("http", "0x7f.1"))).toThrow("cannot be read")
})
