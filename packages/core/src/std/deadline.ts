/** Values that are still to come, and waiting for them no longer than a time. */

/** What became of a value that came too late. */
export type LateOutcome = { readonly kind: "answered" } | { readonly kind: "threw"; readonly thrown: unknown }

/** The longest time a timer takes; longer ones would end at once. */
const longestTimer = 2_147_483_647

/**
 * Runs `work` and waits for its answer. One that is there at once needs no timer. After `milliseconds` the error of
 * `tooLate` is thrown, and `late` learns what came afterwards, if anything did. `undefined` waits for ever.
 */
export async function within<T>(
  milliseconds: number | undefined,
  work: () => T | PromiseLike<T>,
  { tooLate, late }: { readonly tooLate: () => Error; readonly late?: (outcome: LateOutcome) => void },
): Promise<T> {
  const answer = work()
  if (milliseconds === undefined || !isThenable(answer)) return answer
  const pending = Promise.resolve(answer)
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        pending.then(
          () => late?.({ kind: "answered" }),
          (thrown: unknown) => late?.({ kind: "threw", thrown }),
        )
        reject(tooLate())
      },
      Math.min(milliseconds, longestTimer),
    )
  })
  try {
    return await Promise.race([pending, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** Says whether a value is a promise, or anything that is awaited like one. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  const mayBe = (typeof value === "object" && value !== null) || typeof value === "function"
  return mayBe && typeof (value as { then?: unknown }).then === "function"
}
