/** `latchkey doctor`: looks a configuration over, without a request. */
import type { AuthError } from "@latchkey/core/errors"
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import { readConfig } from "../config-module.js"
import { readEnvFiles } from "../env-files.js"
import { advice, needs, promiseOf, type Settings } from "../needs.js"
import { checkOf, linesOf, type TableCheck } from "../tables.js"

/** What the codes of warnings mean. */
const meanings: Readonly<Record<Settings["warnings"][number], string>> = {
  "debug-enabled": "debug is on: logs are verbose. Switch it off in production.",
  "csrf-disabled": "the protection against forged requests is off.",
  "skip-csrf-check-ignored":
    "skipCSRFCheck is not the exported marker, so the protection stays on. Import skipCSRFCheck of @latchkey/core, or leave it out.",
  "experimental-webauthn": "passkeys are an experimental feature: they may change without notice.",
  "env-url-basepath-redundant": "AUTH_URL and basePath both say the path; one is enough.",
  "env-url-basepath-mismatch": "the path of AUTH_URL and basePath differ; basePath is used.",
  "secret-too-short": "a secret is shorter than 32 characters. `latchkey secret` makes a good one.",
  "insecure-requests": "a provider is asked over plain http.",
  "secure-cookies-mismatch": "useSecureCookies does not fit the scheme of AUTH_URL.",
  "account-owned-by-other": "an e-mail account belongs to another user.",
  "session-not-saved": "what the jwt callback changed was lost: the session was read where no cookie can be set.",
  "linking-of-unverified-email":
    "a provider does not say that addresses are verified: a user whose address came only from it is linked by address to a verified arrival alone. `emailVerified: () => true` on a provider that verifies all of them.",
  "accounts-of-unverified-email":
    "a provider does not say that addresses are verified, and the adapter cannot remove its accounts before the owner of an address signs in by mail. `emailVerified: () => true` on a provider that verifies all of them, or an adapter with listAccountsByUserId and unlinkAccount.",
  "unknown-option": "an option is not known and does nothing.",
  "page-leads-to-itself": "an entry of pages names the service's own address of that page: the built-in page is shown.",
  "forwarded-header-ignored":
    "a proxy in front names another address than requests come with: trust it, or set AUTH_URL.",
  "redirect-proxy-origins": "redirectProxyOrigins is not set: the proxy sends sign-ins on to any https address.",
}

/** Everything there is to say. */
export interface Diagnosis {
  readonly strategy: string
  readonly basePath: string
  readonly providers: readonly { readonly id: string; readonly type: string }[]
  /** With the provider that is refused by it; without one, everything is. */
  readonly problems: readonly { readonly type: string; readonly message: string; readonly provider?: string }[]
  readonly warnings: readonly { readonly code: string; readonly meaning: string }[]
  readonly needed: readonly {
    readonly use: string
    readonly operations: readonly string[]
    readonly missing: readonly string[]
  }[]
  /** What the adapter says of its tables, where it can say it. */
  readonly tables?: TableCheck
  /** What is promised for first sign-ins. */
  readonly promise?: string
  readonly advice: readonly { readonly missing: string; readonly without: string }[]
}

/** Checks the settings; reads nothing else. */
export function diagnose(settings: Settings): Diagnosis {
  const { store, problems, warnings, providers, strategy, basePath } = settings
  const promise = promiseOf(settings)
  const used = store.isPresent ? needs.filter(({ applies }) => applies(settings)) : []
  return {
    strategy,
    basePath: basePath || "/",
    providers: [...providers.values()].map(({ id, type }) => ({ id, type })),
    problems: problems.map((problem) => ({
      type: problem.type,
      message: problem.message,
      ...ownerOf(problem, settings),
    })),
    warnings: warnings.map((code) => ({ code, meaning: meanings[code] })),
    needed: used.map(({ use, operations }) => ({
      use,
      operations,
      missing: operations.filter((operation) => !store.has(operation)),
    })),
    ...(promise === undefined ? {} : { promise }),
    advice: (store.isPresent ? advice : [])
      .filter(({ applies, anyOf }) => applies(settings) && !anyOf.some((operation) => store.has(operation)))
      .map(({ anyOf, without }) => ({ missing: anyOf.join(" or "), without })),
  }
}

