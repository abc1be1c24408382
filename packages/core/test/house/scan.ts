/** Reads the sources of the core as syntax trees. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"

/** A source file of the core. `name` is its path below `src/`. */
export interface SourceFile {
  readonly name: string
  readonly text: string
  readonly tree: ts.SourceFile
}

const root = fileURLToPath(new URL("../../src/", import.meta.url))

/** Parses one text as a source file. */
export function parse(name: string, text: string): SourceFile {
  return { name, text, tree: ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true) }
}

/** All sources of the core, tests apart. */
export function readSources(): readonly SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !/\.(?:test|test-d)\.ts$/.test(path))
    .sort()
    .map((path) => parse(path, readFileSync(root + path, "utf8")))
}

/** Every node of a file, from top to bottom. */
export function* nodesOf(file: SourceFile): Generator<ts.Node> {
  const open: ts.Node[] = [file.tree]
  for (let node = open.pop(); node; node = open.pop()) {
    yield node
    const children: ts.Node[] = []
    ts.forEachChild(node, (child) => void children.push(child))
    open.push(...children.reverse())
  }
}

/** Where a node stands, for the message of a failing rule. */
export function placeOf(file: SourceFile, node: ts.Node): string {
  return `${file.name}:${file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1}`
}
