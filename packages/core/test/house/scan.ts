/** Reads the sources of the core as syntax trees and tells what stands in them. Comments and texts never count as code. */
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

/** Places where a name is used as a value of its own: not as a member, a property's key, a type or a declaration. */
export function usesOf(file: SourceFile, name: string): string[] {
  return [...nodesOf(file)]
    .filter((node) => ts.isIdentifier(node) && node.text === name && isReference(node))
    .map((node) => placeOf(file, node))
}

function isReference(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node || isGlobal(parent.expression)
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) return parent.name !== node
  if (ts.isParameter(parent) || ts.isVariableDeclaration(parent)) return parent.name !== node
  return !(
    ts.isTypeReferenceNode(parent) ||
    ts.isTypeElement(parent) ||
    ts.isClassElement(parent) ||
    ts.isQualifiedName(parent)
  )
}

function isGlobal(node: ts.Node): boolean {
  return ts.isIdentifier(node) && ["globalThis", "window", "self"].includes(node.text)
}

/** Places that read the clock: `Date.now()`, `new Date()` or `Date()` without a time, `performance.now()`. */
export function clockReadings(file: SourceFile): string[] {
  return [...nodesOf(file)].filter(isClockReading).map((node) => placeOf(file, node))
}

function isClockReading(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return /^(?:globalThis\.)?(?:Date|performance)\.now$/.test(node.getText())
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
  return isCall && /^(?:globalThis\.)?Date$/.test(node.expression.getText()) && !node.arguments?.length
}

/** Places that run text as code: `eval`, `Function(...)` and `new Function(...)`. */
export function textRuns(file: SourceFile): string[] {
  return [...nodesOf(file)]
    .filter((node) => ts.isNewExpression(node) || ts.isCallExpression(node))
    .filter((node) => /^(?:globalThis\.)?(?:eval|Function)$/.test(node.expression.getText()))
    .map((node) => placeOf(file, node))
}

/** Places with a fitting text, such as the name of a header. */
export function textsMatching(file: SourceFile, pattern: RegExp): string[] {
  return [...nodesOf(file)]
    .filter((node) => (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && pattern.test(node.text))
    .map((node) => placeOf(file, node))
}

/** Places with a fitting property access, such as `Math.random`. */
export function accessesMatching(file: SourceFile, pattern: RegExp): string[] {
  return [...nodesOf(file)]
    .filter((node) => ts.isPropertyAccessExpression(node) && pattern.test(node.getText()))
    .map((node) => placeOf(file, node))
}
