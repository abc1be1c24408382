/**
 * Writes docs/reference/adapter.md: the operations and rows of the types of an adapter, which uses need them from the
 * command `doctor`, what they guarantee from the cases of the contract kit, and when they are called from
 * tools/adapter-operations.json. `--check` writes nothing and fails when the file is not what it would write.
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { importSource } from "./source-module.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = join(root, "docs/reference/adapter.md")

const { needs } = await importSource(join(root, "packages/cli/src/doctor/needs.ts"))
const { operationCases } = await importSource(join(root, "packages/adapter-contract/src/cases.ts"))
const calls = JSON.parse(await readFile(join(root, "tools/adapter-operations.json"), "utf8"))

const files = ["adapter", "records", "identity", "session", "credential"].map((name) =>
  join(root, `packages/core/src/types/${name}.ts`),
)
const program = ts.createProgram(files, { strict: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, types: [] })
const checker = program.getTypeChecker()

/** Members that say something of the store; all others are operations. */
const traits = ["emptyEmail", "comparesExactly"]
const operations = membersOf("Adapter").filter(({ name }) => !traits.includes(name))
const records = new Set(membersOf("RecordStore").map(({ name }) => name))
expectSame(
  Object.keys(calls),
  operations.map(({ name }) => name),
)

const text = page()
if (!process.argv.includes("--check")) await writeFile(target, text)
else if ((await readFile(target, "utf8").catch(() => undefined)) !== text) {
  console.error("docs/reference/adapter.md is not what its sources say: run node tools/adapter-operations.mjs")
  process.exitCode = 1
}

/** The members of an interface, inherited ones as well, with what is written above each. */
function membersOf(name) {
  const declared = program
    .getSourceFiles()
    .flatMap((file) => [...file.statements])
    .find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)
  if (!declared)
    throw new Error(`tools/adapter-operations.mjs: there is no interface ${name} in packages/core/src/types`)
  return checker.getTypeAtLocation(declared).getProperties().map(memberOf)
}

function memberOf(symbol) {
  const [node] = symbol.getDeclarations()
  const says = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s*\n\s*/g, " ")
  return {
    name: symbol.name,
    says: says
      .replaceAll(/\{@link (\w+)\}/g, "`$1`")
      .replace(/^Optional addition: (.)/, (_, first) => first.toUpperCase()),
    isAddition: says.startsWith("Optional addition:"),
    isOptional: node.questionToken !== undefined,
    signature: node.getText().replaceAll(/\s+/g, " ").replace("?", "").replaceAll("( ", "(").replaceAll(", )", ")"),
    type: node.type?.getText() ?? "",
  }
}

function expectSame(described, declared) {
  const wrong = [
    ...declared.filter((name) => !described.includes(name)).map((name) => `does not describe ${name}`),
    ...described.filter((name) => !declared.includes(name)).map((name) => `describes ${name}, which no adapter has`),
  ]
  if (wrong.length > 0) throw new Error(`tools/adapter-operations.json ${wrong.join(", and ")}`)
}

function section({ name, says, signature }) {
  const { called, rules, missing } = calls[name]
  const uses = needs.filter(({ operations: needed }) => needed.includes(name)).map(({ use }) => use)
  const proven = operationCases.filter((it) => namesOf(it).includes(name)).map((it) => `- ${it.name}`)
  const parts = [
    `### ${name}`,
    `\`\`\`text\n${signature}\n\`\`\``,
    says,
    ...(uses.length > 0 ? [`**Needed for** ${uses.join("; ")}.`] : []),
    `**Called.** ${called}`,
    ...(rules ? [`**Rules.** ${rules}`] : []),
    ...(missing ? [`**Without it.** ${missing}`] : []),
    ...(proven.length > 0 ? [`**What the contract kit checks**\n\n${proven.join("\n")}`] : []),
  ]
  return parts.join("\n\n")
}

/** The operations that the sentence of a case names. */
function namesOf({ name }) {
  return operations
    .map((operation) => operation.name)
    .filter((operation) => new RegExp(`\\b${operation}\\b`).test(name))
}

/** What the sentences of the kit say that name no single operation, by group. */
function shared(isMeant) {
  const general = operationCases.filter((it) => namesOf(it).length === 0 && isMeant(it.group))
  const groups = [...new Set(general.map(({ group }) => group))]
  return groups
    .map((group) => {
      const lines = general.filter((it) => it.group === group).map(({ name }) => `- ${name}`)
      return `**${group[0].toUpperCase()}${group.slice(1)}**\n\n${lines.join("\n")}`
    })
    .join("\n\n")
}

