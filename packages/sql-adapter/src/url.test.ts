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

describe("a URL of MySQL", { tags: ["threat:A-177"] }, () => {
  it.each([
    "ssl-mode=REQUIRED",
    "ssl-mode=VERIFY_IDENTITY",
    "ssl_mode=required",
    "SSL-MODE=required",
    "sslmode=verify-full",
    "sslMode=VERIFY_CA",
    "sslaccept=strict",
    "sslcert=ca.pem",
    "tls=true",
    "useSSL=true",
    "requireSSL=true",
    "useSSL=false&requireSSL=true",
    "verifyServerCertificate=true",
    "SSL=true",
    "%73sl-mode=REQUIRED",
    "charset=utf8mb4&ssl-mode=REQUIRED",
    "ssl=false&ssl-mode=REQUIRED",
    "ssl=%22%22&ssl-mode=REQUIRED",
    "ssl=0.0&sslmode=require",
    "encrypt=true",
  ])("is refused where it asks for TLS as the driver does not know it: %s", (query) => {
    for (const scheme of ["mysql", "mariadb", "MySQL"]) {
      const read = (): string => serverUrl(`${scheme}://app:hunter2@host/db?${query}`)
      expect(read).toThrow('?ssl={"rejectUnauthorized":true}')
      expect(read).toThrow(/^(?!.*hunter2)/)
    }
  })

  it.each([
    "",
    'ssl={"rejectUnauthorized":true}',
    'ssl={"rejectUnauthorized":true}&sslmode=require',
    "ssl=Amazon%20RDS",
    // The driver refuses it.
    "ssl=true",
    "ssl=false",
    "ssl-mode=DISABLED",
    "sslmode=disable",
    "ssl-mode=PREFERRED",
    "sslmode=prefer",
    "useSSL=false",
    "tls=0",
    "charset=utf8mb4",
  ])("is left as it is otherwise: %s", (query) => {
    const url = `mysql://app:hunter2@host/db?${query}`
    expect(serverUrl(url)).toBe(url)
  })

  it.each(["ssl=true&ssl=false", "ssl=false&ssl=true"])("is refused where it says both: %s", (query) => {
    expect(() => serverUrl(`mysql://app:hunter2@host/db?${query}`)).toThrow(
      /^The database URL says `ssl` in several ways/,
    )
    expect(serverUrl("mysql://app@host/db?ssl=true&ssl=true")).toContain("ssl=true")
  })

  it("is the one whose driver knows no other way", () => {
    const url = "postgresql://app:hunter2@host/db?sslmode=verify-full"
    expect(serverUrl(url)).toBe(url)
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
