import { describe, expect, it } from "vitest"
import { filenameOf } from "./source.js"

describe("filenameOf", () => {
  it.each([
    ["file:app.db", "app.db"],
    ["file:./data/app.db", "./data/app.db"],
    ["sqlite:app.db", "app.db"],
    ["sqlite::memory:", ":memory:"],
    ["FILE:app.db", "app.db"],
    ["file:///srv/my%20app.db", "/srv/my app.db"],
    ["file:/srv/app.db", "/srv/app.db"],
    [new URL("file:///srv/app.db"), "/srv/app.db"],
  ])("reads %s", (url, expected) => {
    expect(filenameOf(url)).toBe(expected)
  })

  it.each([
    ["app.db", "no scheme"],
    ["file:", "names no file"],
    ["file:app.db?mode=ro", "no parameters"],
    ["postgres://user:hunter2@host/db", '"postgres:"'],
  ])("refuses %s", (url, message) => {
    expect(() => filenameOf(url)).toThrow(message)
  })

  it("never shows the password of a URL it does not know", () => {
    expect(() => filenameOf("postgres://user:hunter2@host/db")).toThrow(/^(?!.*hunter2)/)
  })
})
