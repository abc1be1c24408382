/** `latchkey sessions end`. */
import { fileURLToPath } from "node:url"
import { createAuth } from "@latchkey/core"
import { managedSessions } from "@latchkey/core/sessions"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { signInAs } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { bundle } from "../../sql-adapter/test/support/bundle.js"
import { useProject } from "./support/project.js"

const project = useProject()
const source = (path: string): string => fileURLToPath(new URL(`../../core/src/${path}`, import.meta.url))
const place = "Environment: development (no .env file).\nDatabase: the environment names none.\n"
const env = { AUTH_SECRET: "a secret of the tests that is long enough" }

describe("latchkey sessions end", () => {
  it("signs a person out everywhere, named by id or by address, and nobody else", async () => {
    const filename = project.path("people.db")
    const adapter = sqlAdapter({ filename })
    const inAnHour = new Date(Date.now() + 3_600_000)
    const begin = async (email: string, token: string): Promise<string> => {
      const { id } = await adapter.createUser({ id: "", email, emailVerified: null })
      await adapter.createSession({ userId: id, sessionToken: token, expires: inAnHour })
      return id
    }
    const ada = await begin("ada@app.test", "of-ada")
    await begin("grace@app.test", "of-grace")
    await begin("eve@app.test", "of-eve")
    project.write(
      "auth.mjs",
      `import { sqlAdapter } from "@latchkey/sql-adapter"
export const config = { providers: [], adapter: sqlAdapter({ filename: ${JSON.stringify(filename)} }) }\n`,
    )
    const isIn = async (token: string): Promise<boolean> => (await adapter.getSessionAndUser(token)) !== null
    const byId = await project.run(["sessions", "end", ada, "--config", "auth.mjs"], { env })
    expect(byId).toEqual({ code: 0, out: "Ended all sessions of the user.\n", err: place })
    const byAddress = await project.run(["sessions", "end", "grace@app.test", "--json"], { env })
    expect({ ...byAddress, out: JSON.parse(byAddress.out) }).toEqual({
      code: 0,
      out: { user: "grace@app.test", ended: null },
      err: place,
    })
    expect([await isIn("of-ada"), await isIn("of-grace"), await isIn("of-eve")]).toEqual([false, false, true])
    const unknown = await project.run(["sessions", "end", "nobody@app.test"], { env })
    expect(unknown).toEqual({ code: 1, out: "", err: `${place}There is no user with that address.\n` })
    const mistyped = await project.run(["sessions", "end", `${ada}0`], { env })
    expect(mistyped).toEqual({
      code: 1,
      out: "",
      err: `${place}There is no user with that id.\n`,
    })
    await adapter.close()
  })

  it("ends no sessions of another person whom the database takes for the one that was named", async () => {
    project.write(
      "folding.mjs",
      `const jose = { id: "1", email: "jose@app.test", emailVerified: null }
const adapter = {
  getUserByEmail: (email) => (email.normalize("NFD").replace(/[\\u0300-\\u036f]/g, "").toLowerCase() === jose.email ? jose : null),
  deleteSessionsByUserId() {},
}
export const config = { providers: [], adapter, session: { strategy: "database" } }\n`,
    )
    const end = (user: string) => project.run(["sessions", "end", user, "--config", "folding.mjs"], { env })
    expect(await end("Jos\u00e9@app.test")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("another user"),
    })
    expect(await end("Jose@app.test")).toMatchObject({ code: 0, err: place })
  })

  it("says which environment and database it works in, without passwords, and asks where somebody can answer", async () => {
    project.write(
      "asked.mjs",
      `export const ended = (globalThis.endedInTest = [])
const adapter = { getUser: (id) => ({ id }), deleteSessionsByUserId: (id) => void ended.push(id) }
export const config = { providers: [], adapter, session: { strategy: "database" } }\n`,
    )
    project.write(
      "production.env",
      "DATABASE_URL=postgres://me:hunter2@db.test:5432/app?password=hunter2\nREDIS=rediss://:hunter2@cache.test\n",
    )
    const where = ["--config", "asked.mjs", "--mode", "production", "--env-file", "production.env"]
    const end = (user: string, ...rest: string[]) => ["sessions", "end", user, ...where, ...rest]
    const said = `Environment: production (production.env).
Database: DATABASE_URL names postgres://db.test:5432/app; REDIS names rediss://cache.test.\n`
    const refused = await project.run(end("a"), { env, answers: ["n"] })
    expect(refused).toEqual({ code: 1, out: "", err: `${said}Go on? (y/N) Nothing was changed.\n` })
    expect(await project.run(end("b"), { env, answers: ["y"] })).toMatchObject({
      code: 0,
      err: `${said}Go on? (y/N) `,
    })
    expect(await project.run(end("c", "--yes"), { env, answers: ["n"] })).toMatchObject({ code: 0, err: said })
    expect(await project.run(end("d", "--json"), { env, answers: ["n"] })).toMatchObject({ code: 0, err: said })
    expect(await project.run(end("e"), { env })).toMatchObject({ code: 0, err: said })
    expect((globalThis as { endedInTest?: string[] }).endedInTest).toEqual(["b", "c", "d", "e"])
  })

  it("ends sessions in cookies as well, by the feature and the core that the application imports", async () => {
    const entry = project.write(
      "node_modules/@latchkey/core/entry.ts",
      `export * from ${JSON.stringify(source("index.ts"))}\nexport * from ${JSON.stringify(source("sessions.ts"))}\n`,
    )
    await bundle(entry, project.path("node_modules/@latchkey/core/dist/whole.js"))
    const exports = { ".": "./dist/whole.js", "./sessions": "./dist/whole.js" }
    project.write(
      "node_modules/@latchkey/core/package.json",
      JSON.stringify({ name: "@latchkey/core", type: "module", exports }),
    )
    const filename = project.path("sealed.db")
    const adapter = sqlAdapter({ filename })
    project.write(
      "managed.mjs",
      `import { managedSessions } from "@latchkey/core/sessions"
import { sqlAdapter } from "@latchkey/sql-adapter"
const adapter = sqlAdapter({ filename: ${JSON.stringify(filename)} })
export const config = { providers: [], adapter, session: { strategy: "jwt" }, features: [managedSessions()] }\n`,
    )
    const auth = createAuth(
      { providers: [], adapter, session: { strategy: "jwt" }, features: [managedSessions()], trustHost: true },
      { env },
    )
    const { headers } = await signInAs(auth, { email: "ada@app.test" })
    const read = async (): Promise<unknown> =>
      (await auth.session({ url: "http://localhost:3000/", headers: new Headers(headers) })).session
    expect(await read()).toMatchObject({ user: { email: "ada@app.test" } })
    const outcome = await project.run(["sessions", "end", "ada@app.test", "--config", "managed.mjs"], { env })
    expect(outcome).toEqual({ code: 0, out: "Ended 1 session of the user.\n", err: place })
    expect(await read()).toBeNull()
    const mistyped = await project.run(["sessions", "end", "of-nobody", "--config", "managed.mjs"], { env })
    expect(mistyped).toMatchObject({ code: 1, out: "" })
    await adapter.close()
  })

  it("says what sessions in cookies need", async () => {
    project.write("sealed.mjs", "export const config = { providers: [] }\n")
    const { code, err } = await project.run(["sessions", "end", "1", "--config", "sealed.mjs"], { env })
    expect(code).toBe(1)
    expect(err).toContain("features: [managedSessions()], from @latchkey/core/sessions.")
  })

  it.each([
    [["end"], "Which user?"],
    [["list"], 'Expected "sessions end USER", received "list".'],
  ])("refuses %j", async (args, message) => {
    const { code, err } = await project.run(["sessions", ...args], { env })
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
