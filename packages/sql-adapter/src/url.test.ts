import { describe, expect, it } from "vitest"
import { dialectOfUrl, filenameOf, isUrl, serverUrl } from "./url.js"

describe("dialectOfUrl", () => {
  it.each([
    ["postgres://app@host/db", "postgresql"],
    ["POSTGRESQL://app@host/db", "postgresql"],
    ["mysql://app@host/db", "mysql"],
    ["mariadb://app@host/db", "mysql"],
    ["file:app.db", "sqlite"],
    [new URL("sqlite:app.db"), "sqlite"],
  ])("%s is %s", (url, name) => {
    expect(dialectOfUrl(url).name).toBe(name)
  })

  it.each([
    ["app.db", false],
    ["C:\\data\\app.db", false],
    ["/srv/app.db", false],
    [":memory:", false],
    ["file:app.db", true],
    ["mysql://host/db", true],
  ])("%s is a URL: %s", (text, expected) => {
    expect(isUrl(text)).toBe(expected)
  })
})

describe("serverUrl", () => {
  it("gives the driver the scheme it knows", () => {
    expect(serverUrl("mariadb://app:mariadb:@host/db")).toBe("mysql://app:mariadb:@host/db")
  })

  it("refuses what cannot be read, and shows nothing of it", () => {
    const read = (): string => serverUrl("postgres://app:hunter2@:port:/db")
    expect(read).toThrow("cannot be read")
    expect(read).toThrow(/^(?!.*hunter2)/)
  })
})

describe("filenameOf", () => {
  it.each([
    ["file:app.db", "app.db"],
    ["file:./data/app.db", "./data/app.db"],
    ["sqlite:app.db", "app.db"],
    ["libsql:app.db", "app.db"],
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
    ["oracle://user:hunter2@host/db", '"oracle:"'],
    ["libsql://host/db", "pass a Kysely instance"],
  ])("refuses %s", (url, message) => {
    expect(() => filenameOf(url)).toThrow(message)
  })

  it("never shows the password of a URL it does not know", () => {
    expect(() => filenameOf("oracle://user:hunter2@host/db")).toThrow(/^(?!.*hunter2)/)
  })
})