/** The provider that a problem is about; none where it refuses everything. */
function ownerOf(problem: AuthError, { generalProblems, providerProblems }: Settings): { provider?: string } {
  if (generalProblems.includes(problem)) return {}
  // An entry that cannot be named has no id.
  return { provider: [...providerProblems].find(([, theirs]) => theirs.includes(problem))?.[0] ?? "" }
}

function lines(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : ["", `${title}:`, ...entries.map((entry) => `  - ${entry}`)]
}

function report(diagnosis: Diagnosis, isWell: boolean): string {
  const { strategy, basePath, providers, needed, problems, tables } = diagnosis
  const names = providers.map(({ id, type }) => (id === type ? id : `${id} (${type})`)).join(", ") || "none"
  const shown = needed.map(({ use, operations, missing }) => {
    const list = operations.map((operation) => (missing.includes(operation) ? `${operation} MISSING` : operation))
    return `for ${use}: ${list.join(", ")}`
  })
  return [
    `Sessions: ${strategy}. Base path: ${basePath}. Providers: ${names}.`,
    ...lines(
      "Problems: nothing works before these are corrected",
      problems.filter(({ provider }) => provider === undefined).map((it) => `${it.type}: ${it.message}`),
    ),
    ...lines(
      "Providers that are refused until this is corrected; the others work",
      problems.filter(({ provider }) => provider !== undefined).map((it) => `${it.type}: ${it.message}`),
    ),
    ...lines("Adapter operations", shown),
    ...lines("Tables", tables ? linesOf(tables) : []),
    ...lines("Promised", diagnosis.promise === undefined ? [] : [diagnosis.promise]),
    ...lines(
      "Better with",
      diagnosis.advice.map((it) => `${it.missing}. Without: ${it.without}`),
    ),
    ...lines(
      "Warnings",
      diagnosis.warnings.map((it) => `${it.code}: ${it.meaning}`),
    ),
    "",
    isWell ? "All that is needed is there." : "This configuration cannot serve as it is.",
    "",
  ].join("\n")
}

export const doctor: Command = defineCommand({
  name: "doctor",
  summary: "check a configuration",
  details: `Imports MODULE, resolves the configuration it exports as the service would, and prints what is wrong and what
the adapter must offer for it. Importing runs the module: name the one that holds the configuration, not the
one that starts the server.`,
  args: [
    {
      name: "module",
      text: 'JavaScript or TypeScript module that exports the configuration (the object with "providers") or the service made of it',
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
      text: "read variables from FILE alone; may be repeated, a later one counts less (default: .env.<mode>.local, .env.local, .env.<mode>, .env)",
    },
    mode: {
      value: "NAME",
      text: "which .env files count: development, production, test (default: NODE_ENV, else development)",
    },
    json: { text: "print the findings as JSON" },
  },
  exits: { fine: "no problems", failed: "there are problems" },
  async run({ options, words: [path] }, world) {
    if (path === undefined) throw new UsageError("Which configuration? Name the module that exports it.")
    const mode = options.mode ?? world.env.NODE_ENV ?? "development"
    const { env } = readEnvFiles({ named: options.envFile, mode }, world)
    world.fillEnvironment(env)
    const config = await readConfig(path, options.export, world)
    const tables = await checkOf(config.adapter)
    const diagnosis = { ...diagnose(config.inspect(env)), ...(tables ? { tables } : {}) }
    const isWell =
      (tables?.problems ?? []).length === 0 &&
      diagnosis.problems.length === 0 &&
      diagnosis.needed.every(({ missing }) => missing.length === 0)
    world.terminal.out(options.json ? `${JSON.stringify(diagnosis, null, 2)}\n` : report(diagnosis, isWell))
    return isWell ? exitCodes.fine : exitCodes.failed
  },
})
