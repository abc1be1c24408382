import { describe, expect, it } from "vitest"
import { tagsOf } from "../../test/pages/corpus.js"
import { renderHtml } from "../std/html.js"
import type { CredentialInput } from "../types/provider.js"
import { fieldsOf } from "./fields.js"

const inputOf = (field: CredentialInput, key = "pin"): Readonly<Record<string, string>> =>
  Object.fromEntries(
    tagsOf(renderHtml(fieldsOf("own", { [key]: field }))).find(({ name }) => name === "input")?.attributes ?? [],
  )

describe("a field", () => {
  it("is a labelled input of type text, by the name of its key", () => {
    expect(renderHtml(fieldsOf("own", { pin: {} }))).toBe(
      '<p class="field"><label for="input-pin-for-own-provider">pin</label><input id="input-pin-for-own-provider" name="pin" type="text"></p>',
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
  ])("named %s of type %s is filled by password managers as %s", (key, type, autocomplete) => {
    expect(inputOf({ type }, key)["autocomplete"]).toBe(autocomplete)
  })

  it("keeps the autocomplete it is given", () => {
    expect(inputOf({ type: "password", autocomplete: "one-time-code" })["autocomplete"]).toBe("one-time-code")
  })

  it("that is hidden has no label; one to tick has it behind", () => {
    expect(renderHtml(fieldsOf("own", { a: { type: "hidden", value: "1" } }))).toBe(
      '<input id="input-a-for-own-provider" name="a" type="hidden" value="1">',
    )
    expect(renderHtml(fieldsOf("own", { a: { type: "checkbox" } }))).toMatch(/^<p class="choice"><input [^>]*><label /)
  })
})
