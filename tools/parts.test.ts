/** What an application gets of the core, and what stays a file of its own until somebody needs it. */
import { readdirSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"

const source = fileURLToPath(new URL("../packages/core/src", import.meta.url))

interface File {
  /** Its sources. */
  readonly inputs: readonly string[]
  /** The process opens it before anything is asked for. */
  readonly isAtStart: boolean
}

/** The files of a bundle, as a bundler of an application makes it. */
async function filesOf(entry: string): Promise<readonly File[]> {
  const { metafile } = await build({
    entryPoints: [`${source}/${entry}`],
    absWorkingDir: source,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    packages: "external",
    outdir: source,
    logLevel: "silent",
  })
  const { outputs } = metafile
  const atStart = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry))
  for (const path of atStart)
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") atStart.add(next)
  return Object.entries(outputs).map(([path, { inputs }]) => ({
    inputs: Object.keys(inputs),
    isAtStart: atStart.has(path),
  }))
}

describe("languages", () => {
  const names = readdirSync(`${source}/texts`)
    .map((name) => basename(name, ".ts"))
    .filter((name) => /^[a-z]{2}$/.test(name))

  it("are files of their own, so that a page loads the one it is in", async () => {
    const files = await filesOf("texts/languages.ts")
    const spoken = files.map(({ inputs }) => inputs.filter((path) => names.includes(basename(path, ".ts"))))
    expect(names.length).toBe(15)
    expect(spoken.filter(({ length }) => length > 1)).toEqual([])
    expect(spoken.flat().length).toBe(15)
  })
})

describe("a provider", () => {
  it.each(["github", "google", "microsoft-entra-id", "apple"])("%s brings no other one", async (id) => {
    const inputs = (await filesOf(`providers/${id}.ts`)).flatMap((file) => file.inputs)
    const providers = inputs.filter((path) => /^providers\/[\w-]+\.ts$/.test(path))
    expect(providers.filter((path) => !["providers/define.ts", `providers/${id}.ts`].includes(path))).toEqual([])
    const marks = inputs.filter((path) => path.startsWith("providers/marks/"))
    expect(marks.length).toBeLessThanOrEqual(1)
  })
})

it("the start of the core holds nothing of signing in, of pages, or of sessions in a store", async () => {
  const start = (await filesOf("engine/auth.ts")).flatMap(({ inputs, isAtStart }) => (isAtStart ? inputs : []))
  const later = /^(?:admission|checks|ledger|methods|pages)\/|^actions\/(?!table|thrown|session\.|feature-row)/
  expect(start.length).toBeGreaterThan(50)
  expect(start.filter((path) => later.test(path))).toEqual([])
})
