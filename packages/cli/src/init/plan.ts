/** What `init` is going to change, as data: files with their content before and after. */
import { join } from "node:path"
import type { Project } from "../project.js"
import type { Files } from "../world.js"

/** A file that is made or changed. */
export interface Change {
  /** Below the project's folder. */
  readonly path: string
  /** `undefined`: there is no such file. */
  readonly before: string | undefined
  readonly after: string
  /** Holds a secret: it is shown without values, and a new one is readable for its owner alone. */
  readonly isSecret?: boolean
}

/** Everything that is going to happen, and what is left to the person. */
export interface Plan {
  readonly changes: readonly Change[]
  readonly packages: readonly string[]
  readonly devPackages: readonly string[]
  /** What has to be done by hand, one paragraph each. */
  readonly left: readonly string[]
  /** The command that starts the application. */
  readonly start: string
}

/** How the provider stands in the configuration. */
export interface ProviderCode {
  readonly id: string
  /** Name to import, and the file of it among the providers; absent where the entry imports nothing. */
  readonly imported?: { readonly name: string; readonly file: string }
  /** The entry in the list of providers. */
  readonly entry: string
  /** Comments before the entry, one line each. */
  readonly remarks: readonly string[]
  /** Variables for `.env`; an empty one is left to the person. */
  readonly variables: Readonly<Record<string, string>>
}

/** What the part of a framework works with. */
export interface Draft {
  readonly project: Project
  readonly provider: ProviderCode
  readonly files: Files
}

/** What a framework adds: its files, where `.env` is, and what is left. */
export type FrameworkPlan = Omit<Plan, "changes" | "devPackages"> & {
  readonly changes: readonly Change[]
  readonly devPackages?: readonly string[]
  readonly envFile: string
  /** Variables beside the secret and those of the provider. */
  readonly variables?: Readonly<Record<string, string>>
}

/** A new file; nothing where there is one already, which then is named among what is left. */
export function newFile(path: string, after: string, { project, files }: Draft): readonly Change[] {
  return files.exists(join(project.folder, path)) ? [] : [{ path, before: undefined, after }]
}

/** What is left to do where a file was there already. */
export function leftFor(
  paths: readonly { path: string; content: string }[],
  { project, files }: Draft,
): readonly string[] {
  return paths
    .filter(({ path }) => files.exists(join(project.folder, path)))
    .map(
      ({ path, content }) => `${path} is there already and was not changed. It has to hold this as well:\n\n${content}`,
    )
}

/** Lines behind the last import or `require` at the top of a file. */
export function withImport(text: string, line: string): string {
  const lines = text.split("\n")
  const last = lines.findLastIndex((candidate) =>
    /^(?:import\b.*|\} from .*|(?:const|let|var) .*\brequire\(.*\).*)$/.test(candidate),
  )
  return lines.toSpliced(last + 1, 0, line).join("\n")
}

/** Lines behind the first that fits; nothing where none does. */
export function withLineAfter(
  text: string,
  pattern: RegExp,
  lineOf: (match: RegExpExecArray) => string,
): string | undefined {
  const lines = text.split("\n")
  const index = lines.findIndex((line) => pattern.test(line))
  const match = pattern.exec(lines[index] ?? "")
  return match ? lines.toSpliced(index + 1, 0, lineOf(match)).join("\n") : undefined
}

/** The import of the provider, where it needs one. */
export function importOf({ imported }: ProviderCode, scope: string): readonly string[] {
  return imported ? [`import { ${imported.name} } from "${scope}/providers/${imported.file}"`] : []
}

/** The list of providers, indented as a member of the configuration. */
export function listOf({ remarks, entry }: ProviderCode): string {
  if (remarks.length === 0) return `  providers: [${entry}],`
  return ["  providers: [", ...remarks.map((remark) => `    // ${remark}`), `    ${entry},`, "  ],"].join("\n")
}

/** The configuration as a value of its own, which tests and `doctor` import. */
export function configurationOf({ provider, project }: Draft, type: string): readonly string[] {
  const beginning = project.isCommonJs ? "const config = {" : "export const config = {"
  const end = project.isTypeScript ? `} satisfies ${type}` : "}"
  return [beginning, listOf(provider), '  session: { expose: ["id"] },', end]
}

/** What is imported of the integration: its function, and in TypeScript the type of its configuration. */
export function namesOf({ project }: Draft, factory: string, type: string): string {
  return project.isTypeScript ? `${factory}, type ${type}` : factory
}

/** How a module names its neighbour: what TypeScript and Node both find. */
export function neighbour({ isTypeScript, tsconfig }: Project, name: string): string {
  const takesTs =
    isTypeScript && /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(tsconfig)
  return `./${name}.${takesTs ? "ts" : "js"}`
}
