/**
 * Looks at the packages as they would be published: packs each one, then asks publint (strict), are-the-types-wrong
 * and its own questions. Findings that are meant to be stand in `accepted`, each with its reason.
 * Needs a build. Usage: `node tools/check-packaging.mjs [package folder ...]`.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Findings of are-the-types-wrong that are accepted. One that no longer occurs is reported, so that the list stays short. */
const accepted = [
  {
    kind: "CJSResolvesToESM",
    reason: "ESM only. Node 20.19 and later load it with require() as well; what cannot is below the engines field.",
  },
  {
    kind: "NoResolution",
    resolution: "node10",
    reason: "The old resolution reads no exports field, and there are no files beside it to be found.",
  },
  {
    kind: "InternalResolutionError",
    specifier: /\.(?:svelte|css)$/,
    reason:
      "Components are read by what knows Svelte alone, and that resolves as bundlers do, where their types are found. " +
      "Their style sheet has no types, and nothing is taken from it but the style.",
  },
]

/** Packs one package and returns the tarball with the names of its files. */
function pack(folder, destination) {
  const answer = execFileSync("npm", ["pack", "--json", "--pack-destination", destination], {
    cwd: folder,
    encoding: "utf8",
  })
  const [{ filename, files }] = JSON.parse(answer)
  return { tarball: readFileSync(join(destination, filename)), files: files.map(({ path }) => path) }
}

/** Every target of an exports field, however deep its conditions are. */
function targetsOf(value) {
  if (typeof value === "string") return [value]
  return value && typeof value === "object" ? Object.values(value).flatMap(targetsOf) : []
}

/** Targets of exports, bin and main that are not in the tarball. A target with a star has to match one file at least. */
function missingTargets(manifest, files) {
  const { exports, bin, main, types } = manifest
  return [exports, bin, main, types]
    .flatMap(targetsOf)
    .map((target) => target.replace(/^\.\//, ""))
    .filter((target) => {
      const [before, after] = target.split("*")
      return !files.some((file) =>
        after === undefined ? file === target : file.startsWith(before) && file.endsWith(after),
      )
    })
    .map((target) => `${target} is published nowhere, yet package.json points to it`)
}

/** Files that must not be in a tarball, and files that must be in every one. */
function strayFiles(files) {
  const strays = files.filter((file) => /\.tsbuildinfo$|\.test\.|(?:^|\/)(?:test|src)\/.*\.test|\.env/.test(file))
  const absent = ["LICENSE", "README.md"].filter((file) => !files.includes(file))
  return [
    ...strays.map((file) => `${file} does not belong into the package`),
    ...absent.map((file) => `${file} is missing`),
  ]
}

async function publintFindings(manifest, tarball) {
  const { buffer, byteOffset, byteLength } = tarball
  const { messages } = await publint({
    strict: true,
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
  })
  return messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`)
}

async function typeFindings(tarball, used) {
  const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
  const findings = problems.filter(({ kind, resolutionKind, moduleSpecifier = "" }) => {
    const exception = accepted.find(
      (one) =>
        one.kind === kind &&
        (one.resolution ?? resolutionKind) === resolutionKind &&
        (one.specifier ?? /^/).test(moduleSpecifier),
    )
    if (exception) used.add(exception)
    return !exception
  })
  return findings.map(
    ({ kind, entrypoint, moduleSpecifier, resolutionKind, resolutionOption }) =>
      `types: ${kind} at ${entrypoint ?? moduleSpecifier ?? "-"} for ${resolutionKind ?? resolutionOption ?? "-"}`,
  )
}

function licenceOf(folder) {
  const path = join(folder, "LICENSE")
  return existsSync(path) ? readFileSync(path, "utf8") : undefined
}

async function check(folder, used) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (!existsSync(join(folder, "dist"))) return [`${folder} is not built: npm run build`]
  const destination = mkdtempSync(join(tmpdir(), "latchkey-pack-"))
  try {
    const { tarball, files } = pack(folder, destination)
    const isOurLicence = readFileSync(join(root, "LICENSE"), "utf8") === licenceOf(folder)
    return [
      ...(isOurLicence ? [] : ["its LICENSE is not that of the project"]),
      ...missingTargets(manifest, files),
      ...strayFiles(files),
      ...(await publintFindings(manifest, tarball)),
      // A package that is only a command has no types to check.
      ...(manifest.exports?.["."] ? await typeFindings(tarball, used) : []),
    ].map((finding) => `${manifest.name}: ${finding}`)
  } finally {
    rmSync(destination, { recursive: true })
  }
}

const named = process.argv.slice(2)
const folders = named.length > 0 ? named : readdirSync(join(root, "packages")).map((name) => `packages/${name}`)
const published = folders.filter(
  (folder) => !JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).private,
)
const used = new Set()
const findings = []
for (const folder of published) findings.push(...(await check(join(root, folder), used)))
if (named.length === 0)
  findings.push(
    ...accepted
      .filter((one) => !used.has(one))
      .map(({ kind }) => `the accepted finding ${kind} does not occur any more`),
  )
for (const finding of findings) process.stderr.write(`${finding}\n`)
process.stdout.write(`${published.length} packages looked at, ${findings.length} findings\n`)
process.exitCode = findings.length > 0 ? 1 : 0
