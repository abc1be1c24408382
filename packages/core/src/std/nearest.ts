/** The known name that somebody most likely meant. */

/** How many letters have to be added, left out or exchanged (Levenshtein); capitals and small letters are alike. */
function distance(a: string, b: string): number {
  const [one, two] = [a.toLowerCase(), b.toLowerCase()]
  let row = Array.from({ length: two.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= two.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (one[i - 1] === two[j - 1] ? 0 : 1)
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[two.length] ?? 0
}

/** The nearest of the known names, where one is near enough to be meant: at most a third of its letters differ, or one. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [first] = known.toSorted((a, b) => distance(name, a) - distance(name, b))
  return first !== undefined && distance(name, first) <= Math.max(1, name.length / 3) ? first : undefined
}
