/** `latchkey doctor --test-store`: the contract of adapters on a store that is named. */
import { existsSync, symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { bundle } from "../../sql-adapter/test/support/bundle.js"
import { useProject } from "./support/project.js"

const project = useProject()
const env = { AUTH_SECRET: "5b1ff1a4c7d84c0b9f1a6f0e3d2c4b7a8e9d0c1f2a3b4c5d" }
project.write("auth.mjs", "export const config = { providers: [] }\n")

describe("latchkey doctor --test-store", () => {
  it("finds nothing wrong with a store that keeps the contract", async () => {
    const memory = fileURLToPath(new URL("../../core/src/memory.ts", import.meta.url))
    await bundle(memory, project.path("memory.js"))
    project.write("kept.mjs", 'import { memoryAdapter } from "./memory.js"\nexport default memoryAdapter()\n')
    const { code, out } = await project.run(["doctor", "auth.mjs", "--test-store", "kept.mjs", "--json"], { env })
    const { findings, notes } = JSON.parse(out)
    expect({ code, findings }).toEqual({ code: 0, findings: [] })
    expect(notes.join("\n")).toMatch(/^\d{3} cases of the contract of adapters hold on kept\.mjs\.$/m)
    // More than a hundred cases, one after the other.
  }, 60_000)

  it("names every case that a store does not keep", async () => {
    project.write(
      "store.mjs",
      `const users = new Map()
export const adapter = {
  createUser: async (user) => { users.set(user.id, user); return user },
  getUser: async () => null,
}\n`,
    )
    const { code, out } = await project.run(["doctor", "auth.mjs", "--test-store", "store.mjs", "--json"], { env })
    const { findings, notes } = JSON.parse(out)
    expect(notes.join("\n")).toMatch(
      /\d+ cases .+ hold on store\.mjs\. \d+ need operations that the adapter does not have/,
    )
    expect(code).toBe(1)
    expect(findings.length).toBeGreaterThan(0)
    for (const finding of findings) {
      expect(finding).toMatchObject({
        level: "error",
        code: "adapter-contract",
        message: expect.stringMatching(/^Adapter: expected that /),
      })
    }
    const first = "createUser answers the user as stored, and getUser finds it"
    expect(findings.map(({ message }: { message: string }) => message).join("\n")).toContain(first)
  })

  it.each([
    [["--mode", "production"], {}, "the mode is production"],
    [[], { DATABASE_URL: "file:own.db" }, "this is the database of the application"],
  ])("refuses a store that is not for tests: %j %j", async (more, variables, message) => {
    const args = ["doctor", "auth.mjs", "--test-store", "file:own.db", ...more]
    const { code, out, err } = await project.run(args, { env: { ...env, ...variables } })
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(message)
  })

  it.each([
    ["./own.db", "own.db"],
    ["own.db", "file:own.db"],
    ["file:own.db", "own.db"],
    ["sqlite:own.db", "./data/../own.db"],
    [`file://${project.path("own.db")}`, "own.db"],
    ["link.db", "own.db"],
    ["linked/own.db", "own.db"],
    ["linked/new.db", "new.db"],
    ["postgres://other:x@LOCALHOST/app?a=b", "postgresql://me:hunter2@127.0.0.1:5432/app"],
    ["mariadb://db.test:3306/app", "mysql://me:hunter2@db.test/app"],
    ["postgres://db.test./%61pp", "postgres://db.test/app"],
    ["postgres:///app?host=db.test&port=5432", "postgres://db.test/app"],
    ["postgres://%64b.test/app", "postgres://db.test/app"],
    ["postgres:///app", "postgres://localhost/app"],
  ])("refuses the store of the application in another spelling: %s for %s", async (store, own) => {
    project.write("own.db", "")
    if (!existsSync(project.path("link.db"))) symlinkSync(project.path("own.db"), project.path("link.db"))
    if (!existsSync(project.path("linked"))) symlinkSync(project.path(), project.path("linked"))
    const args = ["doctor", "auth.mjs", "--test-store", store]
    const { code, err } = await project.run(args, { env: { ...env, DATABASE_URL: own } })
    expect(code).toBe(2)
    expect(err).toContain("this is the database of the application")
  })

  it("says what a module lacks", async () => {
    const { code, err } = await project.run(["doctor", "auth.mjs", "--test-store", "auth.mjs"], { env })
    expect(code).toBe(2)
    expect(err).toContain('"auth.mjs" exports no adapter')
  })
})
