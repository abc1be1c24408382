/**
 * Compares the sizes of the packages with `tools/package-budgets.json`: the modules and bytes of every entry point, what an
 * application with one provider loads, and what an installation brings. Needs a build.
 * Usage: `node tools/package-budgets.mjs [--write]`; `--write` writes the budgets anew.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const file = join(root, "tools/package-budgets.json")

/** Tolerance, because a line more or less does not matter. Numbers below fifty must be equal. */
const tolerance = 0.02

const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8"))
const manifests = Object.fromEntries(
  readdirSync(join(root, "packages"))
    .map((folder) => read(`packages/${folder}/package.json`))
    .filter((manifest) => !manifest.private)
    .map((manifest) => [manifest.name, manifest]),
)
const folderOf = (name) => join(root, "packages", name.replace("@latchkey/", ""))

/** What an application brings itself, and what a framework puts in place. Components are compiled by Svelte alone. */
const external = [
  ...new Set(Object.values(manifests).flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies))),
  "@simplewebauthn/browser",
  "$app/*",
  "$env/*",
]
const withoutBundle = /\/components(?:\/|$)|\/\*$/

/** Names that can be imported of a package; of single providers there are many alike, and the largest stands for them. */
function doorsOf({ name, exports = {} }) {
  return Object.entries(exports)
    .filter(([door, target]) => target?.default?.endsWith(".js") && !withoutBundle.test(door))
    .map(([door]) => name + door.slice(1))
}

/** Bundles a program as an application's build does. Parts that are loaded when they are needed are files of their own. */
async function bundle(contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outdir: root,
    external,
    legalComments: "none",
    logLevel: "silent",
  })
  const atStart = new Set()
  const follow = (path) => {
    if (atStart.has(path) || !metafile.outputs[path]) return
    atStart.add(path)
    for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === "import-statement") follow(next)
  }
  follow(Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === "<stdin>"))
  const isAtStart = ({ path }) => [...atStart].some((name) => path.endsWith(`/${name}`))
  const modulesOf = (paths) => new Set(paths.flatMap((path) => Object.keys(metafile.outputs[path].inputs)))
  const weigh = (files) => ({
    minifiedBytes: files.reduce((sum, { contents: bytes }) => sum + bytes.length, 0),
    compressedBytes: files.reduce((sum, { contents: bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0),
  })
  const inputs = (paths) => [...modulesOf(paths)].filter((path) => path !== "<stdin>").length
  return {
    atStart: { modules: inputs([...atStart]), ...weigh(outputFiles.filter(isAtStart)) },
    whole: { modules: inputs(Object.keys(metafile.outputs)), ...weigh(outputFiles) },
  }
}

async function measureDoor(door) {
  const { atStart, whole } = await bundle(`export * from "${door}"`)
  return {
    modules: whole.modules,
    modulesAtStart: atStart.modules,
    minifiedBytes: whole.minifiedBytes,
    compressedBytes: whole.compressedBytes,
  }
}

async function measureDoors() {
  const doors = {}
  for (const manifest of Object.values(manifests)) {
    for (const door of doorsOf(manifest)) doors[door] = await measureDoor(door)
  }
  doors["@latchkey/core/providers/*, the largest"] = await largestProvider()
  return doors
}

async function largestProvider() {
  const { providerIds } = await import(new URL("../packages/core/dist/providers/ids.js", import.meta.url).href)
  let largest = { compressedBytes: 0 }
  for (const id of providerIds) {
    const measured = await measureDoor(`@latchkey/core/providers/${id}`)
    if (measured.compressedBytes > largest.compressedBytes) largest = measured
  }
  return largest
}

/** What an application loads that uses its packages as their guides show. */
const applications = {
  "the core with one OAuth provider": [
    'import { createAuth } from "@latchkey/core"',
    'import GitHub from "@latchkey/core/providers/github"',
    "export const auth = createAuth({ providers: [GitHub] })",
  ],
  "Express with one OAuth provider": [
    'import { ExpressAuth } from "@latchkey/express"',
    'import GitHub from "@latchkey/express/providers/github"',
    "export const handler = ExpressAuth({ providers: [GitHub] })",
  ],
}

async function measureApplications() {
  const measured = {}
  for (const [name, lines] of Object.entries(applications)) {
    const { atStart, whole } = await bundle(lines.join("\n"))
    measured[name] = { "at start": atStart, "with every part loaded": whole }
  }
  return measured
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .reduce((sum, entry) => {
      const path = join(folder, entry.name)
      return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size)
    }, 0)
}

