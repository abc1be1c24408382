/** Packages of the project the command runs in: found from there, not from where this program is installed. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Failure } from "./command.js"

/**
 * Imports a package as the project would.
 *
 * @throws Failure where it is not installed
 */
export async function importFrom(cwd: string, name: string): Promise<Record<string, unknown>> {
  const path = placeOf(cwd, name)
  if (path === undefined) throw new Failure(`The package "${name}" is not installed here: npm install ${name}`)
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>
}

/** The same for a package that is needed in development only; one that is installed beside this program is used as well. */
export async function importTool(cwd: string, name: string): Promise<Record<string, unknown>> {
  const path = placeOf(cwd, name) ?? placeOf(fileURLToPath(new URL(".", import.meta.url)), name)
  if (path !== undefined) return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  throw new Failure(`This needs the package "${name}": npm install --save-dev ${name}`)
}

function placeOf(folder: string, name: string): string | undefined {
  try {
    return createRequire(join(folder, "package.json")).resolve(name)
  } catch {
    return undefined
  }
}
