/**
 * Writes docs/reference/options.md from the rows of packages/core/src/config/options.ts. `--check` writes nothing and
 * fails when the file is not what it would write.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = join(root, "docs/reference/options.md")

const { outputFiles } = await build({
  entryPoints: [join(root, "packages/core/src/config/options.ts")],
  bundle: true,
  write: false,
  format: "esm",
  logLevel: "error",
})
const code = Buffer.from(outputFiles[0].text).toString("base64")
const { optionRows } = await import(`data:text/javascript;base64,${code}`)

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

const escaped = (text) => text.replaceAll("|", "\\|")
const rows = optionRows.map(
  ([name, { kind, normally, does }]) =>
    `| \`${name}\` | ${kindOf(name, kind)} | ${escaped(normally)} | ${escaped(does)} |\n`,
)
const text = `# Options

Everything \`AuthConfig\` holds. A value that cannot work is reported when the service is made and with each request, with
what was expected, what came and what to do. An unknown name is a warning with the nearest known one. Every number of
seconds is ten years at most.

| Option | Value | Default | Meaning |
| ------ | ----- | ------- | ------- |
${rows.join("")}
Generated from \`packages/core/src/config/options.ts\`.
`

if (!process.argv.includes("--check")) {
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
} else if ((await readFile(target, "utf8").catch(() => undefined)) !== text) {
  process.stderr.write("docs/reference/options.md is not in sync: run `node tools/options.mjs`.\n")
  process.exitCode = 1
}
