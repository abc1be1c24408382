/**
 * Writes docs/reference/options.md: names and values from the rows of packages/core/src/config/options.ts, meaning and
 * default from the docstrings of `AuthConfig`. `--check` writes nothing and fails when the file is not what it would write.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { importSource } from "./source-module.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = join(root, "docs/reference/options.md")

const { optionRows } = await importSource(join(root, "packages/core/src/config/options.ts"))

const words = { text: "text", flag: "true or false", function: "function", group: "object", page: "path or address" }
const own = {
  providers: "list",
  secret: "text or list",
  adapter: "object",
  basePath: "path",
  cookies: "object",
  callbackTimeout: "seconds, 1 or more, or false",
  "jwt.secret": "text or list",
  "session.expose": "list of names",
  features: "list",
  limits: "object or false",
  language: "tag, list or function",
  texts: "object",
  records: "object",
  skipCSRFCheck: "marker",
  raw: "marker",
}

/** What a value has to be, in words. */
function kindOf(name, kind) {
  if (kind.is === "choice") return kind.expected.replaceAll(/"\w+"/g, "`$&`").replaceAll(" or ", ", ")
  if (kind.is === "seconds") return `seconds, ${kind.least} or more`
  if (kind.is !== "own") return words[kind.is]
  if (name.startsWith("redirectProxy")) return name.endsWith("Origins") ? "list of origins" : "address"
  if (!Object.hasOwn(own, name)) throw new Error(`tools/options.mjs: say in "own" what the value of "${name}" is`)
  return own[name]
}

/** The docstrings of all options, those of members behind a dot. */
function docstrings() {
  const file = join(root, "packages/core/src/types/config.ts")
  const program = ts.createProgram([file], { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext })
  const checker = program.getTypeChecker()
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
  const config = checker.getDeclaredTypeOfSymbol(exported.find(({ name }) => name === "AuthConfig"))
  const membersOf = (option) => checker.getNonNullableType(checker.getTypeOfSymbol(option)).getProperties()
  const docOf = (option) => ({
    meaning: ts.displayPartsToString(option.getDocumentationComment(checker)).replaceAll(/\s+/g, " "),
    usual: ts.displayPartsToString(option.getJsDocTags(checker).find(({ name }) => name === "default")?.text),
  })
  return new Map(
    config
      .getProperties()
      .flatMap((option) => [
        [option.name, docOf(option)],
        ...membersOf(option).map((member) => [`${option.name}.${member.name}`, docOf(member)]),
      ]),
  )
}

const docs = docstrings()
const escaped = (text) => text.replaceAll("|", "\\|")
/** A value is set as code, words are not. */
const defaultOf = ({ usual }, { is }) =>
  /^(?:\d+|"\w+"|true|false|\[\])$/.test(usual) ? `\`${usual}\`` : usual || (is === "group" ? "" : "none")
const rows = optionRows.map(([name, kind]) => {
  const doc = docs.get(name)
  if (!doc?.meaning) throw new Error(`tools/options.mjs: say what "${name}" means, in the docstring of its type`)
  return `| \`${name}\` | ${kindOf(name, kind)} | ${escaped(defaultOf(doc, kind))} | ${escaped(doc.meaning)} |\n`
})
const text = `# Options

Everything \`AuthConfig\` holds. A value that cannot work is reported when the service is made and with each request, with
what was expected, what came and what to do. An unknown name is a warning with the nearest known one. Every number of
seconds is ten years at most.

| Option | Value | Default | Meaning |
| ------ | ----- | ------- | ------- |
${rows.join("")}
Generated from \`AuthConfig\` and the table \`packages/core/src/config/options.ts\`.
`

if (!process.argv.includes("--check")) {
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
} else if ((await readFile(target, "utf8").catch(() => undefined)) !== text) {
  process.stderr.write("docs/reference/options.md is not in sync: run `node tools/options.mjs`.\n")
  process.exitCode = 1
}
