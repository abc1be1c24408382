/** `latchkey cleanup`. */
import { existsSync } from "node:fs"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe, expect, it } from "vitest"
import { useProject } from "./support/project.js"

const project = useProject()

/** A file with expired rows and one session that goes on. */
async function fill(name: string, expired: number): Promise<void> {
  const adapter = sqlAdapter({ filename: project.path(name) })
  const user = await adapter.createUser({ id: "ada", email: "ada@example.test", emailVerified: null })
  await adapter.transaction(async (within) => {
    for (let count = 0; count < expired; count += 1) {
      await within.createSession?.({ sessionToken: `old-${count}`, userId: user.id, expires: new Date(1_000_000) })
    }
    await within.createSession?.({ sessionToken: "alive", userId: user.id, expires: new Date(Date.UTC(2100, 0)) })
    await within.createVerificationToken?.({ identifier: "a@b.test", token: "t", expires: new Date(1_000_000) })
    const record = { kind: "sample", key: "one", userId: null, value: "sealed", version: 7 }
    await within.putRecord?.({ ...record, expires: new Date(1_000_000) }, { expected: 0, now: new Date(0) })
  })
  await adapter.close()
}

describe("latchkey cleanup", () => {
  it("removes what has expired from a file, and then nothing", async () => {
    await fill("app.db", 500)
    expect(await project.run(["cleanup", "app.db"])).toEqual({
      code: 0,
      out: "Removed 500 expired sessions, 1 expired links and 1 expired records.\n",
      err: "",
    })
    expect((await project.run(["cleanup"], { env: { DATABASE_URL: "file:app.db" } })).out).toContain(
      "Removed 0 expired sessions",
    )
    const adapter = sqlAdapter({ filename: project.path("app.db") })
    expect(await adapter.getSessionAndUser("alive")).not.toBeNull()
    await adapter.close()
  })

  it("uses the adapter of a configuration", async () => {
    project.write(
      "auth.js",
      `export const config = { providers: [], adapter: {
        deleteExpired: async (now, { onProgress }) => {
          onProgress({ sessions: 1, verificationTokens: 0 })
          return { sessions: now > new Date(0) ? 7 : 0, verificationTokens: 3 }
        },
      } }`,
    )
    expect(await project.run(["cleanup", "--config", "auth.js"])).toMatchObject({
      code: 0,
      out: "Removed 7 expired sessions and 3 expired links.\n",
    })
  })

  it("loads a configuration with the .env files of the application", async () => {
    project.write(
      "with-env.mjs",
      `export const config = { providers: [], adapter: {
        deleteExpired: async () => ({ sessions: Number(process.env.COUNTED ?? 0), verificationTokens: 0 }),
      } }`,
    )
    project.write(".env", "COUNTED=3\n")
    project.write(".env.production", "COUNTED=4\n")
    project.write(".env.own", "COUNTED=5\n")
    const removed = async (...args: string[]): Promise<string> =>
      (await project.run(["cleanup", "--config", "with-env.mjs", ...args])).out
    expect(await removed()).toContain("Removed 3 ")
    expect(await removed("--mode", "production")).toContain("Removed 4 ")
    expect(await removed("--env-file", ".env.own")).toContain("Removed 5 ")
    for (const name of [".env", ".env.production"]) project.write(name, "")
  })

  it.each(["cleanup", "migrate"])(
    "%s does not take a URL in quotes for a file, and shows no password",
    async (command) => {
      for (const url of ['"postgresql://ada:hunter2@db.test/app"', " mysql://ada:hunter2@db.test/app"]) {
        const { code, out, err } = await project.run([command], { env: { DATABASE_URL: url } })
        expect({ code, out }).toEqual({ code: 2, out: "" })
        expect(err).toContain("in front of it")
        expect(err).not.toContain("hunter2")
      }
    },
  )

  it.each([[["cleanup"]], [["migrate"]], [["migrate", "--print"]], [["doctor", "auth.js", "--test-store"]]])(
    "%j does not take keywords and values for a file, and shows no password",
    async (args) => {
      for (const text of ["host=localhost password=hunter2 dbname=app", "'Server=db.test;Database=app;Pwd=hunter2'"]) {
        const isNamed = args.includes("--test-store")
        const env = isNamed ? {} : { DATABASE_URL: text }
        const { code, out, err } = await project.run(isNamed ? [...args, text] : args, { env })
        expect({ code, out }).toEqual({ code: 2, out: "" })
        expect(err).toMatch(/received keywords with values \("(?:host|Server)=\.\.\."\).*postgresql:/)
        expect(err).not.toContain("hunter2")
      }
    },
  )

  it.each([
    [["cleanup"], "Which database?"],
    [["cleanup", "none.db"], 'There is no file "none.db".'],
    [["cleanup", "file:none.db"], 'There is no file "file:none.db".'],
    [["cleanup", "sqlite:none.db"], 'There is no file "sqlite:none.db".'],
    [["cleanup", "app.db", "--config", "auth.js"], "not both"],
    [["cleanup", "--config", "bare.js"], 'without the operation "deleteExpired"'],
    [["cleanup", "--config", "empty.js"], "no adapter"],
  ])("refuses %j", async (args, message) => {
    project.write("bare.js", "export const config = { providers: [], adapter: {} }")
    project.write("empty.js", "export const config = { providers: [] }")
    const { code, out, err } = await project.run(args)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(message)
    expect(existsSync(project.path("none.db"))).toBe(false)
  })
})
