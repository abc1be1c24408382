import { expect, it } from "vitest"
import { type Connection, isReset } from "./connection.js"

it.each<[string, Connection | null | undefined, boolean]>([
  ["that is open", { remoteAddress: "203.0.113.7", localAddress: "10.0.0.1", destroyed: false }, false],
  ["whose address was read before it was reset", { remoteAddress: "203.0.113.7", destroyed: true }, false],
  ["that was reset", { localAddress: "10.0.0.1", destroyed: false }, true],
  ["that was reset and has been destroyed since", { destroyed: true }, true],
  ["on a Unix socket", { destroyed: false }, false],
  ["of which a platform says nothing", {}, false],
  ["that there is none of", undefined, false],
  ["that is null", null, false],
])("of a connection %s", (_, connection, expected) => {
  expect(isReset(connection)).toBe(expected)
})
