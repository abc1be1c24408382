/** Objects that hold secrets and may be printed by accident: `JSON.stringify` and inspectors see the chosen members only. */

/** How inspectors of Node.js, Bun and Deno ask an object what to show. */
const inspectSymbols = ["nodejs.util.inspect.custom", "Deno.customInspect"].map((name) => Symbol.for(name))

const concealed = "[concealed]"

/**
 * The same object; its members stay, and copies of them as well. What is printed in its place is what `shown` answers,
 * by default nothing. Inspectors see no more of a copy by `{ ...target }`; `JSON.stringify` shows what was copied, because
 * a `toJSON` that is copied along would be listed among the members.
 */
export function conceal<T extends object>(target: T, shown: () => unknown = () => concealed): T {
  return hide(target, shown, true)
}

/**
 * A copy that shows the members named as `open`, and of the others no more than that they are there. It compares like the
 * original, so a copy of it by `{ ...copy }` or `structuredClone` is one that shows everything.
 */
export function concealBut<T extends object>(target: T, open: readonly string[]): T {
  const copy = { ...target }
  const shown = ([name, value]: [string, unknown]): [string, unknown] =>
    open.includes(name) || value === undefined ? [name, value] : [name, concealed]
  return hide(copy, () => Object.fromEntries(Object.entries(copy).map(shown)), false)
}

function hide<T extends object>(target: T, shown: () => unknown, isCopied: boolean): T {
  for (const name of ["toJSON", ...inspectSymbols]) {
    const enumerable = isCopied && typeof name === "symbol"
    Object.defineProperty(target, name, { value: shown, enumerable, configurable: true, writable: true })
  }
  return target
}
