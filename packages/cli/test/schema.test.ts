/** `latchkey schema`: what it prints is compiled and used in e2e/adapters. */
import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { useProject } from "./support/project.js"

const project = useProject()

describe("latchkey schema", () => {
  it.each([
    ["--drizzle", [], 'export const users = pgTable("user"'],
    ["--drizzle", ["--dialect", "mysql"], 'from "drizzle-orm/mysql-core"'],
    ["--drizzle", ["--dialect", "sqlite"], 'integer("expires", { mode: "timestamp_ms" })'],
    ["--prisma", [], "email          String?         @unique"],
    ["--prisma", ["--dialect", "mysql"], "access_token      String? @db.Text"],
    ["--kysely", [], '.addUniqueConstraint("Account_provider_key", ["provider", "providerAccountId"])'],
  ])("prints %s %j", async (tool, more, text) => {
    const { code, out, err } = await project.run(["schema", tool, ...more])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain(text)
    expect(JSON.parse((await project.run(["schema", tool, ...more, "--json"])).out)).toMatchObject({ text: out })
  })

  it("writes a file once, and never another time", async () => {
    const args = ["schema", "--prisma", "--write", "models/auth.prisma"]
    expect(await project.run(args)).toEqual({ code: 0, out: "Wrote models/auth.prisma.\n", err: "" })
    expect(project.read("models/auth.prisma")).toContain("model User {")
    project.write("models/auth.prisma", "mine")
    expect(await project.run(args)).toEqual({
      code: 1,
      out: "",
      err: "models/auth.prisma is there already; nothing was written.\n",
    })
    expect(project.read("models/auth.prisma")).toBe("mine")
  })

  it.each([[[]], [["--drizzle", "--prisma"]]])("refuses %j", async (args) => {
    const { code, err } = await project.run(["schema", ...args, "--write", "no.ts"])
    expect(code).toBe(2)
    expect(err).toContain("Name one tool: --drizzle, --prisma or --kysely.")
    expect(existsSync(project.path("no.ts"))).toBe(false)
  })
})
