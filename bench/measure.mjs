/** Interleaved measuring: every target takes its turn in each round, and medians are compared. */

/** @returns {number} the middle value */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Milliseconds: as they pass, or as the processor spends them on all threads of this process. */
const clocks = {
  wall: () => performance.now(),
  processor() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}

/** Runs `work` for about `milliseconds` and returns microseconds per operation, by the clock. */
async function turn(work, { milliseconds, clock }) {
  const now = clocks[clock]
  let count = 0
  const begun = now()
  do {
    // Looking at the processor's clock takes as long as a small operation does.
    for (let left = 10; left > 0; left -= 1) {
      await work(count)
      count += 1
    }
  } while (now() - begun < milliseconds)
  return ((now() - begun) * 1000) / count
}

/**
 * Measures targets side by side in one run.
 * @param {Record<string, (turn: number) => unknown>} targets
 * @param {{ rounds?: number, milliseconds?: number, clock?: "wall" | "processor" }} options `processor` is steady on a
 * busy machine, and leaves out what a target waits for
 * @returns {Promise<Record<string, number>>} the median of microseconds per operation
 */
export async function sideBySide(targets, { rounds = 9, milliseconds = 120, clock = "wall" } = {}) {
  const taken = Object.fromEntries(Object.keys(targets).map((name) => [name, []]))
  for (const work of Object.values(targets)) await turn(work, { milliseconds, clock })
  for (let round = 0; round < rounds; round += 1) {
    const names = Object.keys(targets)
    for (const name of round % 2 ? names.reverse() : names)
      taken[name].push(await turn(targets[name], { milliseconds, clock }))
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
