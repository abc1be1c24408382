/** Names of fields that are put together from known words, such as `user_email_address`. */

/** Programmers give shorter ones. Whoever sends a request chooses what the fields are called that it has. */
const mostLetters = 64

/** What is read of a name: nothing of one that no programmer has given. */
export const readable = (name: string): string => (name.length > mostLetters ? "" : name)

const plain = (name: string): string => name.replaceAll(/[-_]/g, "")

/** Lists of words, which a blank separates. */
interface NameWords {
  readonly before: string
  readonly words: string
  readonly after: string
}

/**
 * Is a name one of `words`, with any of `before` in front of it and any of `after` behind it? Capitals, `-` and `_` make no
 * difference. It is no regular expression: one that can read a part of a name in two ways, as `hcaptcha` and as `h` before
 * `captcha`, takes twice as long with each repetition, and a stranger may send a name of many.
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

/** Where in the text one of these words ends that begins there. */
const endsOf = (words: readonly string[], text: string, start: number): readonly number[] =>
  words.filter((word) => text.startsWith(word, start)).map((word) => start + word.length)

/** These places of a text, and those that any number of words lead to from there. A set is walked on to what is added meanwhile. */
function reachedBy(words: readonly string[], text: string, places: Set<number>): ReadonlySet<number> {
  for (const place of places) for (const end of endsOf(words, text, place)) places.add(end)
  return places
}
