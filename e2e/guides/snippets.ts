/** The code of the pages that are no applications of their own: written out as files and read by the compiler. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const docs = join(root, "docs")

/** Where the files are written: below the root, so that packages are found where the workspace has them. */
export const workshopOf = (name: string): string => join(root, ".tmp", name)

/** Folders of pages whose code is checked here; frameworks and Express have suites that run theirs. */
const folders = ["start", "concepts", "moving", "about", "reference", "guides"]

/** Pages whose code another suite runs, as an application (the first two), or that shows parts of a file (the last). */
const elsewhere: ReadonlySet<string> = new Set([
  "start/sveltekit.md",
  "guides/express.md",
  "guides/write-an-adapter.md",
])

/** Code of a page that belongs into one file. */
export interface Snippet {
  readonly file: string
  readonly code: string
  /** Line of the page. */
  readonly line: number
}

/** The pages that are checked here, relative to `docs`. */
export async function checkedPages(): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(join(docs, folder)).catch(() => [])
      return files.filter((file) => file.endsWith(".md")).map((file) => `${folder}/${file}`)
    }),
  )
  return found.flat().filter((page) => !elsewhere.has(page))
}

/** Every block of code in a language of the compiler. A block begins with a comment that names its file. */
export async function snippetsOf(
  page: string,
  folder: string = docs,
): Promise<{ named: Snippet[]; nameless: number[] }> {
  const lines = (await readFile(join(folder, page), "utf8")).split("\n")
  const named: Snippet[] = []
  const nameless: number[] = []
  for (let at = 0; at < lines.length; at++) {
    if (!/^```(?:ts|tsx|js|jsx)\b/.test(lines[at] ?? "")) continue
    const end = lines.indexOf("```", at)
    const code = lines.slice(at + 1, end)
    const file = /^\/\/ ([\w.$@+()[\]/-]+\.[jt]sx?)$/.exec(code[0] ?? "")?.[1]
    if (file === undefined) nameless.push(at + 1)
    else named.push({ file, code: `${code.join("\n")}\n`, line: at + 1 })
    at = end
  }
  return { named, nameless }
}

/**
 * Writes the snippets of a page into projects, one for each time a file name comes again: a page that shows `auth.ts`
 * twice means two applications. What the second one leaves out is taken from the first.
 */
export async function writeSnippets(place: string, snippets: readonly Snippet[]): Promise<void> {
  const variants = variantsOf(snippets)
  for (const [index, files] of variants.entries()) {
    const folder = join(place, String(index + 1))
    for (const { file, code } of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), code)
    }
  }
}

function variantsOf(snippets: readonly Snippet[]): Snippet[][] {
  const variants: Map<string, Snippet>[] = []
  for (const snippet of snippets) {
    const current = variants.at(-1)
    if (current === undefined || current.has(snippet.file)) variants.push(new Map([[snippet.file, snippet]]))
    else current.set(snippet.file, snippet)
  }
  return variants.map((files) => [...files.values()])
}

/** An empty workshop that finds the packages of the workspace. */
export async function emptyWorkshop(workshop: string): Promise<void> {
  await rm(workshop, { recursive: true, force: true })
  await mkdir(workshop, { recursive: true })
  await symlink(join(root, "node_modules"), join(workshop, "node_modules"))
  await writeFile(join(workshop, "package.json"), '{ "type": "module" }\n')
}
