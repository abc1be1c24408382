/** `latchkey reseal` and `latchkey unlock`, on a SQLite file that an application writes to. */
import { createAuth, skipCSRFCheck } from "@latchkey/core"
import { managedSessions } from "@latchkey/core/sessions"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe, expect, it } from "vitest"
import { passwordProvider, plainSettings } from "../../core/test/support/password-service.js"
import { useProject } from "./support/project.js"

const project = useProject()
const [old, fresh] = ["the old secret of the tests is long", "the new secret of the tests is long"]
const place = "Environment: production (no .env file).\nDatabase: the environment names none.\n"
const browser = { accept: "text/html" }

/** The application on a file, with these secrets. */
function applicationOn(filename: string, secret: string[], accountField = ["username"]) {
  const adapter = sqlAdapter({ filename })
  const auth = createAuth(
    {
      ...plainSettings,
      skipCSRFCheck,
      providers: [{ ...passwordProvider(), accountField } as never],
      adapter,
      secret,
      features: [managedSessions()],
    },
    { env: { NODE_ENV: "production" } },
  )
  const signIn = async (username: string, password: string) => {
    const body = new URLSearchParams({ username, password })
    const request = new Request("https://app.test/auth/callback/password", { method: "POST", body, headers: browser })
    const response = await auth.handle(request)
    const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "")
    return { status: response.status, cookie: cookies.find((pair) => pair.includes("session-token=")) ?? "" }
  }
  const isIn = async (cookie: string): Promise<boolean> =>
    (await auth.session({ url: "https://app.test", headers: { cookie } })).session !== null
  return { adapter, signIn, isIn }
}

/** Modules are loaded once for each name. */
function writeConfig(name: string, filename: string): void {
  project.write(
    name,
    `import { sqlAdapter } from "@latchkey/sql-adapter"
export const config = {
  providers: [],
  session: { strategy: "jwt" },
  adapter: sqlAdapter({ filename: ${JSON.stringify(filename)} }),
}\n`,
  )
}

describe("latchkey reseal", () => {
  it("seals with the newest secret what only an earlier one opens, so that sessions outlive it", async () => {
    const filename = project.path("sealed.db")
    const before = applicationOn(filename, [old])
    const cookies = await Promise.all(["1", "2", "3"].map(async (name) => (await before.signIn(name, "right")).cookie))
    await before.adapter.close()
    writeConfig("auth.mjs", filename)
    const reseal = (env: Record<string, string>, ...options: string[]) =>
      project.run(["reseal", "--config", "auth.mjs", ...options], { env: { ...env, NODE_ENV: "production" } })
    const counts = async (env: Record<string, string>, ...options: string[]) => {
      const { code, out } = await reseal(env, "--json", ...options)
      return [code, JSON.parse(out)]
    }
    const both = { AUTH_SECRET: old, AUTH_SECRET_1: fresh }
    const doctor = await project.run(["doctor", "auth.mjs"], { env: both })
    expect(doctor.out).toContain("3 records are opened by an earlier secret alone")
    expect(await counts(both, "--dry-run")).toEqual([0, { current: 0, earlier: 3, unopened: 0 }])
    expect(await reseal(both)).toEqual({
      code: 0,
      out: "3 records sealed anew, 0 had the newest secret, 0 opened with none of the secrets.\n",
      err: place,
    })
    expect(await counts(both)).toEqual([0, { current: 3, earlier: 0, unopened: 0 }])
    expect(await counts({ AUTH_SECRET: fresh })).toEqual([0, { current: 3, earlier: 0, unopened: 0 }])
    expect(await counts({ AUTH_SECRET: old })).toEqual([1, { current: 0, earlier: 0, unopened: 3 }])
    expect(await Promise.all(cookies.map(applicationOn(filename, [fresh, old]).isIn))).toEqual([true, true, true])
  })

  it("asks before it seals, and not before it counts", async () => {
    const filename = project.path("asked.db")
    const before = applicationOn(filename, [old])
    await before.signIn("1", "right")
    await before.adapter.close()
    writeConfig("asked.mjs", filename)
    const env = { AUTH_SECRET: old, AUTH_SECRET_1: fresh, NODE_ENV: "production" }
    const reseal = (...options: string[]) =>
      project.run(["reseal", "--config", "asked.mjs", ...options], { env, answers: ["no"] })
    expect(await reseal()).toEqual({ code: 1, out: "", err: `${place}Go on? (y/N) Nothing was changed.\n` })
    expect(await reseal("--dry-run")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1 records are/),
      err: place,
    })
    expect(await reseal("--dry-run", "--quiet")).toMatchObject({ code: 0, err: "" })
    expect(await reseal("--yes")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1 records sealed/),
      err: place,
    })
  })

  it("says that there are no records", async () => {
    project.write("bare.mjs", "export const config = { providers: [] }\n")
    const { code, err } = await project.run(["reseal", "--config", "bare.mjs"], { env: { AUTH_SECRET: old } })
    expect([code, err]).toEqual([1, "The configuration keeps no records: there is nothing to seal.\n"])
  })
})

