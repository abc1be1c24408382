/** What an application in development logs at its start of the mistakes that `latchkey doctor` finds. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Adapter, type AuthConfig, createAuth } from "@latchkey/core"
import type { StartedConfiguration } from "@latchkey/core/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import { checkAtStart } from "../src/at-start.js"
import { findingsAtStart } from "../src/doctor/at-start.js"
import type { Finding } from "../src/doctor/finding.js"
import { readEnvFiles } from "../src/env-files.js"
import { projectAround, readerOf } from "../src/project.js"
import { systemFiles } from "../src/system-world.js"
import { goodEnv, type Mistake, mistakes, right, writeProject } from "./support/mistakes.js"
import { useProject } from "./support/project.js"

const folders: string[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Start {
  readonly findings: readonly Finding[]
  /** Codes of what the core logs itself. */
  readonly logged: readonly string[]
}

/** Starts the configuration as a framework in development does: with the variables of its `.env` files. */
async function start(mistake: Partial<Mistake>): Promise<Start> {
  const { folder, env: own } = writeProject(mistake)
  folders.push(folder)
  const world = { cwd: folder, files: systemFiles }
  const framework = readerOf(projectAround({ ...world, env: own }))
  const { env } = readEnvFiles({ mode: "development", framework }, { ...world, env: own })
  const { config } = (await import(pathToFileURL(join(folder, "auth.js")).href)) as { config: AuthConfig }
  const logged: string[] = []
  const logger = {
    error: (error: Error & { type?: string }) => void logged.push(error.type ?? error.name),
    warn: (code: string) => void logged.push(code),
  }
  const auth = createAuth({ ...config, logger }, { env })
  return { findings: findingsAtStart({ auth, written: config, env }, world), logged }
}

/** What the core finds when it reads a configuration: it logs these itself. */
const ofTheCore = [
  "InvalidConfiguration",
  "MissingSecret",
  "MissingAdapter",
  "MissingAuthorize",
  "ExperimentalFeatureNotEnabled",
  "env-url-basepath-mismatch",
  "env-url-basepath-redundant",
  "unknown-option",
  "page-leads-to-itself",
  "secret-too-short",
  "skip-csrf-check-ignored",
  "nothing-checked",
  "person-unknown",
  "secure-cookies-mismatch",
]
/** What is found by asking a store or calling the `jwt` callback. */
const ofTrying = [
  "session-split",
  "session-too-large",
  "claim-dropped",
  "database",
  "database-pending",
  "store-settings",
]

const inDevelopment = mistakes.filter(({ args }) => args === undefined)
const ofConfiguration = inDevelopment.filter(({ code }) => ![...ofTheCore, ...ofTrying].includes(code))

describe("the start in development", () => {
  it("reports more than forty mistakes of the corpus", () => {
    expect(ofConfiguration.length).toBeGreaterThan(40)
  })

  it.each(ofConfiguration)("reports $name", async (mistake) => {
    const { findings } = await start(mistake)
    const hits = findings.filter(
      ({ code, message, remedy }) => code === mistake.code && `${message} ${remedy}`.includes(mistake.says ?? ""),
    )
    expect({ hits: hits.length, found: findings.map(({ code, message }) => `${code}: ${message}`) }).toMatchObject({
      hits: 1,
    })
    for (const value of Object.values(goodEnv)) expect(JSON.stringify(findings)).not.toContain(value)
  })

  it.each(inDevelopment.filter(({ code }) => ofTheCore.includes(code)))(
    "leaves $name to the core, which logs it",
    async (mistake) => {
      const { findings, logged } = await start(mistake)
      expect(logged).toContain(mistake.code)
      expect(findings.map(({ code }) => code)).not.toContain(mistake.code)
    },
  )

  it.each(right.filter(([, { args }]) => args === undefined))(
    "reports nothing for %s",
    async (_name, configuration) => {
      expect((await start(configuration)).findings).toEqual([])
    },
  )

  it("takes a secret from a store of secrets for no secret in the code", async () => {
    const config = `secret: ["9f86d081884c7d65", "9a2feaa0c55ad015"].join("")`
    expect((await start({ config, env: { AUTH_SECRET: undefined } })).findings).toEqual([])
  })

  it("takes a variable of the process for none of the file that has the same name in it", async () => {
    const files = { ".env": "AUTH_GITHUB_SECRET=abc$defghi\nAUTH_GITHB_ID=of-the-file\n" }
    const env = { AUTH_URL: "http://localhost:3000", AUTH_GITHB_ID: "of-the-process" }
    expect((await start({ env, files, dependencies: { next: "16.0.0" } })).findings).toEqual([])
  })
})

