/** Interleaved measuring: every target takes its turn in each round, and medians are compared. */

/** @returns {number} the middle value */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Runs `work` for about `milliseconds` and returns microseconds per operation. */
async function turn(work, milliseconds) {
  let count = 0
  const begun = performance.now()
  do {
    await work(count)
    count += 1
  } while (performance.now() - begun < milliseconds)
  return ((performance.now() - begun) * 1000) / count
}

/**
 * Measures targets side by side in one run.
 * @param {Record<string, (turn: number) => unknown>} targets
 * @returns {Promise<Record<string, number>>} the median of microseconds per operation
 */
export async function sideBySide(targets, { rounds = 9, milliseconds = 120 } = {}) {
  const taken = Object.fromEntries(Object.keys(targets).map((name) => [name, []]))
  for (const work of Object.values(targets)) await turn(work, milliseconds)
  for (let round = 0; round < rounds; round += 1) {
    const names = Object.keys(targets)
    for (const name of round % 2 ? names.reverse() : names) taken[name].push(await turn(targets[name], milliseconds))
  }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]))
}

/** Prints one comparison; `peer` is what the ratio is against. */
export function print(title, medians, peer) {
  console.log(`\n${title}`)
  for (const [name, value] of Object.entries(medians)) {
    const ratio =
      peer in medians && name !== peer ? `  ${(medians[peer] / value).toFixed(1)} times the speed of ${peer}` : ""
    console.log(`  ${name.padEnd(34)} ${value.toFixed(1).padStart(9)} µs${ratio}`)
  }
}
