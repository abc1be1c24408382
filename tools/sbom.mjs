/**
 * `node tools/sbom.mjs FOLDER` writes FOLDER/sbom.json: what an application gets that installs the archives of that folder,
 * as CycloneDX. It is made of an installation, because `npm sbom --omit dev` of the workspace leaves out every dependency
 * that the workspace uses for its development as well. Fails when a package or one of its dependencies is missing.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const folder = resolve(process.argv[2] ?? "packed")
const place = mkdtempSync(join(tmpdir(), "latchkey-sbom-"))

/** Peer dependencies are the application's own: they are not shipped. */
const npm = (...args) => execFileSync("npm", [...args, "--legacy-peer-deps"], { cwd: place, encoding: "utf8" })

try {
  const sbom = made()
  const missing = expected().filter((name) => !sbom.components.some((one) => nameOf(one) === name))
  if (missing.length > 0) throw new Error(`sbom.json: expected ${missing.join(", ")} in it, found none of that name`)
  writeFileSync(join(folder, "sbom.json"), `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(`${join(folder, "sbom.json")}: ${sbom.components.length} components`)
} finally {
  rmSync(place, { recursive: true, force: true })
}

function made() {
  const archives = readdirSync(folder).filter((file) => file.endsWith(".tgz"))
  if (archives.length === 0) throw new Error(`Expected archives (*.tgz) in ${folder}: run npm pack first`)
  writeFileSync(join(place, "package.json"), '{ "name": "latchkey", "version": "0.0.0", "private": true }\n')
  const paths = archives.map((file) => join(folder, file))
  npm("install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...paths)
  return JSON.parse(npm("sbom", "--sbom-format", "cyclonedx"))
}

/** The packages themselves, and what their manifests depend on. */
function expected() {
  const { dependencies } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"))
  const names = Object.keys(dependencies).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(place, "node_modules", name, "package.json"), "utf8"))
    return [name, ...Object.keys(manifest.dependencies ?? {})]
  })
  return [...new Set(names)]
}

/** The name with its scope, which npm leaves out of `name`. */
function nameOf({ purl }) {
  return decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)?.[1] ?? "")
}
