/** Objects that hold secrets and may be printed by accident: `JSON.stringify` and inspectors see what they are told, and no more. */

/** How inspectors of Node.js, Bun and Deno ask an object what to show. */
const inspectSymbols = ["nodejs.util.inspect.custom", "Deno.customInspect"].map((name) => Symbol.for(name))

/**
 * The same object; its members stay, and copies of them as well. What is printed in its place is what `shown` answers,
 * by default nothing.
 */
export function conceal<T extends object>(holder: T, shown: () => unknown = () => "[concealed]"): T {
  for (const name of ["toJSON", ...inspectSymbols]) {
    Object.defineProperty(holder, name, { value: shown, enumerable: false, configurable: true, writable: true })
  }
  return holder
}
