/** Hashing a few passwords at a time. */

/** At once. Each takes 16 MB and one of the four threads that read files and look up hosts as well. */
const mostAtOnce = 2
const mostWaiting = 32
let running = 0
const waiting: (() => void)[] = []

/** An error, not `false`: nobody has typed a wrong password, so it does not count against the network. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < mostAtOnce) running++
  else if (waiting.length < mostWaiting) await new Promise<void>((begin) => waiting.push(begin))
  else throw new Error("Too many passwords are being checked at once.")
  try {
    return await work()
  } finally {
    // Whoever waits longest takes this place over.
    const begin = waiting.shift()
    if (begin) begin()
    else running--
  }
}
