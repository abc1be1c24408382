/** What a bundler has to find for each door: optional libraries only behind the providers that need them. */
import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Metafile } from "esbuild"
import { beforeAll, expect, it } from "vitest"

const core = fileURLToPath(new URL("../../", import.meta.url))
const manifest = JSON.parse(readFileSync(`${core}package.json`, "utf8"))
const doors = ["src", "src/providers"].flatMap((folder) =>
  readdirSync(core + folder)
    .filter((name) => /^[\w-]+\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
)

let outputs: Metafile["outputs"]
beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: core,
    entryPoints: doors,
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    packages: "external",
    write: false,
    metafile: true,
    logLevel: "silent",
  })
  outputs = metafile.outputs
})

/** The packages that a file reaches, dynamic imports included. */
function packagesOf(file: string, seen: Set<string> = new Set()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const imports = outputs[file]?.imports ?? []
  return imports.flatMap(({ path, external }) => (external ? [path] : packagesOf(path, seen)))
}

it("imports an optional library only through the providers that need it", () => {
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint && doors.includes(entryPoint))
  expect(entries).toHaveLength(doors.length)
  const optional = entries.flatMap(([file, { entryPoint = "" }]) => {
    const found = new Set(packagesOf(file).filter((name) => !isDependency(name)))
    return found.size > 0 ? [[basename(entryPoint, ".ts"), [...found].toSorted()]] : []
  })
  const verifier = ["@simplewebauthn/server", "@simplewebauthn/server/helpers"]
  expect(Object.fromEntries(optional)).toEqual({
    // Part of what is published: tools/bundle.mjs puts it there.
    client: ["@simplewebauthn/browser"],
    email: ["nodemailer"],
    nodemailer: ["nodemailer"],
    passkey: verifier,
    webauthn: verifier,
  })
})

function isDependency(name: string): boolean {
  return Object.keys(manifest.dependencies).some((one) => name === one || name.startsWith(`${one}/`))
}
