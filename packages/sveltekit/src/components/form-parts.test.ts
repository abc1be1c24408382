import { readdir, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  type AuthorizationParams,
  addressOf,
  buttonText,
  classesOf,
  mailProviders,
  optionFields,
  passkeyProviders,
  signInFields,
  usePasskey,
} from "./form-parts.js"

describe("signInFields", () => {
  it("has each option under its own name", () => {
    const options = { redirectTo: "/in", redirect: false, email: "a@app.test", nothing: undefined, none: null }
    expect(signInFields({ provider: "git", options, authorizationParams: undefined })).toEqual([
      ["providerId", "git"],
      ["redirectTo", "/in"],
      ["redirect", "false"],
      ["email", "a@app.test"],
    ])
    expect(optionFields(undefined)).toEqual([])
  })

  it("takes options as FormData", () => {
    const options = new FormData()
    options.append("redirectTo", "/in")
    options.append("redirect", "false")
    const expected = [
      ["redirectTo", "/in"],
      ["redirect", "false"],
    ]
    expect(optionFields(options)).toEqual(expected)
  })

  it.each([
    ["text", "scope=a&scope=b"],
    ["URLSearchParams", new URLSearchParams("scope=a&scope=b")],
    [
      "pairs",
      [
        ["scope", "a"],
        ["scope", "b"],
      ],
    ],
  ] as [string, AuthorizationParams][])("takes authorization parameters as %s", (_, authorizationParams) => {
    const fields = signInFields({ provider: "git", options: undefined, authorizationParams })
    expect(fields.slice(1)).toEqual([
      ["authorizationParams-scope", "a"],
      ["authorizationParams-scope", "b"],
    ])
  })

  it("takes them as a record", () => {
    const given = { provider: "git", options: undefined, authorizationParams: { prompt: "login" } }
    expect(signInFields(given)).toContainEqual(["authorizationParams-prompt", "login"])
  })
})

it("puts forms below the base path of the application", () => {
  expect(addressOf("signin")).toBe("/base/signin")
  expect(addressOf("?/signIn")).toBe("?/signIn")
})

it("joins classes and leaves out what is none", () => {
  expect(classesOf("a", "", undefined, "b c", ["d"])).toBe("a b c")
})

it.each([
  ["", "Sign in"],
  ["credentials", "Sign in"],
  ["resend", "Sign in with e-mail"],
  ["passkey", "Sign in with a passkey"],
  ["microsoft-entra-id", "Sign in with Microsoft Entra Id"],
  ["42-school", "Sign in with 42 School"],
])("the button for %j says %j", (provider, text) => {
  expect(buttonText(provider)).toBe(text)
})

it("knows the mail providers of the core", async () => {
  const folder = fileURLToPath(new URL("../../../core/src/providers/", import.meta.url))
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts") && !file.includes(".test"))
  const texts = await Promise.all(files.map((file) => readFile(folder + file, "utf8")))
  const found = files.filter((_, index) => texts[index]?.includes("return email(\n")).map((file) => file.slice(0, -3))
  // `email` is another name of one of them.
  expect([...mailProviders]).toEqual([...found, "email"].sort())
  expect([...passkeyProviders]).toEqual(["passkey", "webauthn"])
})

describe("usePasskey", () => {
  const signInWithPasskey = vi.fn(async () => undefined)
  vi.doMock("../client.js", () => ({ signInWithPasskey }))

  /** A submit event of a form with these fields; there is no document here. */
  function submitting(fields: Record<string, string>): { event: SubmitEvent; preventDefault: () => void } {
    const preventDefault = vi.fn()
    class Fields extends Map<string, string> {
      constructor() {
        super(Object.entries(fields))
      }
    }
    vi.stubGlobal("FormData", Fields)
    return { event: { preventDefault, currentTarget: {} } as unknown as SubmitEvent, preventDefault }
  }

  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    signInWithPasskey.mockReset()
  })

  it("leaves every other form to the browser", async () => {
    const { event, preventDefault } = submitting({})
    await usePasskey(event, "github")
    expect(preventDefault).not.toHaveBeenCalled()
    expect(signInWithPasskey).not.toHaveBeenCalled()
  })

  it.each([
    [{}, { provider: "passkey" }],
    [{ redirectTo: "", email: "" }, { provider: "passkey" }],
    [
      { redirectTo: "/in", email: "a@app.test" },
      { provider: "passkey", redirectTo: "/in", fields: { email: "a@app.test" } },
    ],
  ])("begins the ceremony with %j instead of sending the form", async (fields, options) => {
    const { event, preventDefault } = submitting(fields as Record<string, string>)
    await usePasskey(event, "passkey")
    expect(preventDefault).toHaveBeenCalledTimes(1)
    expect(signInWithPasskey).toHaveBeenCalledExactlyOnceWith(options)
  })

  it("says nothing when the person cancels, and tells the console of anything else", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined)
    for (const name of ["NotAllowedError", "AbortError"]) {
      signInWithPasskey.mockRejectedValueOnce(Object.assign(new Error(), { name }))
      await usePasskey(submitting({}).event, "webauthn")
    }
    expect(logged).not.toHaveBeenCalled()
    signInWithPasskey.mockRejectedValueOnce(new Error("away"))
    await usePasskey(submitting({}).event, "webauthn")
    expect(logged).toHaveBeenCalledTimes(1)
  })
})
