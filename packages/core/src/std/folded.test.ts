import { afterEach, expect, it, vi } from "vitest"
import { folded, isTooLong } from "./folded.js"

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
  ["เพแสโส ພເ ꪀꪵ ᦜᦶ", "พสสພꪀᦜ"],
  ["\u0675 \u0676 \u0677 \u0678", "ءاءوءۇءي"],
  ["\u0f00 \u09ce", "ཨত"],
  ["\u0d4e \u0d54 \u0d55 \u0d56 \u0d7a \u0d7b \u0d7c \u0d7d \u0d7e \u0d7f", "രമയഴണനരലളക"],
  ["\u19de \u19df", "ᦜᦜᧁ"],
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

afterEach(() => {
  vi.restoreAllMocks()
})

it("compares each letter once, however often a name repeats it", { tags: ["threat:V6-06"] }, () => {
  const { Collator } = Intl
  let compared = 0
  vi.spyOn(Intl, "Collator").mockImplementation(function (this: unknown, ...given: never[]) {
    const { compare } = new Collator(...given)
    const counting = (one: string, other: string): number => {
      compared += 1
      return compare(one, other)
    }
    return { compare: counting } as Intl.Collator
  } as never)
  const once = folded("\ufdfa")
  const expected = compared
  expect(expected).toBeGreaterThan(100)
  expect(folded("\ufdfa".repeat(4096))).toBe(once.repeat(4096))
  expect(compared).toBe(2 * expected)
})

it.each<[string, boolean]>([
  ["é".repeat(4096), false],
  ["é".repeat(4097), true],
  ["\u{1d400}".repeat(2049), true],
  [`${"a".repeat(4096)}\u200b`, true],
  ["a".repeat(100_000), false],
  ["\0".repeat(100_000), false],
])("is too long, or not (row %#)", (text, expected) => {
  expect(isTooLong(text)).toBe(expected)
})
