/**
 * What the lockfiles bring: `node tools/supply.mjs` fails for a package without a hash of its contents, for one that runs
 * a script when it is installed, and for a licence that nobody has looked at in what users of the packages get.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Licences of what is installed with the published packages: each allows use in closed applications. */
export const allowedLicences = [
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "MIT OR Apache-2.0",
]

/** Each has the reason why it may. The packages that are published need none of them. */
export const knownScripts = {
  esbuild: "replaces a script by its program, which is there without it as well",
}

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)

/** The packages of a lockfile that come from a registry. */
export function packagesIn({ packages = {} }) {
  return Object.entries(packages)
    .filter(
      ([path, { link, inBundle, resolved }]) =>
        path.includes("node_modules/") && !link && !inBundle && !resolved?.startsWith("file:"),
    )
    .map(([path, entry]) => ({ ...entry, path, name: nameOf(path) }))
}

/** What users get: what the published packages depend on, and what that depends on. Peers are chosen by the application. */
export function runtimeOf(lock, published) {
  const entries = lock.packages
  const found = new Map()
  const visit = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
      const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      const entry = entries[path]
      if (entry && !found.has(path)) {
        found.set(path, { ...entry, path, name })
        for (const next of Object.keys(entry.dependencies ?? {})) visit(path, next)
      }
      if (entry || folder === "") return
    }
  }
  for (const folder of published)
    for (const name of Object.keys(entries[folder]?.dependencies ?? {})) visit(folder, name)
  return [...found.values()].filter(({ link }) => !link)
}

/** What is wrong with a lockfile. `published`: its workspaces whose dependencies users install. */
export function problemsOf(lock, published = []) {
  const all = packagesIn(lock)
  return [
    ...all.filter(({ integrity }) => !/^sha512-/.test(integrity ?? "")).map(({ path }) => `${path} has no sha512 hash`),
    ...all.filter(({ resolved }) => resolved !== undefined).map(({ path }) => `${path} has the address of a registry`),
    ...all
      .filter(({ hasInstallScript, name }) => hasInstallScript && !Object.hasOwn(knownScripts, name))
      .map(({ path }) => `${path} runs a script when it is installed`),
    ...runtimeOf(lock, published).flatMap(({ path, license, hasInstallScript }) => [
      ...(allowedLicences.includes(license) ? [] : [`${path}: the licence ${license ?? "(none)"} is not allowed`]),
      ...(hasInstallScript ? [`${path} runs a script where users install it`] : []),
    ]),
  ]
}

const left = new Set(["node_modules", ".git", ".tmp", "dist"])

function lockfilesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return left.has(entry.name) ? [] : lockfilesBelow(join(folder, entry.name))
    return entry.name === "package-lock.json" ? [join(folder, entry.name)] : []
  })
}

function publishedIn(file) {
  if (dirname(file) !== root.replace(/\/$/, "")) return []
  return readdirSync(join(root, "packages")).map((name) => `packages/${name}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = lockfilesBelow(root.replace(/\/$/, ""))
  const found = files.flatMap((file) => {
    const lock = JSON.parse(readFileSync(file, "utf8"))
    const published = publishedIn(file)
    // What tests install for themselves may run scripts: nobody else gets it.
    return problemsOf(lock, published)
      .filter((problem) => published.length > 0 || !problem.includes("runs a script"))
      .map((problem) => `${relative(root, file)}: ${problem}`)
  })
  for (const problem of found) console.error(problem)
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
  const runtime = runtimeOf(lock, publishedIn(join(root, "package-lock.json")))
  console.log(`${files.length} lockfiles, ${runtime.length} packages that users get, ${found.length} problems`)
  if (found.length > 0) process.exitCode = 1
}
