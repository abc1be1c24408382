import { describe, expect, it } from "vitest"
import { signInPageValues } from "../test/support/page-values.js"
import * as errors from "./errors.js"

const pageValues: Record<string, readonly string[]> = {
  signIn: signInPageValues,
  error: ["Configuration", "AccessDenied", "Verification"],
  none: ["Configuration"],
}

const classes = Object.entries(errors).filter(
  (entry): entry is [string, typeof errors.AuthError] =>
    typeof entry[1] === "function" && entry[1].prototype instanceof Error,
)

describe("the table of errors", () => {
  it("finds the classes", () => expect(classes.length).toBeGreaterThan(35))

  it.each(classes)("%s has a row of its own and bears its name", (name, AnyError) => {
    const error = new AnyError("why")
    expect(errors.errorTable).toHaveProperty(name)
    expect(error).toMatchObject({ name, type: name, message: "why" })
    expect(error.kind).toBe(AnyError.kind)
    expect(error.status).toBeGreaterThanOrEqual(400)
    expect(error.status).toBe(errors.errorTable[error.type].status)
  })

  it("says 500 of a type that is not in it", () => {
    class Own extends errors.AuthError {
      static override type = "toString"
    }
    expect(new Own("why").status).toBe(500)
  })

  it("says of a type that an application has given a class of ours what it says of that class", () => {
    class InvalidLogin extends errors.CredentialsSignin {
      static override type = "InvalidLogin"
    }
    expect(new InvalidLogin().status).toBe(401)
    class TooOften extends errors.CredentialsSignin {}
    Object.defineProperty(TooOften.prototype, "status", { get: () => 429 })
    expect(new TooOften().status).toBe(429)
  })

  it("says of too many tries what goes into the answer", () => {
    const error = new errors.TooManyRequests("Too many.")
    error.retryAfter = 30
    expect(error.headers).toEqual({ "Retry-After": "30" })
  })

  it("has no row without a class", () => {
    expect(Object.keys(errors.errorTable).sort()).toEqual(classes.map(([name]) => name).sort())
  })

  it.each(Object.entries(errors.errorTable))(
    "%s tells only a value of its page's closed list",
    (_, row: errors.ErrorRow) => {
      expect(pageValues[row.page]).toContain(row.value)
      if (row.valueAtBegin) expect(pageValues[row.page]).toContain(row.valueAtBegin)
    },
  )
})

describe("AuthError", () => {
  it("carries message, name, type, stack and the error below [spec auth-error fields]", () => {
    const below = new TypeError("below")
    const error = new errors.AuthError(below, { provider: "acme" })
    expect(error).toMatchObject({ message: "below", name: "AuthError", type: "AuthError", kind: "error" })
    expect(error.cause).toEqual({ err: below, provider: "acme" })
    expect(error.stack).toContain("below")
  })

  it.each([
    ["nothing", [], "", undefined],
    ["a message", ["why"], "why", undefined],
    ["a message and options", ["why", { cause: { code: "x" } }], "why", { code: "x" }],
    ["a message and an error as cause", ["why", { cause: new Error("below") }], "why", { err: new Error("below") }],
    ["a message and an error", ["why", new Error("below")], "why", { err: new Error("below") }],
    ["options alone", [{ cause: { code: "x" } }], "", { code: "x" }],
    [
      "an error with a cause of its own",
      [new Error("below", { cause: { code: "x" } })],
      "below",
      { err: new Error("below"), code: "x" },
    ],
  ] as const)("is made from %s [spec auth-error constructor]", (_, args, message, cause) => {
    const error = new errors.AuthError(...(args as unknown as ConstructorParameters<typeof errors.AuthError>))
    expect(error.message).toBe(message)
    expect(error.cause).toEqual(cause)
  })
})

describe("errors of another copy of the package", () => {
  const foreign = Object.assign(new Error("wrong"), { type: "CredentialsSignin", kind: "signIn", code: "locked" })

  it("are recognised by their type", () => {
    expect(errors.isAuthError(foreign)).toBe(true)
    expect(errors.isCredentialsSignin(foreign)).toBe(true)
    expect(errors.isClientError(foreign)).toBe(true)
  })

  it.each([
    undefined,
    null,
    "AuthError",
    { type: "AuthError" },
    new Error("plain"),
    Object.assign(new Error(""), { type: "toString" }),
  ])("are distinguished from %s", (value) => expect(errors.isAuthError(value)).toBe(false))
})

describe("CredentialsSignin", () => {
  it("has the code `credentials` unless a subclass says otherwise [spec credentials-signin code]", () => {
    class Locked extends errors.CredentialsSignin {
      override code = "locked"
    }
    expect(new errors.CredentialsSignin().code).toBe("credentials")
    expect(new Locked()).toMatchObject({ code: "locked", type: "CredentialsSignin", kind: "signIn" })
    expect([errors.CredentialsSignin.kind, errors.CredentialsSignin.type]).toEqual(["signIn", "CredentialsSignin"])
  })
})
