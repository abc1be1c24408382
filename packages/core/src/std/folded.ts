/** Spellings that people or databases take for the same: capitals, accents, ligatures, letters that are never seen. */

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
  ς: "σ",
}

const anyAlike = new RegExp(Object.keys(alike).join("|"), "g")

/**
 * The text in a spelling of its own, not to be shown or stored: it is coarser than any comparison, so that nobody gets by a
 * count by writing a name in another way. Some names of different people share it.
 */
export function folded(text: string): string {
  return (
    text
      .normalize("NFKD")
      // Accents and whatever else is written over other letters; what has no width.
      .replaceAll(/[\p{Script=Inherited}\p{C}]/gu, "")
      .trim()
      .toLowerCase()
      .replaceAll(anyAlike, (letter) => alike[letter] ?? letter)
      // Some take ß for one s, some for two.
      .replaceAll(/ss+/g, "s")
  )
}
