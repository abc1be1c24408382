/** Spellings that people or databases take for the same: capitals, accents, ligatures, digits of other scripts, letters that are never seen. */

/** Letters that Unicode does not take apart (UAX #15), and what databases compare them as. */
const alike: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŧ: "t",
  þ: "th",
  ß: "s",
  ƾ: "ts",
  ȸ: "db",
  ȹ: "qp",
  ʣ: "dz",
  ʤ: "dʒ",
  ʥ: "dʑ",
  ʦ: "ts",
  ʨ: "tɕ",
  ʪ: "ls",
  ʫ: "lz",
  ᴈ: "ɜ",
  ᵺ: "th",
  ꜩ: "tz",
  ꭦ: "dʐ",
  ꭧ: "tʂ",
  ꜳ: "aa",
  ꜵ: "ao",
  ꜷ: "au",
  ꜹ: "av",
  ꜻ: "av",
  ꜽ: "ay",
  ꝏ: "oo",
  ꝡ: "vy",
  // Written over other letters.
  "\u1dd4": "ae",
  "\u1dd5": "ao",
  "\u1dd6": "av",
  // Numerators of Bengali, digits to older collations.
  "\u09f4": "1",
  "\u09f5": "2",
  "\u09f6": "3",
  "\u09f7": "4",
  // Signs that are taken for two letters, or for the letter that they are a form of.
  "\u09ce": "ত",
  "\u0c5c": "శర",
  "\u0c5d": "న",
  "\u0cdc": "ಶರ",
  "\u0cdd": "ನ",
  "\u0d4e": "ര",
  "\u0d54": "മ",
  "\u0d55": "യ",
  "\u0d56": "ഴ",
  "\u0d7a": "ണ",
  "\u0d7b": "ന",
  "\u0d7c": "ര",
  "\u0d7d": "ല",
  "\u0d7e": "ള",
  "\u0d7f": "ക",
  "\u0f00": "ཨ",
  "\u103f": "သသ",
  "\u191d": "ᤈ",
  "\u191e": "ᤋ",
  "\u1a54": "ᩆᩆ",
  "\u19de": "ᦜ",
  "\u19df": "ᦜᧁ",
  "\u1b4c": "ᬚᬜ",
  "\u2ce4": "ⲕⲁⲓ",
  "\ua613": "ꔌꘋ",
  "\ua614": "ꔞꘋ",
  "\ua615": "ꔳꘋ",
  "\ua616": "ꕇꘌ",
  "\ua617": "ꕒꘋ",
  "\ua618": "ꕘꘌ",
  "\ua619": "ꕚꘌ",
  "\ua61a": "ꕠꘋ",
  "\ua61b": "ꖅꘋ",
  "\ua61c": "ꖴꘋ",
  "\ua61d": "ꗋꘋ",
  "\ua61e": "ꗑꘌ",
  "\ua61f": "ꗘꘋ",
  // Beyond the first plane, with a space, which is not counted, or with letters that Unicode got later.
  // The sign for a second screen. cspell:disable-next-line
  "\u{1f19c}": "2ndscr",
  "\u{1f1a8}": "hires",
  "\u{1df12}": "d",
  "\u{1df17}": "tᶋ",
  "\u{1df19}": "dᶚ",
  "\u{1df1c}": "tᶘ",
}

/** Those that Unicode takes apart in another way than databases. */
const takenApart: Readonly<Record<string, string>> = {
  // The iota below a letter, standing alone: NFKD makes it one that is written below others.
  "\u037a": "ι",
  // A hamza stands in front of its letter, not behind it.
  "\u0675": "ءا",
  "\u0676": "ءو",
  "\u0677": "ءۇ",
  "\u0678": "ءي",
  "\ufbdd": "ءۇ",
}

const anyAlike = new RegExp(Object.keys(alike).join("|"), "g")
const anyTakenApart = new RegExp(Object.keys(takenApart).join("|"), "g")

/** What letters, digits and signs are folded to, where a collation takes them for one of these, or for several in a row. */
const basic =
  // Alphabets are no words. cspell:disable-next-line
  "!\"'./0123456789abcdefghijklmnopqrstuvwxyzŋαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяეაბგდვზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰאבגדהוזחטיכלמנסעפצקרשתアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン" +
  // What radicals of ideographs are taken for.
  "丶厂乛乚乙亻冂几刀刂卜卩小尢尣巳幺彑彐忄心扌攵旡日月歺民氵氺灬爫丬牛犭王疋目示礻竹糹纟罓罒羊羋耂肀聿肉臼艹虎衤覀西见角讠贝足车辶邑钅長镸长门阜阝雨青韦页风飞食飠饣首马骨鬼鱼鸟鹵麦黄黾齊齐齒齿龍龙龜" +
  // One of each group of other letters that are taken for one another.
  "ɑꞵəɜɢʟꬸᴍɴʀʃʍꝯєіꙉѡꙗѥѧѫѭѳᨦᨻ〱〳ᴉᲈѣءامويیܒܓܕܛܣܦߖߗߙᳩꣲᮃᮊᮙརᯀᯂᯅᯇᯉᯋᯎᯒᯔᯖᯘᯛᯞꦫᚠᚢᚦᚨᚲᚹᚺᚾᛁᛃᛅᛈᛊᛏᛒᛗᛚᛜᛦꕘꕪꕮꖇꗑㄅㄆㄊㄍㄎㄏㄐㄗㄚㄛㄜㆤㄞㄠㄧㄨ"

