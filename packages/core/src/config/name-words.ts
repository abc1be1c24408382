/** Names of fields that are put together from known words, such as `user_email_address`. */

/** Longer than any name in an application. The names in a request are chosen by its sender. */
const mostLetters = 64

/** The name, or nothing where it is too long to be read. */
export const readable = (name: string): string => (name.length > mostLetters ? "" : name)

const plain = (name: string): string => name.replaceAll(/[-_]/g, "")

/** Lists of words, which a blank separates. */
interface NameWords {
  readonly before: string
  readonly words: string
  readonly after: string
}

/**
 * Is a name one of `words`, with any number of `before` in front and of `after` behind? Case, `-` and `_` make no difference. This is
 * not a regular expression because one that can read `hcaptcha` in two ways, also as `h` and `captcha`, doubles its time with
 * each repetition in a name that a stranger sends.
 */
export function madeOf({ before, words, after }: NameWords): (name: string) => boolean {
  const [heads, cores, tails] = [plain(before).split(" "), plain(words).split(" "), plain(after).split(" ")]
  return (name) => {
    const text = plain(readable(name).toLowerCase())
    const starts = reachedBy(heads, text, new Set([0]))
    const ends = new Set([...starts].flatMap((start) => endsOf(cores, text, start)))
    return reachedBy(tails, text, ends).has(text.length)
  }
}

/** The places where one of these words ends that begins at `start`. */
const endsOf = (words: readonly string[], text: string, start: number): readonly number[] =>
  words.filter((word) => text.startsWith(word, start)).map((word) => start + word.length)

/** These places in the text, and all that any number of words lead to from there. Iterating a `Set` visits what is added meanwhile. */
function reachedBy(words: readonly string[], text: string, places: Set<number>): ReadonlySet<number> {
  for (const place of places) for (const end of endsOf(words, text, place)) places.add(end)
  return places
}
