/** Functions whose module is loaded when they are called for the first time. */

/**
 * A function of a module that is loaded by the first call; every later one is a plain call. A module that could not be
 * loaded is asked for again by the next call. `load` has to be `() => import("./file.js")`, so that bundlers find it.
 */
export function fromModule<Module, Given extends readonly unknown[], Answer>(
  load: () => Promise<Module>,
  pick: (module: Module) => (...given: Given) => Answer,
): (...given: Given) => Answer | Promise<Awaited<Answer>> {
  let loaded: ((...given: Given) => Answer) | undefined
  return (...given) => {
    if (loaded) return loaded(...given)
    const call = async (): Promise<Awaited<Answer>> => {
      loaded = pick(await load())
      return await loaded(...given)
    }
    return call()
  }
}
