/** An application of Auth.js, read from its files: none of its code is run. */
import { posix } from "node:path"
import { type EnvFiles, readEnvFiles } from "../env-files.js"
import type { Project } from "../project.js"
import type { World } from "../world.js"
import { sourcesBelow } from "./source-files.js"
import { lineAt, type Place, type Reference, referencesIn, type Span, withoutComments } from "./source-text.js"

/** A source file. */
export interface SourceFile {
  /** Below the folder of the project, with slashes. */
  readonly path: string
  readonly text: string
  /** The text without comments. */
  readonly code: string
  readonly references: readonly Reference[]
}

/** What is known of the application. */
export interface Application {
  readonly project: Project
  readonly files: readonly SourceFile[]
  /** Files that use Auth.js, and what these import of the project. */
  readonly own: readonly SourceFile[]
  /** What could not be looked at, one sentence each. */
  readonly unread: readonly string[]
  readonly env: EnvFiles
  /** Ids of the providers that are imported. */
  readonly providers: ReadonlySet<string>
}

/** Modules of Auth.js. Adapters of databases stay as they are. */
export const isOfAuthJs = (specifier: string): boolean =>
  /^(?:next-auth|@auth\/[\w-]+|@hono\/auth-js)(?:\/|$)/.test(specifier) && !isAdapter(specifier)

/** An adapter of Auth.js for a database. */
export const isAdapter = (specifier: string): boolean => /^@auth\/[\w-]+-adapter(?:\/|$)/.test(specifier)

/** The file that a relative import, or one by an alias of the framework, leads to. */
function fileOf(specifier: string, from: SourceFile, files: readonly SourceFile[]): SourceFile | undefined {
  const [, rest] = /^(?:@|~|\$lib)\/(.*)$/.exec(specifier) ?? []
  const bases = specifier.startsWith(".")
    ? [posix.join(posix.dirname(from.path), specifier)]
    : rest === undefined
      ? []
      : [rest, `src/${rest}`, `src/lib/${rest}`]
  const wanted = bases.map((base) => base.replace(/\.[cm]?js$/, ""))
  return files.find(({ path }) => {
    const plain = path.replace(/\.[^./]+$/, "")
    return wanted.some((base) => plain === base || path === base || plain === `${base}/index`)
  })
}

function withImported(start: readonly SourceFile[], files: readonly SourceFile[]): readonly SourceFile[] {
  const found = new Set(start)
  for (const file of found) {
    for (const { specifier } of file.references) {
      const next = fileOf(specifier, file, files)
      if (next) found.add(next)
    }
  }
  return [...found]
}

/** Reads the application. */
export function readApplication(project: Project, world: Pick<World, "cwd" | "env" | "files">): Application {
  const { sources, unread } = sourcesBelow(project.folder, world.files)
  const files = sources.map(({ path, text }) => {
    const code = withoutComments(text)
    return { path, text, code, references: referencesIn(code) }
  })
  const using = files.filter(({ references }) =>
    references.some(({ specifier }) => isOfAuthJs(specifier) || isAdapter(specifier)),
  )
  const ids = using.flatMap(({ references }) =>
    references.flatMap(({ specifier, isOfTypes }) =>
      isOfTypes ? [] : (/\/providers\/([\w-]+)$/.exec(specifier)?.[1] ?? []),
    ),
  )
  const framework =
    project.frameworks[0] === "next" ? "next" : project.frameworks[0] === "sveltekit" ? "vite" : undefined
  return {
    project,
    files,
    own: withImported(using, files),
    unread,
    env: readEnvFiles({ mode: "development", framework }, { ...world, env: {} }),
    providers: new Set(ids),
  }
}

/** Where something stands in the code of these files, or in spans of it, which are in their order. */
export function placesOf(
  pattern: RegExp,
  files: readonly SourceFile[],
  spans: (code: string) => readonly Span[] = (code) => [{ from: 0, to: code.length }],
): readonly Place[] {
  const all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`)
  return files.flatMap(({ path, code }) => {
    const looked = spans(code)
    // Both stand in their order: neither is looked through again for each of the other.
    let [next, reach] = [0, 0]
    const found = [...code.matchAll(all)].filter(({ index }) => {
      for (let span = looked[next]; span && span.from <= index; span = looked[++next]) reach = Math.max(reach, span.to)
      return index < reach
    })
    let [line, counted] = [1, 0]
    return found.map(({ index }) => {
      // From the one before, so that a file with many is not read from its beginning for each.
      line += lineAt(code.slice(counted), index - counted) - 1
      counted = index
      return { path, line }
    })
  })
}
