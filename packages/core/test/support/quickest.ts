/** How long work takes when nothing else gets in its way. */

/** Enough for one undisturbed round on a busy machine. */
const rounds = 5

/**
 * Milliseconds of the quickest of several rounds. A collection of garbage, or another process that gets the processor,
 * slows one of them; work that grows faster than its input slows all.
 */
export async function quickest(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    await work()
    least = Math.min(least, performance.now() - begun)
  }
  return least
}
