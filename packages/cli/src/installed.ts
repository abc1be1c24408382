/** Packages of the project the command runs in: found from there, not from where this program is installed. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Failure } from "./command.js"

/** Imports a package as the project would. */
export async function importFrom(cwd: string, name: string): Promise<Record<string, unknown>> {
  let path: string
  try {
    path = createRequire(join(cwd, "package.json")).resolve(name)
  } catch {
    throw new Failure(`The package "${name}" is not installed here: npm install ${name}`)
  }
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>
}
