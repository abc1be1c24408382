/** Packages that development alone needs: found from the folder of the application, never a part of what is bundled. */
import { builtin, workingFolder } from "../std/runtime.js"

interface Modules {
  createRequire(path: string): { resolve(name: string): string }
}

interface Urls {
  pathToFileURL(path: string): URL
}

/**
 * Imports a module of a package as the application would.
 *
 * @returns `undefined` where the runtime has no files, or the package is not installed or has no such module
 * @throws what the module throws while it is loaded
 */
export async function importTool(name: string): Promise<unknown> {
  const folder = workingFolder()
  const modules = builtin<Modules>("node:module")
  const urls = builtin<Urls>("node:url")
  if (folder === undefined || !modules || !urls) return undefined
  const path = placeOf(name, modules.createRequire(`${folder}/package.json`))
  if (path === undefined) return undefined
  // Bundlers must not look for it: the address is known to the running process alone.
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ urls.pathToFileURL(path).href)
}

function placeOf(name: string, from: { resolve(name: string): string }): string | undefined {
  try {
    return from.resolve(name)
  } catch {
    return undefined
  }
}
