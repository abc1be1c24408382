/** `latchkey doctor`: checks a configuration as a running application would see it. */
import type { AuthInspection } from "@latchkey/core"
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import type { FoundConfig } from "../config-module.js"
import { identityOf } from "../database.js"
import { contract } from "../doctor/contract.js"
import { contractInside } from "../doctor/contract-inside.js"
import { diagnose } from "../doctor/diagnosis.js"
import type { Part } from "../doctor/finding.js"
import { sealNotes } from "../doctor/limits.js"
import { online } from "../doctor/online.js"
import { report } from "../doctor/report.js"
import { sessionSize } from "../doctor/session-size.js"
import { checkOf } from "../doctor/tables.js"
import { projectAround } from "../project.js"
import { painter } from "../style.js"
import { configAround, type Environs, environsOf, moduleIn } from "../surroundings.js"
import type { Environment, World } from "../world.js"

function aboutOf(path: string, { mode, envFiles }: Environs): string {
  const files = envFiles.files.join(", ") || "no .env file"
  return `${path}, mode ${mode}, environment from the process and ${files}.`
}

/** The contract writes rows, and what it writes stays there. */
function refuseProduction(store: string, { env, mode }: { env: Environment; mode: string }, world: World): void {
  const identity = identityOf(store, world)
  const isStore = (value = ""): boolean =>
    value === store || (identity !== undefined && value !== "" && identityOf(value, world) === identity)
  const own = Object.values(env).some(isStore)
  if (mode !== "production" && !own) return
  const why = own ? "this is the database of the application" : "the mode is production"
  throw new UsageError(`--test-store: expected a store for tests, and ${why}. Name an empty database.`)
}

interface Asked {
  readonly config: FoundConfig
  readonly inspection: AuthInspection
  readonly env: Environment
  readonly isProduction: boolean
  readonly online: boolean
  readonly testAdapter: boolean
  readonly testStore: string | undefined
}

/** What is tried out: sessions, providers, stores. */
async function partsOf(asked: Asked, world: World): Promise<readonly Part[]> {
  const { config, inspection, env, isProduction, testStore } = asked
  const auth = config.service(env)
  const now = world.now()
  return [
    await sessionSize({ auth, inspection, written: config.written, isProduction, now }),
    { findings: asked.online ? await online(inspection, world) : [], notes: [] },
    ...(testStore === undefined ? [] : [await contract(testStore, world)]),
    ...(asked.testAdapter ? [await contractInside(config.adapter, isProduction, world)] : []),
    { findings: [], notes: await sealNotes(auth, inspection, now) },
  ]
}

export const doctor: Command = defineCommand({
  name: "doctor",
  summary: "check a configuration",
  details: `Loads MODULE with the environment of the application, resolves the configuration it exports, or hands to an
integration, and prints what is wrong: what was expected, what came, and what to do. Loading runs the module: name
the one that holds the configuration, not the one that starts the server. To measure the session cookie, the jwt
callback is called for somebody who does not exist, except with --mode production.`,
  args: [
    {
      name: "module",
      text: "JavaScript or TypeScript module with the configuration (default: auth.ts, src/auth.ts and the like)",
    },
  ],
  options: {
    export: {
      value: "NAME",
      text: "the export to look at (default: the first of authConfig, config, default, auth)",
    },
    envFile: {
      value: "FILE",
      isList: true,
      text: "read variables from FILE alone; may be repeated, a later one counts less (default: the .env files that the framework reads)",
    },
    mode: { value: "NAME", text: "development, production or another (default: NODE_ENV, else development)" },
    origin: {
      value: "URL",
      text: "where the application is, for callback addresses (default: AUTH_URL, else localhost)",
    },
    online: { text: "ask providers for discovery documents and keys, and compare clocks" },
    testStore: {
      value: "STORE",
      text: "run the contract of adapters on a store for tests, which gets rows: a SQLite file, a database URL, or a module that exports an adapter; never with production",
    },
    testAdapter: {
      text: "run the contract of adapters on the store of the configuration, each case in a transaction that is rolled back; not run, and said so, where the adapter has none, where tables are missing, and with --mode production where the adapter cannot say that its tables roll back",
    },
    strict: { text: "exit code 1 for warnings as well" },
    json: { text: "print the findings as JSON" },
  },
  exits: { fine: "no errors", failed: "there are errors" },
  async run({ options, words: [named] }, world) {
    const project = projectAround(world)
    const path = moduleIn(named, project, world)
    const around = environsOf(options, project, world)
    const { env, envFiles, mode } = around
    const config = await configAround(path, options.export, { env, project, world })
    const inspection = config.inspect(env)
    const isKit = project?.frameworks[0] === "sveltekit"
    const origin = (options.origin ?? (isKit ? "http://localhost:5173" : "http://localhost:3000")).replace(/\/+$/, "")
    const isProduction = mode === "production"
    const diagnosis = diagnose(
      { inspection, written: config.written, env, envFiles, project, isProduction, isInCode: () => true, world },
      { tables: await checkOf(config.adapter, inspection.records), origin },
    )
    if (options.testStore !== undefined) refuseProduction(options.testStore, { env, mode }, world)
    const parts = await partsOf({ config, inspection, env, isProduction, ...options }, world)
    const whole = {
      ...diagnosis,
      findings: [...diagnosis.findings, ...parts.flatMap(({ findings }) => findings)],
      notes: [...diagnosis.notes, ...parts.flatMap(({ notes }) => notes)],
    }
    const paint = painter(world.terminal.colours.out)
    world.terminal.out(
      options.json ? `${JSON.stringify(whole, null, 2)}\n` : report(whole, aboutOf(path, around), paint),
    )
    const isFailed = whole.findings.some(({ level }) => level === "error" || options.strict)
    return isFailed ? exitCodes.failed : exitCodes.fine
  },
})
