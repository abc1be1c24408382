import { describe, expect, it } from "vitest"
import { tagsOf } from "../../test/pages/corpus.js"
import { renderHtml } from "../std/html.js"
import { english } from "../texts/wording.js"
import type { CredentialInput } from "../types/provider.js"
import { drawField, fieldOf } from "./fields.js"

const drawn = (name: string, field: CredentialInput, more: { readonly error?: string } = {}): string =>
  renderHtml(drawField({ ...fieldOf(name, field, english), ...more }, { wording: english, providerId: "own" }))
const inputOf = (field: CredentialInput, key = "pin"): Readonly<Record<string, string>> =>
  Object.fromEntries(tagsOf(drawn(key, field)).find(({ name }) => name === "input")?.attributes ?? [])

describe("a field", () => {
  it("is a labelled input of type text, by the name of its key", () => {
    expect(drawn("pin", {})).toBe(
      '<div class="field"><label for="input-pin-for-own-provider">pin</label><input id="input-pin-for-own-provider" name="pin" type="text"></div>',
    )
  })

  it("takes every attribute it is given", () => {
    expect(
      inputOf({
        type: "number",
        min: 1,
        step: "0.5",
        placeholder: "a<b",
        required: true,
        disabled: false,
        value: ["a", "b"],
        "data-x": "y",
        pattern: undefined,
      }),
    ).toEqual({
      id: "input-pin-for-own-provider",
      name: "pin",
      type: "number",
      min: "1",
      step: "0.5",
      placeholder: "a&lt;b",
      required: "",
      value: "a b",
      "data-x": "y",
    })
  })

  it.each(["onfocus", "style", "formaction", "form", "id", "name", "class", "src", "a b", 'x"y', "x>", "ON", ""])(
    "does not take the attribute %j",
    { tags: ["threat:HT-03"] },
    (attribute) => {
      expect(inputOf({ [attribute]: "evil" })).toEqual({ id: "input-pin-for-own-provider", name: "pin", type: "text" })
    },
  )

  it.each([
    ["password", "password", "current-password"],
    ["mail", "email", "username"],
    ["username", "text", "username"],
    ["Email", "text", "username"],
    ["pin", "text", undefined],
  ])(
    "named %s of type %s is filled by password managers as %s",
    { tags: ["threat:V6-05"] },
    (key, type, autocomplete) => {
      expect(inputOf({ type }, key)["autocomplete"]).toBe(autocomplete)
    },
  )

  it("for a password hides what is typed, and keeps nobody from pasting a long one", { tags: ["threat:V6-05"] }, () => {
    expect(inputOf({ type: "password", onpaste: "return false" }, "password")).toEqual({
      id: "input-password-for-own-provider",
      name: "password",
      type: "password",
      autocomplete: "current-password",
    })
  })

  it("keeps the autocomplete it is given", () => {
    expect(inputOf({ type: "password", autocomplete: "one-time-code" })["autocomplete"]).toBe("one-time-code")
  })

  it("that is hidden has no label; one to tick has it behind", () => {
    expect(drawn("a", { type: "hidden", value: "1" })).toBe(
      '<input id="input-a-for-own-provider" name="a" type="hidden" value="1">',
    )
    expect(drawn("a", { type: "checkbox" })).toMatch(/^<div class="choice"><input [^>]*><label /)
  })

  it("with a mistake says so below, is described by it, and is where the person is taken", () => {
    const text = drawn("pin", {}, { error: "Too <short>" })
    expect(text).toContain('aria-invalid="true" aria-describedby="input-pin-for-own-provider-error" autofocus>')
    expect(text).toContain('<p class="wrong" id="input-pin-for-own-provider-error">Too &lt;short&gt;</p>')
  })

  it("for a password can be shown, by a button that stays hidden without a script", () => {
    const button = tagsOf(drawn("password", { type: "password" })).find(({ name }) => name === "button")
    expect(Object.fromEntries(button?.attributes ?? [])).toEqual({
      type: "button",
      class: "reveal",
      hidden: "",
      "aria-controls": "input-password-for-own-provider",
      "aria-label": "Show password",
      "data-show": "Show password",
      "data-hide": "Hide password",
    })
  })

  it.each([
    ["Email", "Email"],
    ["Password", "Password"],
    ["User name", "User name"],
    [undefined, "pin"],
  ])("labelled %j is called %s", (label, expected) => {
    expect(fieldOf("pin", { label }, english).label).toBe(expected)
  })
})
