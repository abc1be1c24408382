/**
 * Writes docs/reference/errors.md and docs/reference/endpoints.md: what the sources say of errors, warnings and endpoints,
 * and what to do from tools/error-advice.json. `--check` writes nothing and fails when a file is not what it would write.
 */
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { importSource } from "./source-module.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const source = join(root, "packages/core/src")

const { errorTable } = await importSource(join(source, "errors/table.ts"))
const { endpoints } = await importSource(join(source, "http/endpoints.ts"))
const { warningAdvice } = await importSource(join(source, "ports/logger.ts"))
const advice = JSON.parse(await readFile(join(root, "tools/error-advice.json"), "utf8"))
const meanings = await meaningsOfErrors()

const pages = [
  ["docs/reference/errors.md", errorsPage()],
  ["docs/reference/endpoints.md", endpointsPage()],
]
for (const [path, text] of pages) await keep(join(root, path), text)

async function keep(path, text) {
  if (!process.argv.includes("--check")) return writeFile(path, text)
  const found = await readFile(path, "utf8").catch(() => "")
  if (found === text) return
  console.error(`${path.slice(root.length)} is not what its sources say: run node tools/reference.mjs`)
  process.exitCode = 1
}

/** The sentence above the class of each error. */
async function meaningsOfErrors() {
  const folder = join(source, "errors")
  const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), "utf8")))
  const classes = texts.join("\n").matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:abstract )?class (\w+)/g)
  return Object.fromEntries(
    [...classes].map(([, comment, name]) => [name, comment.replaceAll(/\s*\n\s*\* ?/g, " ").trim()]),
  )
}

function errorsPage() {
  const sections = Object.entries(errorTable).map(([type, row]) => {
    const meaning = meanings[type]
    const help = advice[type]
    if (!meaning || !help)
      throw new Error(`tools/reference.mjs: ${type} has no docstring, or no line in error-advice.json`)
    const shown =
      row.page === "none"
        ? "answered in place"
        : `on the ${row.page === "signIn" ? "sign-in" : "error"} page as \`error=${row.value}\`${row.valueAtBegin ? `, when a sign-in is begun \`error=${row.valueAtBegin}\`` : ""}`
    const kind = row.fault ? "A fault: in the log with an incident id." : "A refusal: no fault of the site."
    return `### ${type}\n\n${meaning}\n\n**What to do.** ${help}\n\nStatus ${row.status} for scripts, ${shown}. ${kind}\n`
  })
  const warnings = Object.entries(warningAdvice).map(([code, text]) => {
    const help = advice[code] ? `\n**What to do.** ${advice[code]}\n` : ""
    return `### ${code}\n\n${text.replace(/:$/, ".")}\n${help}`
  })
  return `# Errors and warnings

Every error that leaves the library is an \`AuthError\` with a \`type\` of this list, a \`status\`, and its reason in \`cause\`. People
see a page without details and, for faults, an **incident id**, which is in the log beside the error.

Names, classes and the values of \`error=\` are those of Auth.js, so that pages of your own go on working.

The default logger prints the address of the section below once for each error and each warning. A \`logger\` of your own gets the
error itself, or the code of the warning: in lower case it is the anchor of the section on this page.

## Errors

${sections.join("\n")}
## Warnings

A code in the log, once for each configuration.

${warnings.join("\n")}
Generated from \`packages/core/src/errors\`, \`packages/core/src/ports/logger.ts\` and \`tools/error-advice.json\`.
`
}

function endpointsPage() {
  const audiences = { script: "JSON", person: "a page", browser: "a redirect; JSON with `X-Auth-Return-Redirect: 1`" }
  const rows = endpoints.map(({ method, action, kinds, csrf, audience }) => {
    const ways = kinds.filter((kind) => kind !== "none")
    const paths = [
      ...(kinds.includes("none") ? [`/${action}`] : []),
      ...(ways.length > 0 ? [`/${action}/:provider`] : []),
    ]
    const named = paths.map((path) => `\`${path}\``).join(", ")
    return `| ${method} | ${named} | ${ways.join(", ") || "-"} | ${csrf ? "yes" : "no"} | ${audiences[audience]} |`
  })
  return `# Endpoints

What is served below the base path, \`/auth\` by default. \`HEAD\` is served wherever \`GET\` is; another method is answered with 405
and \`Allow\`, another path with 404.

| Method | Path | Kinds of providers | CSRF token | Answers with |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

- **CSRF token**: the field \`csrfToken\` of the form or of the JSON body, with the value and the cookie of \`GET /csrf\`. Forms
  of your own origin are recognised by \`Sec-Fetch-Site\` and \`Origin\` where the guide of your framework says so.
- **Bodies** are \`application/x-www-form-urlencoded\`, \`multipart/form-data\` or \`application/json\`.
- **\`callbackUrl\`** in the query or the body says where to go afterwards, within your own origin.
- [Features](options.md) bring endpoints of their own.

Generated from \`packages/core/src/http/endpoints.ts\`.
`
}
