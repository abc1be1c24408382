import { describe, expect, it } from "vitest"
import { resolveNames } from "./names.js"

describe("resolveNames", () => {
  it("fills the defaults in", () => {
    const names = resolveNames()
    expect(names.table("verificationTokens")).toBe("verification_token")
    expect(names.column("users", "emailVerified")).toBe("emailVerified")
  })

  it("takes a table name alone, or with columns", () => {
    const names = resolveNames({ users: "people", sessions: { columns: { sessionToken: "token" } } })
    expect(names.table("users")).toBe("people")
    expect(names.table("sessions")).toBe("sessions")
    expect(names.column("sessions", "sessionToken")).toBe("token")
  })

  it.each([
    'x"; drop table users; --',
    "a b",
    "a.b",
    "a-b",
    "1a",
    "",
    "ü",
    "a".repeat(64),
    "a\u0000",
    { toString: () => "users" } as unknown as string,
  ])("refuses %j as a table name", { tags: ["threat:A-066"] }, (name) => {
    expect(() => resolveNames({ users: { table: name } })).toThrow(TypeError)
  })

  it("refuses a bad column name", { tags: ["threat:A-066"] }, () => {
    expect(() => resolveNames({ users: { columns: { email: 'e"' } } })).toThrow('column "email" of "users"')
  })

  it.each([
    [{ user: "people" }, 'no table "user"'],
    [{ users: { columns: { mail: "email" } } }, 'no column of "users" "mail"'],
    [{ users: "accounts" }, 'Two tables have the name "accounts"'],
  ])("refuses %j", (names, message) => {
    expect(() => resolveNames(names as never)).toThrow(message)
  })
})
