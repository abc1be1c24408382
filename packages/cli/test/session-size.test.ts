/** What `latchkey doctor` says of the size of sessions, and what it leaves alone while it finds out. */
import { describe, expect, it } from "vitest"
import { useProject } from "./support/project.js"

const project = useProject()
const env = { AUTH_SECRET: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }
const acme = `{ id: "acme", name: "Acme", type: "oidc", issuer: "https://id.acme.test", clientId: "c1", clientSecret: "s1" }`
const everything = "callbacks: { jwt: ({ token, account }) => ({ ...token, account }) }"

interface Report {
  readonly code: number
  readonly codes: readonly string[]
  readonly notes: readonly string[]
}

let modules = 0

async function reportOn(config: string, args: readonly string[] = []): Promise<Report> {
  // A module is loaded once.
  const name = `auth-${++modules}.mjs`
  project.write(name, config)
  const { code, out } = await project.run(["doctor", name, "--json", ...args], { env })
  const { findings, notes } = JSON.parse(out)
  return { code, notes, codes: findings.map((finding: { code: string }) => finding.code) }
}

describe("latchkey doctor, of the size of sessions", () => {
  it("measures the session of a service as well as that of a configuration", async () => {
    const configuration = `export const config = { providers: [${acme}], ${everything} }\n`
    const made = `import { createAuth } from "@latchkey/core"
export const auth = createAuth({ providers: [${acme}], ${everything} }, { env: ${JSON.stringify(env)} })\n`
    for (const config of [configuration, made]) {
      expect(await reportOn(config)).toMatchObject({ code: 0, codes: ["session-split"] })
    }
  })

  it("has nothing to say of sessions in the database", async () => {
    const members = ["getUser", "createUser", "getUserByEmail", "getUserByAccount", "linkAccount", "createSession"]
    const sessions = ["getSessionAndUser", "updateSession", "deleteSession", "transaction"]
    const adapter = `{ ${[...members, ...sessions].map((name) => `${name}() {}`).join(", ")} }`
    const report = await reportOn(
      `export const config = { providers: [${acme}], adapter: ${adapter}, ${everything} }\n`,
    )
    expect(report.codes).toEqual([])
    expect(report.notes.join()).not.toContain("session cookie")
  })

  it("calls no callback of an application in production, and says so", async () => {
    const jwt = `jwt() { throw new Error("called") }`
    const { codes, notes } = await reportOn(
      `export const config = { trustHost: true, providers: [${acme}], callbacks: { ${jwt} } }\n`,
      ["--mode", "production"],
    )
    expect(codes).toEqual([])
    expect(notes).toContain(
      "The size of the session cookie is not known: the jwt callback is not called with --mode production.",
    )
  })

  it("says why a size is not known where the callback fails for somebody who does not exist", async () => {
    const jwt = `jwt: ({ user, token }) => ({ ...token, role: new Map().get(user.id).role })`
    const { code, codes, notes } = await reportOn(
      `export const config = { providers: [${acme}], callbacks: { ${jwt} } }\n`,
    )
    expect({ code, codes }).toEqual({ code: 0, codes: [] })
    expect(notes.join("\n")).toMatch(/The size of the session cookie is not known: The jwt callback failed: .*role/)
  })

  it.each([
    [
      "says that an encode drops a claim where somebody may come as the owner of an address",
      "{ sub: token.sub }",
      ["claim-dropped"],
    ],
    ["has nothing to say of one that keeps all", "token", []],
  ])("%s", async (_, kept, expected) => {
    const linking = acme.replace("{", "{ allowDangerousEmailAccountLinking: true, emailVerified: () => true,")
    const { codes } =
      await reportOn(`const members = ["getUser", "createUser", "getUserByEmail", "getUserByAccount", "linkAccount", "updateUser", "deleteUser"]
export const config = {
  providers: [${linking}],
  session: { strategy: "jwt" },
  adapter: Object.fromEntries(members.map((name) => [name, () => { throw new Error(name + " was called") }])),
  jwt: { encode: ({ token }) => JSON.stringify(${kept}), decode: ({ token }) => JSON.parse(token) },
}\n`)
    expect(codes).toEqual(expected)
  })

  it("neither stores nor announces the person it makes up", async () => {
    const { codes } = await reportOn(`const never = (name) => () => { throw new Error(name + " was called") }
export const config = {
  providers: [${acme}],
  session: { strategy: "jwt" },
  adapter: { getUser: never("getUser"), createUser: never("createUser"), getUserByEmail: never("getUserByEmail"),
    getUserByAccount: never("getUserByAccount"), linkAccount: never("linkAccount"), deleteUser: never("deleteUser") },
  events: { signIn: never("signIn"), createUser: never("createUser"), session: never("session") },
  ${everything},
}\n`)
    expect(codes).toEqual(["session-split"])
  })
})