/** Folder of a dependency, as Node finds it from the package that asks. */
function installedAt(name, from) {
  for (let folder = from; folder.startsWith(root.slice(0, -1)); folder = join(folder, "..")) {
    const path = join(folder, "node_modules", name)
    if (existsSync(join(path, "package.json"))) return path
  }
  throw new Error(`${name} was expected in node_modules, and is not there: run \`npm ci\`.`)
}

/** Every folder that an installation of the package brings beside it. */
function closureOf({ dependencies = {} }, from, found = new Map()) {
  for (const name of Object.keys(dependencies)) {
    const folder = manifests[name] ? folderOf(name) : installedAt(name, from)
    if (found.has(folder)) continue
    found.set(folder, name)
    closureOf(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")), folder, found)
  }
  return found
}

function measurePackages() {
  const names = Object.keys(manifests)
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", ...names.flatMap((name) => ["-w", name])]
  const packed = JSON.parse(
    execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  )
  const own = Object.fromEntries(packed.map((one) => [one.name, one]))
  const measured = names.map((name) => {
    const closure = closureOf(manifests[name], folderOf(name))
    const beside = [...closure].map(([folder, other]) => (own[other] ? own[other].unpackedSize : sizeOf(folder)))
    return [
      name,
      {
        files: own[name].entryCount,
        packedBytes: own[name].size,
        unpackedBytes: own[name].unpackedSize,
        dependencies: closure.size,
        installedBytes: beside.reduce((sum, bytes) => sum + bytes, own[name].unpackedSize),
      },
    ]
  })
  return Object.fromEntries(measured)
}

/** Every number by the path of names that leads to it. */
function flat(value, path = []) {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "number" ? [[[...path, name].join(" › "), member]] : flat(member, [...path, name]),
  )
}

function differences(expected, came) {
  const [before, now] = [new Map(flat(expected)), new Map(flat(came))]
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), now.get(name)]
    if (was === undefined || is === undefined) return [`${name}: expected ${was ?? "nothing"}, came ${is ?? "nothing"}`]
    if (Math.abs(is - was) <= was * tolerance) return []
    const share = was === 0 ? "" : ` (${is > was ? "+" : ""}${(((is - was) / was) * 100).toFixed(1)} %)`
    return [`${name}: expected ${was}, came ${is}${share}`]
  })
}

function print(value, indent = "") {
  const entries = Object.entries(value)
  const members = entries.map(
    ([name, member]) =>
      `${JSON.stringify(name)}: ${typeof member === "number" ? member : print(member, `${indent}  `)}`,
  )
  const isLine = entries.every(([, member]) => typeof member === "number")
  return isLine
    ? `{ ${members.join(", ")} }`
    : `{\n${members.map((one) => `${indent}  ${one}`).join(",\n")}\n${indent}}`
}

const came = {
  doors: await measureDoors(),
  applications: await measureApplications(),
  packages: measurePackages(),
}
if (process.argv.includes("--write")) {
  writeFileSync(file, `${print(came)}\n`)
  process.stdout.write(`${file} is written anew\n`)
} else {
  const found = differences(JSON.parse(readFileSync(file, "utf8")), came)
  for (const difference of found) process.stderr.write(`${difference}\n`)
  if (found.length > 0)
    process.stderr.write(
      `Numbers may differ by ${tolerance * 100} %. Files of an older build count as well: remove packages/*/dist first.\n` +
        "Where this is meant, build, write the budgets anew and commit them: node tools/package-budgets.mjs --write\n",
    )
  process.stdout.write(`${flat(came).length} sizes looked at, ${found.length} differ from their budget\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
