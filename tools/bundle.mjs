/**
 * Writes the JavaScript of a package, after the compiler has written its declarations: a file for each entry point, one
 * for what is loaded with the service, and one for each part that is loaded when it is first used. Opening hundreds of
 * small files would take longer than running them, and each of them would be compressed by itself.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Packages whose compiler only writes declarations (`emitDeclarationOnly`). */
const packages = ["core", "express", "hono", "redis-adapter", "sql-adapter", "testing"]

/** The sources of what can be imported by a name: the exports of the manifest, where a star stands for every module. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const targets = Object.values(exports).flatMap((target) => target?.default ?? [])
  const files = targets.flatMap((target) =>
    modulesAt(folder, target.replace("./dist/", "src/").replace(/\.js$/, ".ts")),
  )
  return [...new Set(files)]
}

/** Without a star, the module itself; a module whose declarations the compiler alone writes, or that is written later, is none. */
function modulesAt(folder, source) {
  if (!source.includes("*")) return existsSync(join(folder, source)) ? [source] : []
  const parent = source.slice(0, source.indexOf("*"))
  if (!existsSync(join(folder, parent))) return []
  const names = readdirSync(join(folder, parent)).filter((name) => /^[\w-]+\.ts$/.test(name))
  return names.map((name) => parent + name)
}

const shared = { transform: { target: "es2022" }, logLevel: "warn", write: true }

/**
 * The browser's WebAuthn library becomes part of the package, minified: applications need not install it, and bundlers
 * need not resolve it.
 */
const browserLibrary = {
  name: "browser library",
  load: {
    filter: { id: /core[\\/]src[\\/]client[\\/]library\.ts$/ },
    async handler(id) {
      const { output } = await build({
        ...shared,
        write: false,
        input: id,
        platform: "browser",
        output: { format: "esm", minify: { compress: { dropConsole: true }, mangle: true }, comments: false },
      })
      const notice = "/*! Contains @simplewebauthn/browser, (c) 2020 Matthew Miller, MIT License */"
      return { code: `${notice}\n${output[0].code}`, moduleType: "js" }
    },
  },
}

/** Entry points that an application imports beside the service, so that what they share with it needs no file of its own. */
const besideService = new Set(["passkeys", "records", "sessions", "testing"])

/**
 * What is loaded when it is first used, by what asks for it: one file for each of these, because what is needed for a first
 * sign-in would be many small ones. A module that several need is with the first. Reading a session in the store loads the
 * first alone, refusing a request the second alone.
 */
const loadedLater = {
  sessions: ["sessions/database", "sessions/jwt-facts", "sessions/jwt-visits", "sessions/current-session"],
  requests: [
    ...["http/body", "context/csrf", "context/flow", "context/tries", "context/trail"],
    ...["actions/failure", "engine/calls"],
  ],
  visits: ["actions/visits", "actions/error", "actions/sign-in-facts"],
}

/**
 * Modules of the service share a file when the same entry points reach them without a dynamic import. Entry points keep
 * files of their own; what else is loaded when it is first used, and what only providers share, is left to the bundler.
 */
function chunkNames(folder) {
  const nameOf = (id) => relative(join(folder, "src"), id).replace(/\.ts$/, "")
  const known = new Map()
  /** The entry points, and the modules that are loaded later, that import a module without a dynamic import. */
  const reachedFrom = (id, graph) => {
    if (known.has(id)) return known.get(id)
    const { importers } = graph.getModuleInfo(id)
    const names = new Set([nameOf(id), ...importers.flatMap((importer) => [...reachedFrom(importer, graph)])])
    known.set(id, names)
    return names
  }
  return (id, graph) => {
    const { isEntry } = graph.getModuleInfo(id)
    if (isEntry) return null
    const from = reachedFrom(id, graph)
    const entries = [...from].filter((name) => graph.getModuleInfo(join(folder, "src", `${name}.ts`))?.isEntry)
    const doors = new Set(entries.map((name) => name.replace(/\/.*/, "")).filter((door) => !besideService.has(door)))
    if (doors.has("index")) return [...doors].sort().join("-").replace("index", "service")
    // What a provider or the client needs as well must not bring the parts of the service.
    return doors.size === 0 ? partOf(from) : null
  }
}

/** The file that is loaded later for the first of these modules. */
function partOf(names) {
  const [part] = Object.entries(loadedLater).find(([, roots]) => roots.some((root) => names.has(root))) ?? []
  return part ?? null
}

async function bundle(name) {
  const folder = join(root, "packages", name)
  const { output } = await build({
    ...shared,
    cwd: folder,
    input: Object.fromEntries(
      entriesOf(folder).map((source) => [source.replace(/^src\//, "").replace(/\.ts$/, ""), source]),
    ),
    external: (id) => !/^[./]/.test(id) && !id.startsWith(folder),
    platform: "neutral",
    plugins: [browserLibrary],
    preserveEntrySignatures: "allow-extension",
    output: {
      dir: "dist",
      format: "esm",
      chunkFileNames: "chunks/[name]-[hash].js",
      sourcemap: true,
      // The sources are published beside it.
      sourcemapExcludeSources: true,
      comments: { jsdoc: false },
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: chunkNames(folder), debugName: "what is loaded together" }],
      },
    },
  })
  await sweep(folder, new Set(output.map(({ fileName }) => `dist/${fileName}`)))
}

/** Removes what an earlier build wrote; the providers of the integrations are written by another tool. */
async function sweep(folder, written) {
  const files = readdirSync(join(folder, "dist"), { recursive: true, withFileTypes: true })
  const scripts = files.filter((entry) => entry.isFile() && /\.js(?:\.map)?$/.test(entry.name))
  for (const { parentPath, path = parentPath, name } of scripts) {
    const file = relative(folder, join(path, name))
    const isReexport = file.startsWith("dist/providers/") && !folder.endsWith("core")
    if (!written.has(file) && !isReexport) await rm(join(folder, file))
  }
}

for (const name of packages) await bundle(name)
