/** Everything that the packages publish says what it is where an editor shows it. */
import { existsSync, readFileSync } from "node:fs"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { root } from "./compile.js"

const packages = [
  "core",
  "express",
  "hono",
  "next",
  "react",
  "sveltekit",
  "sql-adapter",
  "redis-adapter",
  "adapter-contract",
  "testing",
]

/** The sources of what a package publishes under a name, without those of single providers. */
function entriesOf(name: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8")) as { exports: object }
  const targets = JSON.stringify(manifest.exports).match(/(?<="\.\/dist\/)[\w/-]+(?=\.d\.ts")/g) ?? []
  return targets.map((target) => `${root}packages/${name}/src/${target}.ts`).filter((file) => existsSync(file))
}

/** Members that an application can use: those of interfaces, of types written out, and of classes. */
function membersOf(declaration: ts.Declaration): readonly (ts.TypeElement | ts.ClassElement)[] {
  if (ts.isInterfaceDeclaration(declaration)) return declaration.members.filter(({ name }) => name)
  if (ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)) {
    return declaration.type.members.filter(({ name }) => name)
  }
  if (!ts.isClassDeclaration(declaration)) return []
  // The names of an error repeat its class; what is private is not published.
  const hidden = ts.ModifierFlags.Static | ts.ModifierFlags.Private | ts.ModifierFlags.Override
  return declaration.members.filter(
    (member) => member.name && !ts.isPrivateIdentifier(member.name) && !(ts.getCombinedModifierFlags(member) & hidden),
  )
}

const options = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
  jsx: ts.JsxEmit.ReactJSX,
  noLib: true,
  types: [],
}
/** One program for all packages: what they share is read once. */
const program = ts.createProgram(packages.flatMap(entriesOf), options)
const checker = program.getTypeChecker()

/** A default alone is no sentence. */
function isSilent(symbol: ts.Symbol | undefined): boolean {
  return (symbol?.getDocumentationComment(checker).length ?? 0) === 0
}

/** What a package publishes of its own: the exports of its entries, and their members. */
function publishedBy(name: string): readonly { readonly name: string; readonly isSilent: boolean }[] {
  const modules = entriesOf(name).flatMap((file) => {
    const source = program.getSourceFile(file)
    return (source && checker.getSymbolAtLocation(source)) ?? []
  })
  const symbols = modules.flatMap((module) => checker.getExportsOfModule(module))
  const resolved = new Set(
    symbols.map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)),
  )
  return [...resolved].flatMap((symbol) => {
    const isOwn = (at: ts.Declaration): boolean => at.getSourceFile().fileName.includes(`/packages/${name}/src/`)
    const declarations = (symbol.declarations ?? []).filter(isOwn)
    if (declarations.length === 0) return []
    const members = declarations.flatMap(membersOf).flatMap((member) => member.name ?? [])
    return [
      { name: symbol.name, isSilent: isSilent(symbol) },
      ...members.map((member) => ({
        name: `${symbol.name}.${member.getText()}`,
        isSilent: isSilent(checker.getSymbolAtLocation(member)),
      })),
    ]
  })
}

describe.each(packages)("what @latchkey/%s publishes", (name) => {
  it("has a sentence for each export and each member", { timeout: 60_000 }, () => {
    const published = publishedBy(name)
    expect(published.length).toBeGreaterThan(10)
    expect(published.filter((one) => one.isSilent).map((one) => one.name)).toEqual([])
  })
})
