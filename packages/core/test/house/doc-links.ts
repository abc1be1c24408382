/** Links in the comments of what packages export, as the reference of the documentation resolves them. */
import { dirname, relative } from "node:path"
import ts from "typescript"

/** What the reference is made from. */
export interface Published {
  /** Entry points, as absolute paths of sources. */
  readonly entries: readonly string[]
  readonly options: ts.CompilerOptions
  /** Places are shown relative to it. */
  readonly root: string
  readonly host: ts.CompilerHost
}

/** The file system without what is installed: links lead to our own exports. */
export function ownSources(options: ts.CompilerOptions): ts.CompilerHost {
  const usual = ts.createCompilerHost(options)
  const isOwn = (path: string): boolean => !path.includes("/node_modules/")
  return { ...usual, fileExists: (path) => isOwn(path) && usual.fileExists(path) }
}

/** Every `{@link}` of an exported docstring that leads to nothing that is exported, with its place. */
export function deadLinks({ entries, options, root, host }: Published): string[] {
  const program = ts.createProgram([...entries], { ...options, noLib: true, types: [] }, host)
  const checker = program.getTypeChecker()
  const modules = entries
    .map((entry) => program.getSourceFile(entry))
    .flatMap((file) => (file ? [checker.getSymbolAtLocation(file)] : []))
    .filter((symbol) => symbol !== undefined)
  const exported = modules.flatMap((module) => checker.getExportsOfModule(module))
  const names = new Set(exported.map(({ name }) => name))
  const declarations = new Set<ts.Node>(exported.flatMap((symbol) => targetOf(symbol, checker).declarations ?? []))
  const dead = [...declarations].flatMap((declaration) =>
    linksIn(declaration)
      .filter((link) => !isPublished(link, { checker, declarations, names, declaration }))
      .map((link) => `${placeOf(link, root)} ${link.getText()}`),
  )
  return [...new Set(dead)].toSorted()
}

interface Known {
  readonly checker: ts.TypeChecker
  /** Of everything that is exported. */
  readonly declarations: ReadonlySet<ts.Node>
  readonly names: ReadonlySet<string>
  /** What the comment belongs to. */
  readonly declaration: ts.Node
}

/**
 * The reference looks for what the compiler does not find, as an import that no type needs, among the members beside it
 * and the names of exports.
 */
function isPublished(link: ts.JSDocLink, { checker, declarations, names, declaration }: Known): boolean {
  if (!link.name) return false
  const name = link.name.getText()
  if (/^https?$/.test(name) && link.text.startsWith("://")) return true
  if (names.has(name) || memberNames(declaration).has(name)) return true
  const found = checker.getSymbolAtLocation(link.name)
  const targets = (found && targetOf(found, checker).declarations) ?? []
  return targets.some((target) => ts.findAncestor(target, (node) => declarations.has(node)) !== undefined)
}

function memberNames(declaration: ts.Node): ReadonlySet<string> {
  const hasMembers = ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
  return new Set(hasMembers ? declaration.members.map(({ name }) => name?.getText() ?? "") : [])
}

function targetOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Links in the comments of a declaration and of its members; what a declaration file leaves out is passed over. */
function linksIn(declaration: ts.Node): readonly ts.JSDocLink[] {
  const links: ts.JSDocLink[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || isPrivate(node)) return
    for (const comment of ts.getJSDocCommentsAndTags(node)) if (ts.isJSDoc(comment)) collect(comment)
    ts.forEachChild(node, visit)
  }
  const collect = (node: ts.Node): void => {
    if (ts.isJSDocLink(node)) links.push(node)
    ts.forEachChild(node, collect)
  }
  visit(declaration)
  return links
}

function isPrivate(node: ts.Node): boolean {
  const { Private } = ts.ModifierFlags
  return ts.isClassElement(node) && ((ts.getCombinedModifierFlags(node) & Private) !== 0 || isHashed(node))
}

const isHashed = ({ name }: ts.ClassElement): boolean => name !== undefined && ts.isPrivateIdentifier(name)

function placeOf(link: ts.Node, root: string): string {
  const file = link.getSourceFile()
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(link.getStart()).line + 1}`
}

/** The sources of the entry points that the files of the reference name by what is built of them. */
export function sourcesOf(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(/from "(.+?)\/dist\/(.+?)\.js"/g)].map(
      ([, folder, name]) => new URL(`${folder}/src/${name}.ts`, `file://${dirname(path)}/`).pathname,
    ),
  )
}
