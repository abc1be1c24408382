/** `latchkey migrate`. */
import { existsSync } from "node:fs"
import { printMigrations, sqlAdapter } from "@latchkey/sql-adapter"
import { sql } from "kysely"
import { describe, expect, it } from "vitest"
import { useProject } from "./support/project.js"

const project = useProject()

describe("latchkey migrate", () => {
  it("makes the tables of a file, and then has nothing to do", async () => {
    const first = await project.run(["migrate", "app.db"])
    expect(first).toEqual({
      code: 0,
      out: "Made app.db.\nTook the steps: tables, keys, definitions, records.\n",
      err: "",
    })
    const second = await project.run(["migrate", "app.db"])
    expect(second).toEqual({ code: 0, out: "Nothing to do: the tables are up to date.\n", err: "" })
    const adapter = sqlAdapter({ filename: project.path("app.db") }, { migrate: "manual" })
    expect(await adapter.getUser("nobody")).toBeNull()
    await adapter.close()
  })

  it("says what is pending and missing, and changes nothing", async () => {
    const none = await project.run(["migrate", "look.db", "--status"])
    expect(none).toEqual({ code: 1, out: "There is no file look.db yet.\n", err: "" })
    expect(existsSync(project.path("look.db"))).toBe(false)
    await project.run(["migrate", "look.db"])
    const well = await project.run(["migrate", "look.db", "--status"])
    expect(well).toEqual({ code: 0, out: "The tables are up to date.\n", err: "" })
    const adapter = sqlAdapter({ filename: project.path("look.db") })
    await sql.raw("drop index users_email_lower_key").execute(adapter.kysely)
    await sql.raw("insert into users (id, email) values ('1', 'Ada@example.test')").execute(adapter.kysely)
    await adapter.close()
    const { code, out } = await project.run(["migrate", "look.db", "--status"])
    expect(code).toBe(1)
    expect(out).toContain('Problem: "users" has no unique key on lower(email).')
    expect(out).toContain('Note: "users": 1 address(es) with capitals')
    const repaired = await project.run(["migrate", "look.db"])
    expect(repaired.out).toContain('Took the steps: repaired: "users" has no unique key on lower(email).')
    expect(repaired.out).toContain('Note: "users": 1 address(es) with capitals')
  })

  it("says what it would do, and does nothing", async () => {
    const none = await project.run(["migrate", "trial.db", "--dry-run"])
    expect(none).toEqual({ code: 0, out: "Would make trial.db, with all tables.\n", err: "" })
    expect(existsSync(project.path("trial.db"))).toBe(false)
    const adapter = sqlAdapter({ filename: project.path("trial.db") }, { migrate: "manual" })
    await sql.raw("create table other (id integer)").execute(adapter.kysely)
    const outcome = await project.run(["migrate", "trial.db", "--dry-run"])
    expect(outcome).toEqual({
      code: 0,
      out: "Would do: tables\nWould do: keys\nWould do: definitions\nWould do: records\n",
      err: "",
    })
    const { rows } = await sql`select name from sqlite_master where type = 'table'`.execute(adapter.kysely)
    expect(rows).toEqual([{ name: "other" }])
    await adapter.close()
    await project.run(["migrate", "trial.db"])
    expect(await project.run(["migrate", "trial.db", "--dry-run"])).toMatchObject({ code: 0, out: "Nothing to do.\n" })
  })

  it.each([
    [["--dry-run"], 0, "with all tables."],
    [["--status"], 1, "There is no file"],
    [["--print", "--existing"], 1, "There is no file"],
  ])("makes no file for the sake of a look: %j", async (args, code, message) => {
    for (const target of ["none.db", "file:none.db", `file://${project.path("none.db")}`]) {
      const outcome = await project.run(["migrate", target, ...args])
      expect(outcome).toMatchObject({ code, err: "" })
      expect(outcome.out).toContain(message)
      expect(existsSync(project.path("none.db"))).toBe(false)
    }
  })

  it("prints JSON for scripts, with the same exit codes", async () => {
    const answer = async (...args: string[]): Promise<{ code: number; data: unknown }> => {
      const { code, out } = await project.run(["migrate", "json.db", "--json", ...args])
      return { code, data: JSON.parse(out) }
    }
    expect(await answer("--status")).toEqual({ code: 1, data: { isNew: true } })
    expect(await answer("--dry-run")).toEqual({ code: 0, data: { isNew: true, steps: [] } })
    expect(await answer()).toMatchObject({ code: 0, data: { steps: expect.arrayContaining(["1 tables"]), notes: [] } })
    expect(await answer("--status")).toMatchObject({ code: 0, data: { pending: [], problems: [], notes: [] } })
    expect(await answer("--dry-run")).toEqual({ code: 0, data: { steps: [] } })
    expect(await answer("--print")).toEqual({ code: 0, data: { sql: printMigrations() } })
  })

  it("takes the URL from the environment", async () => {
    const { code, out } = await project.run(["migrate"], { env: { DATABASE_URL: "file:by-url.db" } })
    expect({ code, out }).toEqual({
      code: 0,
      out: "Made file:by-url.db.\nTook the steps: tables, keys, definitions, records.\n",
    })
    expect(existsSync(project.path("by-url.db"))).toBe(true)
  })

  it("prints the SQL and opens nothing", async () => {
    const { code, out } = await project.run(["migrate", "printed.db", "--print"])
    expect({ code, out }).toEqual({ code: 0, out: printMigrations() })
    expect(existsSync(project.path("printed.db"))).toBe(false)
  })

  it("takes names from a file", async () => {
    project.write("names.json", '{ "users": "people" }')
    const { out } = await project.run(["migrate", "--print", "--names", "names.json"])
    expect(out).toContain('create table if not exists "people"')
  })

  it("counts the rows that stand in the way, and changes nothing", async () => {
    const filename = project.path("double.db")
    const adapter = sqlAdapter({ filename }, { migrate: "manual" })
    const table = `create table users (id integer primary key, name text, email text, "emailVerified" text, image text)`
    await sql.raw(table).execute(adapter.kysely)
    await sql.raw("insert into users (email) values ('ada@example.test'), ('Ada@example.test')").execute(adapter.kysely)
    const { code, out, err } = await project.run(["migrate", "double.db"])
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain('"users": 1 value(s) of (lower(email)) occur in more than one row')
    expect(err).not.toContain("example.test")
    const { rows } = await sql`select name from sqlite_master where type = 'table'`.execute(adapter.kysely)
    expect(rows).toEqual([{ name: "users" }])
    await adapter.close()
  })

  it.each([
    [["migrate", "oracle://me:hunter2@localhost/app"], "Expected file:, postgresql:, mysql: or mariadb:", 2],
    [["migrate", "postgres://me:hunter2@:port:/app"], "cannot be read", 1],
    [
      ["migrate", "mysql://me:hunter2@127.0.0.1:1/app"],
      "Cannot reach the database at mysql://127.0.0.1:1/app: nothing answers there.",
      1,
    ],
    [["migrate", "missing/folder/app.db"], "there is no folder", 1],
    [["migrate", "--print", "--dialect", "oracle"], "Allowed choices are sqlite, postgresql, mysql, mariadb", 2],
    [["migrate", "--print", "--names", "nowhere.json"], "nowhere.json", 2],
  ])("%j is refused without showing a password", async (args, message, expected) => {
    const { code, out, err } = await project.run(args)
    expect({ code, out }).toEqual({ code: expected, out: "" })
    expect(err).toContain(message)
    expect(err).not.toContain("hunter2")
  })

  it("--print --existing prints what the tables of a database still need, and changes nothing", async () => {
    await project.run(["migrate", "needs.db"])
    expect(await project.run(["migrate", "needs.db", "--print", "--existing"])).toMatchObject({
      code: 0,
      out: "-- Nothing to do: the tables are up to date.\n",
    })
    project.write("fresh.db", "")
    const { code, out } = await project.run(["migrate", "fresh.db", "--print", "--existing", "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(out).sql).toContain('create table if not exists "users"')
    expect((await project.run(["migrate", "fresh.db", "--status"])).code).toBe(1)
    expect(await project.run(["migrate", "fresh.db", "--existing"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--existing belongs to --print."),
    })
  })
})
