/** Removal of expired rows in the background of the process that uses the adapter. */

/** When expired rows are removed in the background, and which function receives failures. */
export interface CleanupOptions {
  /** Seconds between two removals, at least 60. Processes that share a database may all set it: they take turns. */
  readonly interval: number
  /** Receives the error of a removal that failed; the next removal tries again. @default nothing is reported */
  readonly onError?: (error: unknown) => void
}

/** The shortest interval in seconds: a shorter one would find almost no rows. */
const shortest = 60
/** The longest that a timer can wait for, in seconds. */
const longest = Math.floor((2 ** 31 - 1) / 1000)

/** Throws for an interval that no timer can keep. */
export function readCleanup(options: CleanupOptions | undefined): CleanupOptions | undefined {
  if (options === undefined) return undefined
  const { interval } = options
  if (typeof interval === "number" && interval >= shortest && interval <= longest) return options
  throw new TypeError(
    `"cleanup.interval": expected seconds from ${shortest} to ${longest}, received ${JSON.stringify(interval)}.`,
  )
}

/** Begins to remove, and answers what ends it. The timer does not keep the process alive. */
export function startCleanup(
  { interval, onError }: CleanupOptions,
  remove: () => Promise<unknown>,
): { readonly stop: () => void } {
  let isRemoving = false
  const timer = setInterval(() => {
    if (isRemoving) return
    isRemoving = true
    remove()
      .catch((error: unknown) => onError?.(error))
      .finally(() => {
        isRemoving = false
      })
  }, interval * 1000)
  timer.unref?.()
  return { stop: () => clearInterval(timer) }
}
