/** What Express and Hono on Node share: `.env` is loaded by the configuration, and the mount goes into the application's file. */
import { join, posix } from "node:path"
import {
  type Change,
  configurationOf,
  type Draft,
  importOf,
  namesOf,
  neighbour,
  withImport,
  withLineAfter,
} from "./plan.js"

/** Node reads no `.env` by itself. */
const envLoading = `// Node does not read .env by itself.
if (existsSync(".env")) loadEnvFile()`

/** An integration for servers on Node. */
interface Integration {
  readonly scope: string
  readonly factory: string
}

/** The module with the configuration and the service made of it. */
export function configurationModule(draft: Draft, { scope, factory }: Integration): string {
  const { isCommonJs } = draft.project
  const type = `${factory}Config`
  const imports = [
    'import { existsSync } from "node:fs"',
    'import { loadEnvFile } from "node:process"',
    `import { ${namesOf(draft, factory, type)} } from "${scope}"`,
    ...importOf(draft.provider, scope),
  ]
  const body = [
    envLoading,
    "",
    ...configurationOf(draft, type),
    "",
    `${isCommonJs ? "" : "export "}const auth = ${factory}(config)`,
    ...(isCommonJs ? ["", "module.exports = { auth, config }"] : []),
  ]
  const required = imports.map((line) => line.replace(/^import (\{.*\}) from (".*")$/, "const $1 = require($2)"))
  return `${[...(isCommonJs ? required : imports), "", ...body].join("\n")}\n`
}

/** The line that gets the service into the module at `path`; `config` is the module that makes it. */
export function importOfService({ project }: Draft, { path, config }: { path: string; config: string }): string {
  const name = posix.relative(posix.dirname(path), config.replace(/\.[jt]s$/, ""))
  const from = neighbour(project, name).replace("./../", "../")
  return project.isCommonJs ? `const { auth } = require("${from}")` : `import { auth } from "${from}"`
}

/** Files that may make the application, in the order they are looked at. */
function candidates({ project }: Draft): readonly string[] {
  const { main, scripts } = project.manifest
  const named = Object.values(scripts).flatMap((script) => String(script).match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [])
  const endings = project.isTypeScript ? ["ts", "mts"] : ["js", "mjs", "cjs"]
  const usual = ["src/", ""].flatMap((folder) =>
    ["index", "app", "server", "main"].flatMap((name) => endings.map((ending) => `${folder}${name}.${ending}`)),
  )
  const paths = [...named, ...(typeof main === "string" ? [main] : []), ...usual].map((path) => posix.normalize(path))
  // A manifest may name files of other projects, and theirs are not to load this one.
  return [...new Set(paths)].filter((path) => !path.startsWith("../"))
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
