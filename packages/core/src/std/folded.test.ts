import { expect, it } from "vitest"
import { folded } from "./folded.js"

it.each([
  ["Ada@App.test", "ada@app.test"],
  [" ada ", "ada"],
  ["ａｄａ", "ada"],
  ["ÁdÀ", "ada"],
  ["a\u0308da", "ada"],
  ["a\u200bd\u00ada\u0000", "ada"],
  ["straße", "strase"],
  ["STRASSE", "strase"],
  ["Ørsted Łukasz Đorđe", "orsted lukasz dorde"],
  ["Æsop œuvre þor jıll ħaż ŧ ð", "aesop oeuvre thor jill haz t d"],
  ["İstanbul", "istanbul"],
  ["Σίσυφος", "σισυφοσ"],
  ["ガス", "カス"],
  ["राम", "राम"],
  ["ada\u00a0b", "ada b"],
])("takes %j for %j, and leaves that as it is", (text, expected) => {
  expect(folded(text)).toBe(expected)
  expect(folded(expected)).toBe(expected)
})
