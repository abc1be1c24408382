import { afterEach, expect, it, vi } from "vitest"
import { folded, inOlderCollations, isTooLong } from "./folded.js"

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
  ["ౝ న్ ೝ ᤝ \ufbdd ᴈ", "ననನᤈءۇɜ"],
  ["🆨 hi res 🆜", "hireshires2ndscr"],
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

/** Letters that the runtime's collation tells apart, in its order; none that it ignores. */
function lettersOf(compare: (one: string, other: string) => number): readonly string[] {
  const isLetter = (one: string): boolean => /[^\p{Cn}\p{Co}\p{Cs}\p{Unified_Ideograph}가-힣]/u.test(one)
  const all = Array.from({ length: 0x1_fffe }, (_, at) => String.fromCodePoint(at + 1))
  const seen = all.filter((one) => isLetter(one) && compare(`x${one}`, "x") !== 0).sort(compare)
  return seen.filter((one, at) => at === 0 || compare(seen[at - 1] ?? "", one) !== 0)
}

it("takes whatever the runtime's collation takes for several letters for these", { tags: ["threat:FD-21"] }, () => {
  const { compare } = new Intl.Collator("en", { sensitivity: "base" })
  const letters = lettersOf(compare)
  const startOf = (whole: string, from: string): string | undefined => {
    let [low, high] = [0, letters.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(from + letters[middle], whole) <= 0) low = middle + 1
      else high = middle
    }
    // Letters that begin the same way stand between what it begins with and the letter itself.
    const before = letters.slice(Math.max(0, low - 40), low).reverse()
    return before.find(
      (one) =>
        from + one !== whole &&
        (compare(from + one, whole) === 0 ? from !== "" : compare(`${from}${one}\uffff`, whole) > 0),
    )
  }
  const apart = letters.flatMap((whole) => {
    let several = ""
    for (let next = startOf(whole, ""); next !== undefined && several.length < 20; next = startOf(whole, several)) {
      several += next
      if (compare(several, whole) === 0) break
    }
    if (several === "" || compare(several, whole) !== 0) return []
    const readings = (text: string): readonly string[] => [folded(text), folded(inOlderCollations(text))]
    return [{ whole, several, isSame: readings(`q${whole}q`).some((one) => readings(`q${several}q`).includes(one)) }]
  })
  expect(apart.length).toBeGreaterThan(500)
  expect(apart.filter(({ isSame }) => !isSame)).toEqual([])
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
