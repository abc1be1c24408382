/** Remembers which cookie values requests have set, so that the response to another request does not carry them. */

/** As many session cookies as a busy application sets in hours: some megabytes. */
const valuesAtMost = 100_000

const remembered = new Set<number>()

/** Remembers what a request has set. A cookie that is cleared says nothing of anyone. */
export function remember(name: string, value: string): void {
  if (value === "") return
  const mark = markOf(name, value)
  remembered.delete(mark)
  remembered.add(mark)
  for (const oldest of remembered) {
    if (remembered.size <= valuesAtMost) return
    remembered.delete(oldest)
  }
}

/** Has a request set this value? */
export function isRemembered(name: string, value: string): boolean {
  return remembered.has(markOf(name, value))
}

/**
 * A 53-bit hash (FNV-1a twice, with different primes) stands for the value: session cookies are long, and secrets. If two values
 * collide, one person has to sign in again.
 */
function markOf(name: string, value: string): number {
  const text = `${name}=${value}`
  let high = 0x811c9dc5
  let low = 0x2f0b4c47
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11)
}