/** What compares without accents and capitals, and `basic` as it sorts that. */
interface Collation {
  readonly compare: (a: string, b: string) => number
  readonly sorted: readonly string[]
}

function openCollation(): Collation {
  const { compare } = new Intl.Collator("en", { sensitivity: "base" })
  return { compare, sorted: [...basic].sort(compare) }
}

/** Letters that one character may stand for: of those that the compatibility forms of Unicode leave, none stands for more. */
const longestExpansion = 8

/** Characters of other text than plain ASCII that are folded: some takes time in the square of its length. */
const longestFolded = 4096

/**
 * Does it take too long to fold this? It is not cut instead: whoever chooses what stands before the cut has as many names as
 * characters.
 */
export const isTooLong = (text: string, most: number = longestFolded): boolean =>
  text.length > most && !/^[\0-\x7f]*$/.test(text)

/**
 * A name as older collations read it: those of MySQL take all that stands beyond the first plane of Unicode for one another and the
 * iota below a letter for one beside it; those of SQL Server see neither that plane nor letters that are written above others,
 * which newer ones read. Tries count at both readings.
 */
export const inOlderCollations = (name: string): string =>
  name.replaceAll("\u0345", "ι").replaceAll(/[\p{M}\u{10000}-\u{10ffff}]/gu, "")

/** As an application reads a name that looks it up in capitals: `ᾳ` becomes `ΑΙ`, in which the iota is a letter of its own. */
export function inCapitals(name: string): string {
  const apart = name.normalize("NFD")
  return apart.includes("\u0345") ? apart.replaceAll("\u0345", "ι") : name
}

/**
 * The text in a spelling of its own, not to be shown or stored: it is coarser than any comparison, so that nobody gets by a
 * count by writing a name in another way. Some names of different people share it.
 *
 * Names that consist of pictures alone all share the empty one, and so their tries. To keep them apart would open guesses: older
 * collations of MySQL take all characters beyond the first plane for one another, and those of SQL Server do not see them, so that
 * one row answers to any number of such names, each of which would have tries of its own.
 */
export function folded(text: string): string {
  const name = foldedLetters(text)
  return asNumber(name) ?? name
}

/** The same for what is compared as text alone: `007` stays another than `7`. */
export function foldedLetters(text: string): string {
  const lower = text
    .replaceAll(anyTakenApart, (letter) => takenApart[letter] ?? letter)
    .normalize("NFKD")
    .toLowerCase()
    // Two alphabets of Georgian: what the second has for small letters, databases take for those of the first.
    .replaceAll(/[\u2d00-\u2d25]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x2d00 + 0x10d0))
    .replaceAll(anyAlike, (letter) => alike[letter] ?? letter)
  return (
    (/^[ -~]*$/.test(lower) ? lower : asBasic(lower, openCollation()))
      // What is written over or between letters, has no width, or is a space; and what stands beyond the first plane of
      // Unicode: older collations have one place for all of that, and for the sign of a character that cannot be shown. And
      // vowels that are written in front of the consonant they are spoken behind: collations take both orders for the same.
      .replaceAll(/[\p{M}\p{C}\p{Z}\p{Logical_Order_Exception}·\u06de\ufffd\u{10000}-\u{10ffff}]/gu, "")
      // Some take ß for one s, some for two.
      .replaceAll(/ss+/g, "s")
  )
}

/**
 * Each letter or digit as those of `basic` that the Unicode Collation Algorithm (UTS #10) takes it for; without what it ignores.
 * Some stand for several, such as `⓫` for 11 and `🆔` for id.
 */
function asBasic(text: string, { compare, sorted }: Collation): string {
  const basicOf = (letter: string): string => {
    if (compare(`x${letter}`, "x") === 0) return ""
    // The one that it begins with, then the next, for as long as it goes on behind them.
    for (let found = ""; found.length < longestExpansion; ) {
      const next = sorted[placeOf(sorted, (one) => compare(found + one, letter) <= 0) - 1]
      if (next === undefined) return letter
      found += next
      const order = compare(found, letter)
      if (order === 0) return found
      if (compare(`${found}\uffff`, letter) < 0) return letter
    }
    return letter
  }
  // To compare takes time: each letter once, however often it stands there.
  const known = new Map<string, string>()
  return text.replaceAll(/[^\0-\x7f]/gu, (letter) => {
    const found = known.get(letter) ?? basicOf(letter)
    known.set(letter, found)
    return found
  })
}

/** How many are before: they stand in front of all others. */
function placeOf(sorted: readonly string[], isBefore: (one: string) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(sorted[middle] ?? "")) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * A number in its shortest notation: a column of numbers finds the same row for `7`, `007`, `+7.0` and `70e-1`. Long ones are as
 * coarse as JavaScript and databases compare them with text.
 */
function asNumber(name: string): string | undefined {
  const digits = name.replaceAll("_", "").replace(/^\+/, "").replace(/\.0*$/, "")
  const number = Number(digits)
  return digits === "" || !Number.isFinite(number) ? undefined : String(number)
}
