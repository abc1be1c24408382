/** `latchkey doctor --test-adapter`: the contract of adapters on the store of the application, of which nothing stays. */
import { fileURLToPath } from "node:url"
import Database from "libsql"
import { describe, expect, it } from "vitest"
import { bundle } from "../../sql-adapter/test/support/bundle.js"
import { useProject } from "./support/project.js"

const project = useProject()
const env = { AUTH_SECRET: "5b1ff1a4c7d84c0b9f1a6f0e3d2c4b7a8e9d0c1f2a3b4c5d", AUTH_URL: "https://app.example.com" }

interface Report {
  readonly code: number
  readonly findings: readonly { readonly code: string; readonly level: string; readonly message: string }[]
  readonly notes: string
}

let modules = 0

/** The doctor on a configuration with this adapter; what stands before it is the rest of the module. */
async function reportOn(adapter: string, before = "", args: readonly string[] = []): Promise<Report> {
  const name = `auth-${++modules}.mjs`
  project.write(name, `${before}\nexport const config = { providers: [], adapter: ${adapter} }\n`)
  const { code, out } = await project.run(["doctor", name, "--test-adapter", "--json", ...args], { env })
  const { findings, notes } = JSON.parse(out)
  return { code, findings, notes: notes.join("\n") }
}

const sql = (file: string, more = ""): string =>
  `import { sqlAdapter } from "@latchkey/sql-adapter"
export const adapter = sqlAdapter({ filename: ${JSON.stringify(project.path(file))} })\n${more}`

/** How many rows each table has. */
function rowsOf(file: string): Readonly<Record<string, unknown>> {
  const database = new Database(project.path(file))
  const names = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
  const rows = names.map(({ name }) => [name, database.prepare(`select count(*) from "${name}"`).raw().get()] as const)
  database.close()
  return Object.fromEntries(rows)
}

describe("latchkey doctor --test-adapter", () => {
  it.each(["development", "production"])(
    "runs the contract on a SQL database and leaves no row: %s",
    async (mode) => {
      await project.run(["migrate", `${mode}.db`])
      const before = rowsOf(`${mode}.db`)
      expect(before).toMatchObject({ users: [0], accounts: [0], sessions: [0] })
      const report = await reportOn("adapter", sql(`${mode}.db`), ["--mode", mode])
      expect(report).toMatchObject({ code: 0, findings: [] })
      const [, held = "0"] = /(\d+) cases of the contract of adapters hold in transactions/.exec(report.notes) ?? []
      expect(Number(held)).toBeGreaterThan(100)
      expect(rowsOf(`${mode}.db`)).toEqual(before)
    },
    60_000,
  )

  it("names what the store does not keep", async () => {
    await project.run(["migrate", "broken.db"])
    const broken = `{ ...adapter, transaction: (work) => adapter.transaction((inner) => work({ ...inner,
      getUserByEmail: async () => null })) }`
    const { code, findings } = await reportOn(broken, sql("broken.db"))
    expect(code).toBe(1)
    expect(findings.map((finding) => finding.code)).toContain("adapter-contract")
    for (const { message } of findings) expect(message).toMatch(/^Adapter: expected that /)
  }, 60_000)

  it("stops at a transaction that leaves what it wrote, and removes it", async () => {
    await bundle(fileURLToPath(new URL("../../core/src/memory.ts", import.meta.url)), project.path("memory.js"))
    const { code, findings } = await reportOn(
      "{ ...inner, transaction: (work) => work(inner), async deleteUser(id) { await inner.deleteUser(id); globalThis.removed = id } }",
      'import { memoryAdapter } from "./memory.js"\nconst inner = memoryAdapter()\n',
    )
    expect({ code, messages: findings.map(({ message }) => message) }).toEqual({
      code: 1,
      messages: [expect.stringMatching(/leaves nothing, received a user who is still there: .*@example\.com\.$/)],
    })
    expect(globalThis).toHaveProperty("removed", expect.stringMatching(/./))
  })

  it.each([
    [
      "an adapter without transactions",
      "{ getUser() {}, createUser() {}, getUserByEmail() {} }",
      "",
      [],
      "no transaction",
    ],
    ["no adapter", "undefined", "", [], "there is none."],
    ["tables that are missing", "adapter", () => sql("empty.db"), [], "its tables are not as they have to be."],
    [
      "an adapter in production that cannot look at its tables",
      `{ createUser: never, getUserByEmail: never, transaction: never }`,
      `const never = () => { throw new Error("called") }`,
      ["--mode", "production"],
      "the mode is production, and the adapter cannot say",
    ],
  ] as const)("is not run, and says so, with %s", async (_name, adapter, before, args, why) => {
    const { notes } = await reportOn(adapter, typeof before === "function" ? before() : before, args)
    expect(notes).toContain("The contract of adapters was not run on the store of the application: ")
    expect(notes).toContain(why)
    expect(notes).not.toContain("hold in transactions")
  })
})