/** A configuration whose every function says that it was called. */
function watched(called: string[]): StartedConfiguration {
  const say = (name: string) => () => {
    called.push(name)
    throw new Error(`${name} was called`)
  }
  const operations = ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "linkAccount", "check", "migrate"]
  const adapter = Object.fromEntries(operations.map((name) => [name, say(name)])) as Adapter
  const callbacks = { jwt: say("jwt"), session: say("session"), signIn: say("signIn"), redirect: say("redirect") }
  const written: AuthConfig = {
    providers: [],
    adapter,
    session: { strategy: "jwt" },
    callbacks,
    logger: { error: () => undefined, warn: () => undefined },
  }
  const env = { ...goodEnv, AUTH_URL: "https://localhost:3000" }
  return { auth: createAuth(written, { env }), written, env }
}

describe("the checks at the start", () => {
  it("ask no store and call no callback", () => {
    const called: string[] = []
    const findings = findingsAtStart(watched(called), { cwd: "/nowhere", files: systemFiles })
    expect(findings.map(({ code }) => code)).toEqual(["url-https-local"])
    expect(called).toEqual([])
  })

  it("say each finding once in a process", () => {
    const { folder } = writeProject({})
    folders.push(folder)
    vi.spyOn(process, "cwd").mockReturnValue(folder)
    expect(checkAtStart(watched([]))).toHaveLength(1)
    expect(checkAtStart(watched([]))).toEqual([])
    const other = watched([])
    expect(checkAtStart({ ...other, env: { ...other.env, AUTH_SECRET_4: "x" } })).toMatchObject([
      { message: expect.stringContaining("AUTH_SECRET_4") },
    ])
  })
})

describe("a process", () => {
  const project = useProject()
  const module = `import { createAuth } from "@latchkey/core"
export const auth = createAuth({ providers: [{ id: "acme", name: "Acme", type: "oidc", issuer: "https://id.acme.test" }] })
await new Promise((resolve) => setTimeout(resolve, 2000))
`
  const development = { NODE_ENV: "development", AUTH_SECRET: goodEnv["AUTH_SECRET"] ?? "" }

  it("of development says on standard error what is missing, and where to read on", async () => {
    const { code, out, err } = await project.start(project.write("app.js", module), development)
    expect({ code, out }).toEqual({ code: 0, out: "" })
    expect(err).toContain(
      'Client id of "acme": expected AUTH_ACME_ID in the environment or the option, received nothing.',
    )
    expect(err).toContain(
      "Set AUTH_ACME_ID. https://github.com/latchkey-auth/latchkey/blob/main/docs/providers/README.md",
    )
    expect(err.match(/\[doctor-finding\]/g)).toHaveLength(2)
  })

  it("of development that ends at once is not kept for the checks", async () => {
    const begun = Date.now()
    const { code, err } = await project.start(project.write("short.js", module.replace(/^await .*$/m, "")), development)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(Date.now() - begun).toBeLessThan(15_000)
  })

  it("of production says nothing", async () => {
    const env = { ...development, NODE_ENV: "production" }
    expect(await project.start(project.write("app.js", module), env)).toEqual({ code: 0, out: "", err: "" })
  })

  it("of the command line leaves it to the command", async () => {
    const { out, err } = await project.spawn(["doctor", project.write("app.js", module)], development)
    expect(out).toContain('Client id of "acme"')
    expect(err).toBe("")
  })
})
