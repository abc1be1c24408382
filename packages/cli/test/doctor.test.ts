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
  it("is content with a configuration that is whole, and names the callback address", async () => {
    const path = module("well.js", `{ secret: process.env.AUTH_SECRET, providers: [${github}] }`)
    const { code, out, err } = await project.run(["doctor", path], { env: { AUTH_SECRET: secret } })
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toBe(`well.js, mode development, environment from the process and no .env file.
Sessions: jwt. Base path: /auth. Providers: acme (oauth).

Callback addresses to register
  acme: http://localhost:3000/auth/callback/acme

No problems found.
`)
    const elsewhere = await project.run(["doctor", path, "--origin", "https://app.test/"], {
      env: { AUTH_SECRET: secret },
    })
    expect(elsewhere.out).toContain("  acme: https://app.test/auth/callback/acme\n")
  })

  it("says of each finding what was expected, what came, what to do and where more is written", async () => {
    const path = module(
      "wrong.js",
      `{ providers: [{ ...${github}, clientId: undefined }], session: { maxAge: 86400000 } }`,
    )
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(1)
    expect(out).toContain(`  ✗ session.maxAge: expected at most 400 days, received 1000 days.
    It is a number of seconds: write 86400.
    https://github.com/latchkey-auth/latchkey/blob/main/docs/reference/options.md
`)
    expect(out).toMatch(/^3 errors, 0 warnings\.$/m)
    const coloured = await project.run(["doctor", path], { isColoured: true })
    expect(coloured.out).toContain("\u001b[31m✗\u001b[39m")
  })

  it.each(["mYOLRBsAQNED_JJlTUpA-QSa7QL0AkmfesUe-jMSjRc", "Yourq9zKf3mWcZ1pT5vRb7LhS2nXa8Jd0GeUoYi4tBw", "my-portal"])(
    "takes a secret that happens to begin like an example for a secret: %s",
    async (clientSecret) => {
      const path = module("random.js", `{ providers: [${github}] }`)
      const env = { AUTH_SECRET: secret, AUTH_ACME_SECRET: clientSecret }
      expect((await project.run(["doctor", path], { env })).out).toContain("No problems found.")
    },
  )

  it("fails for warnings where that is asked", async () => {
    const path = module("strict.js", `{ secret: "${secret}", providers: [${github}] }`)
    expect(await project.run(["doctor", path])).toMatchObject({
      code: 0,
      out: expect.stringContaining("No errors, 1 warning."),
    })
    expect((await project.run(["doctor", path, "--strict"])).code).toBe(1)
  })

  it("names the operations that are needed and missing [spec errors 3]", async () => {
    const adapter = operations(...signIn, ...sessions.slice(1), "transaction")
    const path = module("missing.js", `{ secret: "${secret}", providers: [${github}], adapter: ${adapter} }`)
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(1)
    expect(out.replaceAll("\n    ", " ")).toContain(
      "Adapter: expected createSession for database sessions, received an adapter without them.",
    )
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
    expect(out).not.toContain("Adapter: expected")
    expect(out.replaceAll("\n    ", " ")).toContain("one that a crash interrupts is completed at the next sign-in")
  })

  it("says what a crash does where the adapter has no transaction", async () => {
    const adapter = operations(...signIn, ...sessions)
    const path = module("crash.js", `{ secret: "${secret}", providers: [${github}], adapter: ${adapter} }`)
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(0)
    const text = out.replaceAll("\n    ", " ")
    expect(text).toContain("Better with transaction or createUserWithAccount. Without: A first sign-in writes")
    expect(text).toContain("Better with deleteUser. Without: ")
    expect(text).not.toContain("is completed at the next sign-in")
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
    expect(before.out).toContain("received tables, keys, definitions")
    expect(before.out).toContain('  ✗ Database: there is no table "users".')
    await project.run(["migrate", "doctor.db"])
    const after = await project.run(["doctor", path])
    expect(after.code).toBe(0)
    expect(after.out).not.toContain("Database:")
    const json = await project.run(["doctor", path, "--json"])
    expect(JSON.parse(json.out).findings.map(({ code }: { code: string }) => code)).toEqual(["secret-in-code"])
  })

  it("raises no alarm over tables that the adapter is going to make itself", async () => {
    const path = project.write(
      "automatic.js",
      `import { sqlAdapter } from "@latchkey/sql-adapter"
export const authConfig = { providers: [${github}], adapter: sqlAdapter({ filename: new URL("./automatic.db", import.meta.url).pathname }) }\n`,
    )
    const { code, out } = await project.run(["doctor", path, "--json"], { env: { AUTH_SECRET: secret } })
    const { findings, notes } = JSON.parse(out)
    expect({ code, findings }).toEqual({ code: 0, findings: [] })
    expect(notes).toContainEqual(
      expect.stringContaining("brings the tables up to date at its first use, in these steps: tables, keys,"),
    )
  })

  it("counts a database that is out of reach among the problems", async () => {
    const adapter = `{ check() { throw new Error("connect ECONNREFUSED") } }`
    const path = module(
      "away.js",
      `{ secret: "${secret}", providers: [${github}], session: { strategy: "jwt" }, adapter: ${adapter} }`,
    )
    const { code, out } = await project.run(["doctor", path])
    expect(code).toBe(1)
    expect(out).toContain("Database: connect ECONNREFUSED")
  })

  it("reads the environment, and a file of it", async () => {
    const path = module("env.js", `{ providers: [${github}] }`)
    expect((await project.run(["doctor", path])).code).toBe(1)
    expect((await project.run(["doctor", path], { env: { AUTH_SECRET: secret } })).code).toBe(0)
    project.write("named.env", `AUTH_SECRET=${secret}\n`)
    expect(await project.run(["doctor", path, "--env-file", "named.env"])).toMatchObject({ code: 0, err: "" })
    project.write(".env.production.local", `AUTH_SECRET=${secret}\nAUTH_URL=https://app.test\n`)
    const outcome = await project.run(["doctor", path, "--mode", "production"])
    expect(outcome).toMatchObject({ code: 0, out: expect.stringContaining("https://app.test/auth/callback/acme") })
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

  it.each([
    ["postgresql://ada:hunter2@db.test/app", "postgresql://…@db.test/app"],
    ["postgresql://ada:p@hunter2/x@db.test/app", "postgresql://…@db.test/app"],
    ["https://hunter2@db.test", "https://…@db.test"],
    ["host=db.test password=hunter2 dbname=app", "host=db.test password=… dbname=app"],
    ["Server=db;Pwd='hunter2'", "Server=db;Pwd=…"],
    ["postgres://ada:my hunter2@db.test/app", "postgres://…@db.test/app"],
    ["http://db.test:8080 of ada@db.test", "http://db.test:8080 of ada@db.test"],
    ["libsql://db.test?authToken=hunter2&tls=1", "libsql://db.test?authToken=…&tls=1"],
    ["postgres://db.test/app?password=hunter2", "postgres://db.test/app?password=…"],
    ["PGHOST=db.test PGPASSWORD=hunter2", "PGHOST=db.test PGPASSWORD=…"],
    ['{"host":"db.test","password":"a\\"hunter2"}', '{"host":"db.test","password":…}'],
    ["{ host: 'db.test', password: 'hunter2' }", "{ host: 'db.test', password: … }"],
    ["db.test with password: none", "db.test with password: none"],
  ])("shows no password where a configuration throws %s", { tags: ["threat:A-012"] }, async (thrown, shown) => {
    const name = `throws-${Math.random()}.mjs`
    project.write(name, `throw new Error(${JSON.stringify(`Cannot reach ${thrown}`)})`)
    const { code, err } = await project.run(["doctor", name])
    expect(code).toBe(1)
    expect(err).toBe(`Cannot import "${name}": Cannot reach ${shown}\n`)
  })

  it("prints JSON", async () => {
    const path = module("json.js", `{ secret: "${secret}", providers: [${github}], adapter: {} }`)
    const { code, out } = await project.run(["doctor", path, "--json"])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      strategy: "database",
      callbacks: [{ provider: "acme", url: "http://localhost:3000/auth/callback/acme" }],
      findings: expect.arrayContaining([
        {
          level: "error",
          code: "adapter-operations",
          message: expect.stringContaining("createUser"),
          remedy: expect.stringContaining("adapter"),
          page: "docs/guides/write-an-adapter.md",
        },
      ]),
    })
  })

  it("looks over the service that a module made, with the environment it was made with", async () => {
    const made = (env: string): string =>
      `import { createAuth } from "@latchkey/core"
       export const auth = createAuth({ providers: [${github}], adapter: {} }, { env: ${env} })`
    const path = project.write("service.js", made(`{ AUTH_SECRET: "${secret}" }`))
    const { code, out } = await project.run(["doctor", path])
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/expected getUserByAccount, getUserByEmail,\s+createUser, linkAccount\s+for/),
    })
    expect(out).not.toContain("MissingSecret")
    const bare = await project.run(["doctor", project.write("bare.js", made("{}"))], { env: { AUTH_SECRET: secret } })
    expect(bare.out).toContain(`✗ "secret": expected a random string`)
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

