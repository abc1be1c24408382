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
  ["Ørsted Łukasz Đorđe", "orstedlukaszdorde"],
  ["Æsop œuvre þor jıll ħaż ŧ ð", "aesopoeuvrethorjillhaztd"],
  ["İstanbul", "istanbul"],
  ["Σίσυφος", "σισυφοσ"],
  ["ガス", "カス"],
  ["राम", "रम"],
  ["ada\u00a0b", "adab"],
  ["a\u05b0d\u0483a\u0640\ufc5e", "ada"],
  ["\u0363d\u0363", "ada"],
  ["ʣ ꜳ \u1dd4 col·lega", "dzaaaecollega"],
  ["٧७৭七", "777七"],
  ["がす ガス ｶﾞｽ", "カスカスカス"],
  ["שלום שלומ", "שלומשלומ"],
  // Characters that stand for several, within the first plane and beyond it.
  ["⓫ ⓴ ⓾ ❿ ➉ ➓ ㉈ ㉏", "1120101010101080"],
  ["Ỻƍ ₧ 🆔🅰🆍 🆒 🆩 🆙 🆢", "llzwptsidasacoolloslesup!22.2"],
  ["a৴৵৶৷", "a1234"],
  ["⻢⻰ ⻩", "马龙黄"],
  ["漢字 한글", "漢字한글".normalize("NFKD")],
  ["jo🍣 jo🍺", "jojo"],
  // One row may answer to both.
  ["🍣", ""],
  ["🍺🍺", ""],
  ["0007", "7"],
  ["+7.000", "7"],
  ["70e-1", "7"],
  ["0x7", "7"],
  ["1_234", "1234"],
  ["000123456789012345678.5", "123456789012345680"],
  ["123456789012345679", "123456789012345680"],
  ["7a", "7a"],
  ["1e999", "1e999"],
  ["+", "+"],
  ["", ""],
])("takes %j for %j, and leaves that as it is", (text, expected) => {
  expect(folded(text)).toBe(expected)
  expect(folded(expected)).toBe(expected)
})
