/** Work that must not overlap runs one after the other, and waiting has a time limit. */

/** Runs works one after the other, in the order in which they came. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}

/** Waits about so many milliseconds: with a random part, so that several processes do not collide again. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds * (0.5 + Math.random())))
}

/** The longest pause between two attempts, in milliseconds. */
const longestPause = 50

/**
 * Tries again while somebody else holds a lock, at most for `patience` milliseconds. The pauses grow. The thread stays free meanwhile, unlike with a waiting driver.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { isBusy, patience }: { isBusy: (error: unknown) => boolean; patience: number },
): Promise<T> {
  const deadline = performance.now() + patience
  for (let length = 1; ; length = Math.min(length * 2, longestPause)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
      await pause(length)
    }
  }
}

/**
 * Waits for `enter` to call its work, at most for `patience` milliseconds. After that the work is not started any more,
 * so that nothing is written after it was reported as failed.
 */
export function within<T>(
  enter: (work: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>,
  patience: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let state: "waiting" | "begun" | "late" = "waiting"
    const late = (): Error => new Error(`No database connection became free within ${patience} ms.`)
    const timer = setTimeout(() => {
      state = "late"
      reject(late())
    }, patience)
    const begin = (): Promise<T> => {
      if (state === "late") return Promise.reject(late())
      state = "begun"
      clearTimeout(timer)
      return work()
    }
    enter(begin)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
