/**
 * Leaves out what only people read: the text and the cause of an error, and what is written to a log. The condition that
 * leads there, and the class of the error, are still changed. Leaves out as well what comes to the same: a `catch` at the
 * end that returns `undefined`, made empty, and `clear: false`, which does not compile and is never read.
 */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"

const isLog = ({ callee }) =>
  callee.type === "MemberExpression" && ["debug", "info", "warn", "error"].includes(callee.property.name)
const isThrown = (path) => path.isNewExpression() && path.parentPath?.isThrowStatement()
const hasCause = ({ properties }) => properties.some(({ key }) => key?.name === "cause")
const isPropertyOf = (path, names) =>
  path.parentPath?.isObjectProperty() && names.includes(path.parentPath.node.key.name)
const givesUp = ({ body }) =>
  body.length === 1 && body[0].type === "ReturnStatement" && body[0].argument?.name === "undefined"
/** Several words, the first with a capital letter, in code marks or after a space: no value of a protocol looks like that. */
const isSentence = (text) => /^[A-Z` ]\S*(?: \S+)+/.test(text)

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "messages", {
    shouldIgnore(path) {
      if (path.isCallExpression() && isLog(path.node)) return "What is logged."
      if (path.isStringLiteral() && (isSentence(path.node.value) || isThrown(path.parentPath)))
        return "A sentence for people."
      if (path.isTemplateLiteral()) {
        const text = path.node.quasis.map(({ value }) => value.cooked).join("x")
        if (isSentence(text) || isThrown(path.parentPath)) return "A sentence for people."
      }
      if (path.isStringLiteral() && isPropertyOf(path, ["expected", "remedy"])) return "Part of a sentence for people."
      if (path.isBooleanLiteral() && isPropertyOf(path, ["clear"])) return "Does not compile."
      if (path.isBlockStatement() && path.parentPath.isCatchClause() && givesUp(path.node))
        return "The same when empty."
      if (path.isObjectExpression() && isThrown(path.parentPath) && hasCause(path.node)) return "The cause, for a log."
      return undefined
    },
  }),
]
