/** What Express and Hono on Node share: `.env` is loaded by the configuration, and the mount goes into the application's file. */
import { join } from "node:path"
import type { Change, Draft } from "./plan.js"
import { withImport, withLineAfter } from "./plan.js"

/** Node reads no `.env` by itself. */
export const envLoading = `// Node does not read .env by itself.
if (existsSync(".env")) loadEnvFile()`

/** The imports that {@link envLoading} needs. */
export const envImports: readonly string[] = [
  'import { existsSync } from "node:fs"',
  'import { loadEnvFile } from "node:process"',
]

/** Files that may make the application, in the order they are looked at. */
function candidates({ project }: Draft): readonly string[] {
  const { main, scripts } = project.manifest
  const named = Object.values(scripts).flatMap((script) => String(script).match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [])
  const endings = project.isTypeScript ? ["ts", "mts"] : ["js", "mjs", "cjs"]
  const usual = ["src/", ""].flatMap((folder) =>
    ["index", "app", "server", "main"].flatMap((name) => endings.map((ending) => `${folder}${name}.${ending}`)),
  )
  return [...new Set([...named, ...(typeof main === "string" ? [main] : []), ...usual])].map((path) =>
    path.replace(/^\.\//, ""),
  )
}

/** Where the application is made, and the line that mounts the service there. */
export interface Mounting {
  /** Finds the line that makes the application; its first group is the name of the variable. */
  readonly made: RegExp
  readonly lineOf: (name: string) => string
  readonly importLine: (path: string) => string
}

/** The file that makes the application, changed; `undefined` where none was found, or where it is mounted already. */
export function mounted(draft: Draft, { made, lineOf, importLine }: Mounting): Change | undefined {
  for (const path of candidates(draft)) {
    const before = draft.files.read(join(draft.project.folder, path))
    if (before === undefined) continue
    const mount = withLineAfter(before, made, ([, name = "app"]) => lineOf(name))
    if (mount !== undefined) return { path, before, after: withImport(mount, importLine(path)) }
  }
  return undefined
}

/** Is there any source file that could be the application? */
export function hasSources(draft: Draft): boolean {
  return candidates(draft).some((path) => draft.files.exists(join(draft.project.folder, path)))
}
