/** `latchkey doctor`: checks a configuration as a running application would see it. */
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import { contract } from "../doctor/contract.js"
import { diagnose } from "../doctor/diagnosis.js"
import { sealNotes } from "../doctor/limits.js"
import { online } from "../doctor/online.js"
import { report } from "../doctor/report.js"
import { sessionSize } from "../doctor/session-size.js"
import { checkOf } from "../doctor/tables.js"
import { painter } from "../style.js"
import { configAround, type Environs, environsOf, moduleIn, projectAround } from "../surroundings.js"
import type { Environment } from "../world.js"

function aboutOf(path: string, { mode, envFiles }: Environs): string {
  const files = envFiles.files.join(", ") || "no .env file"
  return `${path}, mode ${mode}, environment from the process and ${files}.`
}

/** The contract writes rows, and what it writes stays there. */
function refuseProduction(store: string, { env, mode }: { env: Environment; mode: string }): void {
  const own = Object.values(env).includes(store)
  if (mode !== "production" && !own) return
  const why = own ? "this is the database of the application" : "the mode is production"
  throw new UsageError(`--test-store: expected a store for tests, and ${why}. Name an empty database.`)
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
    const diagnosis = diagnose(
      { inspection, written: config.written, env, envFiles, project, isProduction: mode === "production", world },
      { tables: await checkOf(config.adapter), origin },
    )
    if (options.testStore !== undefined) refuseProduction(options.testStore, { env, mode })
    const more = [
      ...(options.online ? await online(inspection, world) : []),
      ...(options.testStore === undefined ? [] : await contract(options.testStore, world)),
    ]
    const auth = config.service(env)
    const now = world.now()
    const size = await sessionSize({
      auth,
      inspection,
      written: config.written,
      isProduction: mode === "production",
      now,
    })
    const seals = await sealNotes(auth, inspection, now)
    const whole = {
      ...diagnosis,
      findings: [...diagnosis.findings, ...size.findings, ...more],
      notes: [...diagnosis.notes, ...size.notes, ...seals],
    }
    const paint = painter(world.terminal.colours.out)
    world.terminal.out(
      options.json ? `${JSON.stringify(whole, null, 2)}\n` : report(whole, aboutOf(path, around), paint),
    )
    const isFailed = whole.findings.some(({ level }) => level === "error" || options.strict)
    return isFailed ? exitCodes.failed : exitCodes.fine
  },
})
