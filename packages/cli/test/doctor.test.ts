/** `latchkey doctor` on configurations. */
import { describe, expect, it } from "vitest"
import { useProject } from "./support/project.js"

const project = useProject()
const secret = "0123456789abcdef0123456789abcdef"

const github = `{ id: "acme", name: "Acme", type: "oauth", clientId: "c", clientSecret: "s",
  authorization: "https://acme.test/authorize", token: "https://acme.test/token", userinfo: "https://acme.test/user" }`

const operations = (...names: string[]): string => `{ ${names.map((name) => `${name}() {}`).join(", ")} }`
const signIn = ["getUserByAccount", "getUserByEmail", "createUser", "linkAccount", "getUser"]
const sessions = ["createSession", "getSessionAndUser", "updateSession", "deleteSession"]

function module(name: string, config: string, exported = "export default"): string {
  project.write(name, `${exported} ${config}\n`)
  return name
}

describe("latchkey doctor", () => {
  it("is content with a configuration that is whole", async () => {
    const path = module("well.js", `{ secret: "${secret}", providers: [${github}] }`)
    const { code, out, err } = await project.run(["doctor", path])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toBe("Sessions: jwt. Base path: /auth. Providers: acme (oauth).\n\nAll that is needed is there.\n")
  })

  it("tells what is wrong", async () => {
    const path = module("wrong.js", `{ providers: [${github}], session: { strategy: "database" } }`)
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(1)
    expect(out).toContain("MissingSecret: ")
    expect(out).toContain("MissingAdapter: ")
    expect(out).toContain("This configuration cannot serve as it is.")
  })

  it("names the operations that are needed and missing [spec errors 3]", async () => {
    const adapter = operations(...signIn, ...sessions.slice(1), "transaction")
    const path = module("missing.js", `{ secret: "${secret}", providers: [${github}], adapter: ${adapter} }`)
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(1)
    expect(out).toContain(
      "for database sessions: createSession MISSING, getSessionAndUser, updateSession, deleteSession",
    )
    expect(out).toContain("for sign-in with OAuth and OpenID Connect: getUserByAccount, getUserByEmail")
  })

  it("finds operations of a class", async () => {
    const methods = [...signIn, ...sessions, "transaction"].map((name) => `${name}() {}`).join("\n")
    const path = project.write(
      "class.js",
      `class Store { ${methods} }
       export const authConfig = { secret: "${secret}", providers: [${github}], adapter: new Store() }`,
    )
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(0)
    expect(out).not.toContain("MISSING")
    expect(out).toContain("one that is cut off by a crash heals at the next sign-in")
  })

  it("says what a crash does where the adapter has no transaction", async () => {
    const adapter = operations(...signIn, ...sessions)
    const path = module("crash.js", `{ secret: "${secret}", providers: [${github}], adapter: ${adapter} }`)
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(0)
    expect(out).toContain("transaction or createUserWithAccount. Without: A first sign-in writes")
    expect(out).toContain("deleteUser. Without: ")
    expect(out).not.toContain("Promised")
  })

  it("explains warnings", async () => {
    const path = module("warn.js", `{ secret: "short", providers: [${github}], debug: true }`)
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(0)
    expect(out).toContain("secret-too-short: ")
    expect(out).toContain("debug-enabled: ")
    expect(out).not.toContain('"short"')
  })

  it("says what is wrong with the tables of the adapter, and ends well once they are made", async () => {
    const config = `{ secret: "${secret}", providers: [${github}],
        adapter: sqlAdapter({ filename: new URL("./doctor.db", import.meta.url).pathname }, { migrate: "manual" }) }`
    const path = project.write(
      "tables.js",
      `import { sqlAdapter } from "@latchkey/sql-adapter"\nexport const authConfig = ${config}\n`,
    )
    const before = await project.run(["doctor", path])
    expect(before.code).toBe(1)
    expect(before.out).toContain("Tables:\n  - Pending: 1 tables\n")
    expect(before.out).toContain('  - Problem: there is no table "users".')
    expect(before.out).toContain("This configuration cannot serve as it is.")
    await project.run(["migrate", "doctor.db"])
    const after = await project.run(["doctor", path])
    expect(after.code).toBe(0)
    expect(after.out).not.toContain("Tables:")
    const json = await project.run(["doctor", path, "--json"])
    expect(JSON.parse(json.out).tables).toEqual({ pending: [], problems: [], notes: [] })
  })

  it("counts a database that is out of reach among the problems", async () => {
    const adapter = `{ check() { throw new Error("connect ECONNREFUSED") } }`
    const path = module(
      "away.js",
      `{ secret: "${secret}", providers: [${github}], session: { strategy: "jwt" }, adapter: ${adapter} }`,
    )
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(1)
    expect(out).toContain("Problem: connect ECONNREFUSED")
  })

  it("reads the environment, and a file of it", async () => {
    const path = module("env.js", `{ providers: [${github}] }`)
    expect((await project.run(["doctor", path])).code).toBe(1)
    expect((await project.run(["doctor", path], { env: { AUTH_SECRET: secret } })).code).toBe(0)
    project.write(".env.local", `AUTH_SECRET=${secret}\n`)
    expect(await project.run(["doctor", path, "--env-file", ".env.local"])).toMatchObject({ code: 0, err: "" })
  })

  it("reads a configuration in TypeScript, with imports that name no ending", async () => {
    project.write("settings.ts", `export enum Mode { Jwt = "jwt" }\nexport const secret: string = "${secret}"`)
    const path = project.write(
      "auth.ts",
      `import { Mode, secret } from "./settings"
       export const config = { secret, providers: [], session: { strategy: Mode.Jwt } } satisfies object`,
    )
    expect(await project.run(["doctor", path])).toMatchObject({ code: 0, err: "" })
    expect(await project.spawn(["doctor", path])).toMatchObject({ code: 0, err: "" })
  })

  it("prints JSON", async () => {
    const path = module("json.js", `{ secret: "${secret}", providers: [${github}], adapter: {} }`)
    const { code, out } = await project.run(["doctor", path, "--json"])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      strategy: "database",
      problems: [],
      needed: [{ use: "database sessions", missing: sessions }, { missing: expect.arrayContaining(["createUser"]) }],
    })
  })

  it("looks over the service that a module made, with the environment it was made with", async () => {
    const made = (env: string): string =>
      `import { createAuth } from "@latchkey/core"
       export const auth = createAuth({ providers: [${github}], adapter: {} }, { env: ${env} })`
    const path = project.write("service.js", made(`{ AUTH_SECRET: "${secret}" }`))
    const { code, out } = await project.run(["doctor", path])
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("getUserByAccount MISSING") })
    expect(out).not.toContain("MissingSecret")
    const bare = await project.run(["doctor", project.write("bare.js", made("{}"))], { env: { AUTH_SECRET: secret } })
    expect(bare.out).toContain("MissingSecret: ")
  })

  it("ends although the module keeps something open", async () => {
    const path = project.write(
      "open.js",
      `setInterval(() => {}, 1000)\nexport const config = { secret: "${secret}", providers: [] }`,
    )
    expect((await project.spawn(["doctor", path])).code).toBe(0)
  })

  it("takes the export that is named", async () => {
    const path = module("named.js", `{ secret: "${secret}", providers: [] }`, "export const other =")
    expect((await project.run(["doctor", path])).code).toBe(2)
    expect((await project.run(["doctor", path, "--export", "other"])).code).toBe(0)
  })

  it.each([
    ["nowhere.js", undefined, 'There is no file "nowhere.js"', 2],
    ["function.js", "export default () => ({ providers: [] })", "not a function that makes it", 2],
    ["nothing.js", "export const a = 1", "it exports a", 2],
    ["function.ts", "export default (): object => ({ providers: [] })", "not a function that makes it", 2],
    ["broken.js", "throw new Error('out of order')", 'Cannot import "broken.js": out of order', 1],
  ])("says why %s is no configuration", async (path, content, message, expected) => {
    if (content !== undefined) project.write(path, content)
    const { code, out, err } = await project.run(["doctor", path])
    expect({ code, out }).toEqual({ code: expected, out: "" })
    expect(err).toContain(message)
  })
})
