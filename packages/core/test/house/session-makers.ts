/** What makes a session: the calls that write its row or record or ask the callback of a sign-in, and its cookie with a value. */
import ts from "typescript"
import { nodesOf, type SourceFile } from "./scan.js"

/** Functions without which no session begins, in a store or in a token. */
const makers = new Set(["createSession", "passSignIn", "recordRow", "recordToken", "writeToken"])

/** What a source holds of it, by name: `begin` is that of a strategy, `sessionToken` the cookie with a value. */
export function sessionMakers(file: SourceFile): ReadonlySet<string> {
  const found = new Set<string>()
  for (const node of nodesOf(file)) {
    if (ts.isCallExpression(node)) for (const name of madeBy(node)) found.add(name)
    if (ts.isObjectLiteralExpression(node) && setsSessionCookie(node)) found.add("sessionToken")
  }
  return found
}

function madeBy({ expression, arguments: given }: ts.CallExpression): readonly string[] {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
  // Methods of signing in begin as well: a strategy takes context, login and store.
  return makers.has(name) || (name === "begin" && given.length === 3) ? [name] : []
}

function setsSessionCookie({ properties }: ts.ObjectLiteralExpression): boolean {
  const texts = properties.map((property) => property.getText())
  return texts.some((text) => /^role: ["']sessionToken["']$/.test(text)) && texts.some((text) => /^value\b/.test(text))
}