describe("latchkey doctor --online", () => {
  const issuer = "https://id.acme.test"
  const wellKnown = `${issuer}/.well-known/openid-configuration`
  const now = (): string => new Date().toUTCString()

  /** Answers by address; the others do not answer. */
  function network(answers: Readonly<Record<string, () => Response>>): typeof fetch {
    return async (input) => {
      const answer = answers[String(input)]
      if (!answer)
        throw new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) })
      return answer()
    }
  }

  const discovery =
    (document: object, date = now()) =>
    (): Response =>
      Response.json(document, { headers: { date } })
  const keys = { [`${issuer}/jwks`]: (): Response => Response.json({ keys: [{ kty: "RSA" }] }) }
  const whole = { issuer, jwks_uri: `${issuer}/jwks` }

  async function examine(
    answers: Readonly<Record<string, () => Response>>,
  ): Promise<{ code: string; message: string }[]> {
    const provider = `{ id: "acme", name: "Acme", type: "oidc", issuer: "${issuer}", clientId: "c1", clientSecret: "s1" }`
    const path = module("online.js", `{ providers: [${provider}] }`)
    const { out } = await project.run(["doctor", path, "--online", "--json"], {
      env: { AUTH_SECRET: secret },
      fetch: network(answers),
    })
    return JSON.parse(out).findings
  }

  it("is content with a provider that answers", async () => {
    expect(await examine({ [wellKnown]: discovery(whole), ...keys })).toEqual([])
  })

  it.each<[string, Readonly<Record<string, () => Response>>, string, string]>([
    ["a provider that is away", {}, "discovery-unreachable", "received nothing answers there"],
    ["a wrong path", { [wellKnown]: () => new Response("", { status: 404 }) }, "discovery-unreachable", "status 404"],
    [
      "a page in place of JSON",
      { [wellKnown]: () => new Response("<html>") },
      "discovery-unreachable",
      "something other than a JSON object",
    ],
    [
      "another issuer",
      { [wellKnown]: discovery({ ...whole, issuer: `${issuer}/` }), ...keys },
      "issuer-differs",
      `received ${issuer}/.`,
    ],
    [
      "no keys",
      { [wellKnown]: discovery(whole), [`${issuer}/jwks`]: () => Response.json({ keys: [] }) },
      "keys-empty",
      "received none",
    ],
    ["keys out of reach", { [wellKnown]: discovery(whole) }, "keys-unreachable", "received nothing answers there"],
    ["no address of keys", { [wellKnown]: discovery({ issuer }) }, "discovery-keys", "expected jwks_uri"],
    [
      "a clock two hours fast",
      { [wellKnown]: discovery(whole, new Date(Date.now() - 7_200_000).toUTCString()), ...keys },
      "clock",
      "s ahead of it",
    ],
  ])("finds %s", async (_name, answers, code, message) => {
    const found = await examine(answers)
    expect(found.map((finding) => finding.code)).toEqual([code])
    expect(found[0]?.message).toContain(message)
  })
})