function rowTable(name, note) {
  const rows = membersOf(name)
    .filter((member) => !member.name.startsWith("__"))
    .map(
      ({ name: member, type, says, isOptional }) =>
        `| \`${member}\` | \`${type.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")}\` | ${isOptional ? "no" : "yes"} | ${says.replaceAll("|", "\\|")} |`,
    )
  return `### ${name}\n\n${note}\n\n| Member | Type | Always there | Meaning |\n| --- | --- | --- | --- |\n${rows.join("\n")}`
}

function page() {
  const standard = operations.filter(({ name, isAddition }) => !isAddition && !records.has(name))
  const additional = operations.filter(({ isAddition }) => isAddition)
  const kept = operations.filter(({ name }) => records.has(name))
  const said = membersOf("Adapter").filter(({ name }) => traits.includes(name))
  return `# Adapter operations

What the service calls to store users and sessions: each operation with what goes in, what has to come out, when it is called, and
what happens without it. [Write an adapter](../guides/write-an-adapter.md) is the guide, \`Adapter\` of
\`@latchkey/core/adapters\` is the type.

- Every operation is optional. \`npx @latchkey/cli doctor\` says which ones your configuration calls and your adapter lacks; one
  that is missing when it is called fails with [\`MissingAdapterMethods\`](errors.md#missingadaptermethods).
- Each may return its value or a promise of it, and is looked up at each call, through the prototype as well.
- \`null\` or \`undefined\` means that there is no such row. An operation that cannot answer throws: the step fails with
  [\`AdapterError\`](errors.md#adaptererror), whose \`cause\` names the operation and holds the error.
- Dates may come back as \`Date\` or as ISO 8601 strings with a zone; ids may be strings or what your database has.
- What is handed in is a copy: change it if you like.

## Standard operations

${standard.map(section).join("\n\n")}

## Additional operations

Adapters published for Auth.js have none of them. Each closes a gap that is named with it.

${additional.map(section).join("\n\n")}

Two members are no operations. Both are \`false\` by default.

${said.map(({ name, says }) => `- \`${name}\`: ${says}`).join("\n")}

## Records

An adapter has all seven or none of them; the option \`records\` takes a store that has nothing else. Without a store, features that
keep records are refused at the start with [\`MissingAdapter\`](errors.md#missingadapter), and [limits](../guides/limits.md) are counted
in the memory of each process. [More about records](../guides/write-an-adapter.md#records).

${kept.map(section).join("\n\n")}

### What else the kit checks of records

${shared((group) => group === "records")}

## What holds for several operations

Sentences of the [contract kit](../guides/write-an-adapter.md#test-it) that name no single operation. It checks those whose operations your
adapter has.

${shared((group) => group !== "records")}

## Rows

Values of OAuth keep their names with underscores; everything else is in camelCase. An \`AccountKey\` is \`provider\` with
\`providerAccountId\`.

${rowTable("AdapterUser", "Additional members of your own are handed on to callbacks.")}

${rowTable("AdapterAccount", "Additional members that a token endpoint sends are handed over as well. Accounts of credentials are never stored.")}

${rowTable("AdapterSession", "Times are exact to the millisecond.")}

${rowTable("VerificationToken", "Identified by `identifier` and `token` together.")}

${rowTable("AdapterAuthenticator", "A passkey or a security key, identified by `credentialID`.")}

${rowTable("StoredRecord", "Identified by `kind` and `key` together, the two members of a `RecordKey`.")}

## Parameters and results

${rowTable("DeleteExpiredOptions", "The second parameter of `deleteExpired`.")}

${rowTable("ExpiredRows", "What `deleteExpired` returns.")}

${rowTable("PutCondition", "The second parameter of `putRecord`.")}

${rowTable("CountAddition", "The second parameter of `countRecord`.")}

${rowTable("Counted", "What `countRecord` returns.")}

${rowTable("DeleteCondition", "The second parameter of `deleteRecords`.")}

${rowTable("ScanPage", "The second parameter of `scanRecords`.")}

Generated from \`packages/core/src/types\`, \`packages/cli/src/doctor/needs.ts\`, the cases of \`packages/adapter-contract\` and
\`tools/adapter-operations.json\`.
`
}
