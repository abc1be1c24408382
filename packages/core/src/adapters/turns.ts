/** A lock: while one caller works alone, all others wait. */

/** The waiting room of one store. */
export interface Turns {
  /** Runs as soon as no caller works alone. */
  together<T>(work: () => T): Promise<T>
  /** Runs while everybody else waits. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export function createTurns(): Turns {
  let busy: Promise<void> | undefined
  return {
    async together(work) {
      while (busy) await busy
      return work()
    },
    async alone(work) {
      while (busy) await busy
      let leave = (): void => {}
      busy = new Promise((resolve) => {
        leave = resolve
      })
      try {
        return await work()
      } finally {
        busy = undefined
        leave()
      }
    },
  }
}
