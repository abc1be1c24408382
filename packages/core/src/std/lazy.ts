/** Functions whose module is loaded when they are called for the first time. */

/**
 * A function of a module that is loaded by the first call; every later one is a plain call. A module that could not be
 * loaded is asked for again by the next call. `load` has to be `() => import("./file.js")`, so that bundlers find it.
 */
export function fromModule<Module, Given extends readonly unknown[], Answer>(
  load: () => Promise<Module>,
  pick: (module: Module) => (...given: Given) => Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  let loaded: ((...given: Given) => Promise<Answer>) | undefined
  return (...given) => {
    if (loaded) return loaded(...given)
    return load().then((module) => {
      loaded = pick(module)
      return loaded(...given)
    })
  }
}
