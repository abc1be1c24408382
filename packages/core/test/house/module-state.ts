/** Finds state that outlives a request: module-level names that are, or hold, something that changes. */
import ts from "typescript"
import { nodesOf, placeOf, type SourceFile } from "./scan.js"

const collections = /^(?:Map|Set|WeakMap|WeakSet|WeakRef|Array)$/
const readonlyType = /^(?:Readonly(?:Map|Set|Array)?<|readonly )/
const mutators = /^(?:add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/

/** What stands wrong, each with its place and reason. */
export function moduleState(file: SourceFile): string[] {
  const declared = declarationsOf(file)
  const faults = declared.flatMap((declaration) => faultOf(file, declaration))
  return [...faults, ...staticCollections(file), ...writesTo(file, namesOf(declared))]
}

/** A collection on a class is module state under another name. */
function staticCollections(file: SourceFile): string[] {
  return [...nodesOf(file)]
    .filter((node) => ts.isPropertyDeclaration(node))
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
    .filter(
      ({ initializer }) =>
        initializer && ts.isNewExpression(initializer) && collections.test(initializer.expression.getText()),
    )
    .map((node) => `${placeOf(file, node)} ${node.name.getText()}: a collection on a class`)
}

function declarationsOf({ tree }: SourceFile): readonly ts.VariableDeclaration[] {
  return tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
}

function faultOf(file: SourceFile, declaration: ts.VariableDeclaration): string[] {
  const say = (reason: string): string[] => [`${placeOf(file, declaration)} ${declaration.name.getText()}: ${reason}`]
  if (!(declaration.parent.flags & ts.NodeFlags.Const)) return say("let or var")
  const { initializer, type } = declaration
  if (!initializer) return []
  if (ts.isNewExpression(initializer) && collections.test(initializer.expression.getText())) {
    return type && readonlyType.test(type.getText()) ? [] : say("a collection whose type is not read-only")
  }
  if (ts.isCallExpression(initializer) && /cache/i.test(initializer.expression.getText())) return say("a cache")
  return isRemembering(initializer) && isAskedAgain(file, declaration.name.getText())
    ? say("a pattern that remembers where it stopped")
    : []
}

/** A pattern with the flags g or y keeps `lastIndex` between two calls of test or exec; replace and matchAll begin anew. */
function isRemembering(node: ts.Expression): boolean {
  return ts.isRegularExpressionLiteral(node) && /[gy][a-z]*$/.test(node.text.replace(/^.*\//s, ""))
}

function isAskedAgain(file: SourceFile, name: string): boolean {
  return [...nodesOf(file)].some(
    (node) =>
      ts.isPropertyAccessExpression(node) &&
      /^(?:test|exec)$/.test(node.name.text) &&
      node.expression.getText() === name,
  )
}

function namesOf(declarations: readonly ts.VariableDeclaration[]): ReadonlySet<string> {
  return new Set(declarations.map(({ name }) => name.getText()))
}

/** Writes through a module-level name: assignment to a member, delete, or a call that changes the value. */
function writesTo(file: SourceFile, names: ReadonlySet<string>): string[] {
  const isOurs = (node: ts.Node): boolean => names.has(rootOf(node)) && !isShadowed(node, rootOf(node))
  const faults: string[] = []
  for (const node of nodesOf(file)) {
    const target = targetOf(node)
    if (target && isOurs(target)) faults.push(`${placeOf(file, node)} ${node.getText().slice(0, 60)}: written to`)
  }
  return faults
}

function targetOf(node: ts.Node): ts.Node | undefined {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return node.left
  if (ts.isDeleteExpression(node)) return node.expression
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const { operator, operand } = node
    return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken ? operand : undefined
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  return mutators.test(node.expression.name.text) ? node.expression.expression : undefined
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function rootOf(node: ts.Node): string {
  let at = node
  while (isWrapper(at)) at = at.expression
  return ts.isIdentifier(at) ? at.text : ""
}

function isWrapper(node: ts.Node): node is ts.Node & { readonly expression: ts.Node } {
  const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
  const isTyping = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node)
  return isMember || isTyping || ts.isParenthesizedExpression(node)
}

/** A parameter or local of the same name hides the module's. */
function isShadowed(node: ts.Node, name: string): boolean {
  for (let at: ts.Node | undefined = node.parent; at && !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionLike(at) && at.parameters.some((parameter) => declares(parameter.name, name))) return true
    if (
      ts.isBlock(at) &&
      at.statements.some(
        (statement) =>
          ts.isVariableStatement(statement) &&
          statement.declarationList.declarations.some((declaration) => declares(declaration.name, name)),
      )
    )
      return true
    if (
      (ts.isForStatement(at) || ts.isForOfStatement(at)) &&
      at.initializer &&
      ts.isVariableDeclarationList(at.initializer) &&
      at.initializer.declarations.some((declaration) => declares(declaration.name, name))
    )
      return true
  }
  return false
}

function declares(binding: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(binding)) return binding.text === name
  return binding.elements.some((element) => ts.isBindingElement(element) && declares(element.name, name))
}
