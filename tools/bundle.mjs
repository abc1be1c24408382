/**
 * Writes the JavaScript of a package, after the compiler has written its declarations: a file for each entry point, and
 * a few with what several of them share. Opening hundreds of small files would take longer than running them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Packages whose compiler only writes declarations (`emitDeclarationOnly`). */
const packages = ["core", "express", "hono", "redis-adapter", "sql-adapter"]

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

/**
 * The browser's WebAuthn library becomes part of the package, minified: applications need not install it, and bundlers
 * need not resolve it.
 */
const browserLibrary = {
  name: "browser library",
  setup({ onLoad }) {
    onLoad({ filter: /core\/src\/client\/library\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        ...shared,
        entryPoints: [path],
        write: false,
        minify: true,
        platform: "browser",
        drop: ["console"],
        legalComments: "none",
      })
      const notice = "/*! Contains @simplewebauthn/browser, (c) 2020 Matthew Miller, MIT License */"
      return { contents: `${notice}\n${outputFiles[0].text}`, loader: "js" }
    })
  },
}

const shared = { bundle: true, format: "esm", target: "es2022", charset: "ascii", logLevel: "warning" }

async function bundle(name) {
  const folder = join(root, "packages", name)
  const { metafile } = await build({
    ...shared,
    absWorkingDir: folder,
    entryPoints: entriesOf(folder),
    outdir: "dist",
    outbase: "src",
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    packages: "external",
    platform: "neutral",
    sourcemap: true,
    // The sources are published beside it.
    sourcesContent: false,
    metafile: true,
    plugins: [browserLibrary],
  })
  await sweep(folder, new Set(Object.keys(metafile.outputs)))
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
