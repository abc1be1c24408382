/** A developer reads what `latchkey doctor` would find, once, when the application starts in development. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type * as Engine from "../../src/engine/auth.js"
import type { StartedConfiguration } from "../../src/engine/development.js"
import type { AuthConfig } from "../../src/types/config.js"

const secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

/** What the command line of a test was asked; it is loaded from its file, and reaches this module through the process. */
interface Asked {
  isLoaded?: boolean
  readonly started: StartedConfiguration[]
}

declare global {
  var askedOfTheCommandLine: Asked
}

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-development-"))
  globalThis.askedOfTheCommandLine = { started: [] }
  vi.spyOn(process, "cwd").mockReturnValue(folder)
  vi.stubEnv("NODE_ENV", "development")
  vi.useFakeTimers({ toFake: ["setTimeout"] })
  // Whether a process has been checked is remembered by the module.
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

function install(code: string, entries: Readonly<Record<string, string>> = { "./at-start": "./at-start.js" }): void {
  const home = join(folder, "node_modules/@latchkey/cli")
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "@latchkey/cli", type: "module", exports: entries }))
  writeFileSync(join(home, "at-start.js"), `globalThis.askedOfTheCommandLine.isLoaded = true\n${code}\n`)
}

/** Two findings, the second without anything to do. */
const finding = `export function checkAtStart(started) {
  globalThis.askedOfTheCommandLine.started.push(started)
  return [
    { message: "A: expected b, received c.", remedy: "Set A.", page: "https://docs.test/a" },
    { message: "D: expected e, received f.", remedy: "", page: "https://docs.test/d" },
  ]
}`
const lines = [
  "doctor-finding A: expected b, received c. Set A. https://docs.test/a",
  "doctor-finding D: expected e, received f. https://docs.test/d",
]

interface Started {
  readonly config: AuthConfig
  readonly warnings: string[]
  readonly debugs: string[]
  readonly engine: typeof Engine
}

async function start(env?: Record<string, string>): Promise<Started> {
  const warnings: string[] = []
  const debugs: string[] = []
  const logger = {
    error: () => undefined,
    warn: (code: string, detail = "") => void warnings.push(`${code} ${detail}`),
    debug: (message: string) => void debugs.push(message),
  }
  const config: AuthConfig = { providers: [], trustHost: true, secret, logger }
  const engine = await import("../../src/engine/auth.js")
  engine.createAuth(config, env ? { env } : {})
  return { config, warnings, debugs, engine }
}

/** The module of the checks is loaded, this many milliseconds pass, and what begins then ends. */
async function elapse(ms = 10_000): Promise<void> {
  await vi.dynamicImportSettled()
  await vi.advanceTimersByTimeAsync(ms)
  await vi.dynamicImportSettled()
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

it("each finding is one warning, once for a process, whatever services are made", async () => {
  install(finding)
  const { config, warnings, engine } = await start()
  await elapse()
  expect(warnings).toEqual(lines)
  engine.createAuth({ ...config })
  engine.authOf({ ...config })
  await elapse()
  expect(warnings).toEqual(lines)
})

it("a configuration that an integration hands over is checked as well", async () => {
  install(finding)
  const engine = await import("../../src/engine/auth.js")
  const warnings: string[] = []
  engine.authOf({ providers: [], secret, logger: { warn: (code) => void warnings.push(code) } })
  await elapse()
  expect(warnings).toEqual(["doctor-finding", "doctor-finding"])
})

it("the checks get the configuration, what it came to, and variables that were loaded after the service was made", async () => {
  install(finding)
  const env: Record<string, string> = { NODE_ENV: "development" }
  const { config } = await start(env)
  env["AUTH_URL"] = "https://app.test/account"
  await elapse()
  const [{ auth, written, env: given } = {}] = globalThis.askedOfTheCommandLine.started
  // The service was made by modules of this test alone.
  const { inspectAuth } = await import("../../src/engine/inspect.js")
  expect(inspectAuth(auth)).toMatchObject({ origin: "https://app.test", basePath: "/account", strategy: "jwt" })
  expect(written).toBe(config)
  expect(given).toBe(env)
})

it("requests are answered before the checks begin", async () => {
  install(finding)
  const { config, warnings, engine } = await start()
  const auth = engine.createAuth({ ...config })
  expect((await auth.handle(new Request("https://app.test/auth/csrf"))).status).toBe(200)
  expect({ warnings, isLoaded: globalThis.askedOfTheCommandLine.isLoaded }).toEqual({
    warnings: [],
    isLoaded: undefined,
  })
  await elapse()
  expect(warnings).toEqual(lines)
})

it("nothing is checked in the first half second, in which an application loads its variables", async () => {
  install(finding)
  const { warnings } = await start()
  await elapse(500)
  expect({ warnings, isLoaded: globalThis.askedOfTheCommandLine.isLoaded }).toEqual({
    warnings: [],
    isLoaded: undefined,
  })
  await elapse(500)
  expect(warnings).toEqual(lines)
})

it("variables that are loaded after the checks are used from the first request on", async () => {
  install(finding)
  const env: Record<string, string> = { NODE_ENV: "development" }
  const engine = await import("../../src/engine/auth.js")
  const logger = { error: () => undefined, warn: () => undefined }
  const auth = engine.createAuth({ providers: [], trustHost: true, logger }, { env })
  await elapse()
  env["AUTH_SECRET"] = secret
  expect((await auth.handle(new Request("https://app.test/auth/csrf"))).status).toBe(200)
})

it.each<[string, string | undefined, Record<string, string> | undefined]>([
  ["production", "production", undefined],
  ["a test", "test", undefined],
  ["a process that does not say what it is", undefined, undefined],
  ["a test that calls its environment development", "test", { NODE_ENV: "development" }],
  ["an environment that says production", "development", { NODE_ENV: "production" }],
])("nothing is checked in %s", async (_name, mode, env) => {
  install(finding)
  vi.stubEnv("NODE_ENV", mode)
  const { warnings } = await start(env)
  await elapse()
  expect({ warnings, isLoaded: globalThis.askedOfTheCommandLine.isLoaded }).toEqual({
    warnings: [],
    isLoaded: undefined,
  })
})

it.each(["off", "false", "0"])("AUTH_DEVELOPMENT_CHECKS=%s switches the checks off", async (value) => {
  install(finding)
  vi.stubEnv("AUTH_DEVELOPMENT_CHECKS", value)
  const { warnings } = await start()
  await elapse()
  expect({ warnings, isLoaded: globalThis.askedOfTheCommandLine.isLoaded }).toEqual({
    warnings: [],
    isLoaded: undefined,
  })
})

it.each<[string, () => void]>([
  ["is not installed", () => undefined],
  ["is of a version without the checks", () => install(finding, { "./package.json": "./package.json" })],
  ["exports something else", () => install("export const other = 1")],
])("nothing is logged where the command line %s", async (_name, prepare) => {
  prepare()
  const { warnings, debugs } = await start()
  await elapse()
  expect({ warnings, debugs }).toEqual({ warnings: [], debugs: [] })
})

it.each([
  ["cannot be loaded", `throw new Error("broken")`],
  ["fails", `export function checkAtStart() { throw new Error("broken") }`],
  ["answers something else", `export function checkAtStart() { return 1 }`],
])("a command line that %s is a debug message and nothing else", async (_name, code) => {
  install(code)
  const { warnings, debugs } = await start()
  await elapse()
  expect({ warnings, debugs }).toEqual({ warnings: [], debugs: ["The checks of @latchkey/cli failed."] })
})