describe("latchkey unlock", () => {
  const env = { AUTH_SECRET: old, NODE_ENV: "production" }

  it("lets a person try again at once who has to wait, and nobody else", async () => {
    const filename = project.path("tries.db")
    const { adapter, signIn } = applicationOn(filename, [old])
    for (const name of ["ada", "grace"]) {
      for (let index = 0; index < 10; index += 1) await signIn(name, "wrong")
      expect((await signIn(name, "right")).status).toBe(429)
    }
    writeConfig("tries.mjs", filename)
    expect(await project.run(["unlock", " ADA", "--config", "tries.mjs"], { env })).toEqual({
      code: 0,
      out: "The counted tries were removed. The person may try again at once.\n",
      err: place,
    })
    const asked = await project.run(["unlock", "ada", "--config", "tries.mjs", "--json"], { env })
    expect([asked.code, JSON.parse(asked.out)]).toEqual([0, { unlocked: "ada" }])
    expect(await signIn("ada", "right")).toMatchObject({ status: 302, cookie: expect.stringContaining("=ey") })
    expect((await signIn("grace", "right")).status).toBe(429)
    await adapter.close()
  })

  it("asks before it lets a person try again", async () => {
    writeConfig("unasked.mjs", project.path("unasked.db"))
    const unlock = (...options: string[]) =>
      project.run(["unlock", "ada", "--config", "unasked.mjs", ...options], { env, answers: [""] })
    expect(await unlock()).toEqual({ code: 1, out: "", err: `${place}Go on? (y/N) Nothing was changed.\n` })
    expect(await unlock("--yes")).toMatchObject({ code: 0, err: place })
  })

  it("takes what stands in each field where several say who it is", async () => {
    const filename = project.path("tenants.db")
    const { adapter, signIn } = applicationOn(filename, [old], ["tenant", "username"])
    for (let index = 0; index < 11; index += 1) await signIn("ada", "wrong")
    writeConfig("tenants.mjs", filename)
    const unlock = (...who: string[]) => project.run(["unlock", ...who, "--config", "tenants.mjs", "--json"], { env })
    await unlock("ada")
    expect((await signIn("ada", "right")).status).toBe(429)
    expect(JSON.parse((await unlock("", "ada")).out)).toEqual({ unlocked: ["", "ada"] })
    expect((await signIn("ada", "right")).status).toBe(302)
    await adapter.close()
  })

  it.each([
    [["unlock"], 2, "Who?"],
    [["unlock", " ", ""], 2, "Who?"],
    [["unlock", "ada", "--config", "off.mjs"], 1, "Nothing is limited"],
    [["unlock", "ada", "--config", "memory.mjs"], 1, "in the memory of each process"],
  ])("refuses %j", async (args, code, message) => {
    project.write("off.mjs", "export const config = { providers: [], limits: false }\n")
    project.write("memory.mjs", "export const config = { providers: [] }\n")
    const answer = await project.run(args, { env })
    expect(answer.code).toBe(code)
    expect(answer.err).toContain(message)
  })
})
