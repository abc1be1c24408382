/**
 * Counts the steps that work on texts takes, instead of its time: a number that a loaded machine does not change.
 * Reading one character is one step. A regular expression is charged with its worst case: what a lone character class
 * reads, the square of the rest.
 */
const oneClass = /^(?:\[(?:[^\]\\]|\\.)*\]|\\?.)$/s
const readers = ["indexOf", "lastIndexOf", "includes", "replaceAll", "split", "toLowerCase", "slice"] as const

/** Runs work that awaits nothing, and answers with the steps it took. */
export function countSteps(work: () => void): number {
  const text = String.prototype as unknown as Record<string, (this: string, ...args: unknown[]) => unknown>
  const kept = new Map<string, (typeof text)[string]>()
  const { exec } = RegExp.prototype
  const stacks = Error as { prepareStackTrace?: unknown }
  const { prepareStackTrace } = stacks
  let steps = 0
  const charge = (name: string, cost: (result: unknown, length: number) => number): void => {
    const original = text[name] as (typeof text)[string]
    kept.set(name, original)
    text[name] = function counted(...args) {
      const result = original.apply(this, args)
      steps += cost(result, this.length)
      return result
    }
  }
  charge("charCodeAt", () => 1)
  for (const name of readers) {
    charge(name, (result, length) => (name === "slice" ? (result as string).length : length))
  }
  RegExp.prototype.exec = function counted(input) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, input)
    const end = match ? match.index + match[0].length : input.length
    steps += exec.call(oneClass, this.source) ? end - from + 1 : (input.length - from) ** 2
    return match
  }
  try {
    // A test runner puts stacks together by source maps: those steps are not ours.
    stacks.prepareStackTrace = undefined
    work()
  } finally {
    stacks.prepareStackTrace = prepareStackTrace
    RegExp.prototype.exec = exec
    for (const [name, original] of kept) text[name] = original
  }
  return steps
}
