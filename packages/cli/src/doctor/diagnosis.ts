/** Everything the doctor says about a configuration. */
import { checks } from "./checks.js"
import { type Finding, found, type Patient, pages } from "./finding.js"
import { limitNotes } from "./limits.js"
import { advice, promiseOf } from "./needs.js"
import { resolved } from "./resolved.js"
import { nameOfStep, type TableCheck } from "./tables.js"

/** What is found, and what somebody has to know who sets the application up. */
export interface Diagnosis {
  readonly strategy: string
  readonly basePath: string
  readonly providers: readonly { readonly id: string; readonly type: string }[]
  readonly findings: readonly Finding[]
  /** To be registered at the providers. */
  readonly callbacks: readonly { readonly provider: string; readonly url: string }[]
  /** What is promised, what would be better, and what somebody chose. */
  readonly notes: readonly string[]
}

/** Callback addresses of all providers that send people back. */
function callbacksOf({ inspection }: Patient, origin: string): Diagnosis["callbacks"] {
  return [...inspection.providers.values()]
    .filter(({ type }) => type === "oauth" || type === "oidc")
    .map(({ id, redirectProxyUrl }) => ({
      provider: id,
      url: `${redirectProxyUrl ?? `${inspection.origin ?? origin}${inspection.basePath}`}/callback/${id}`,
    }))
}

/** What an adapter says of its tables, and of the settings of its server, as findings. */
export function findingsOf(tables: TableCheck | undefined): readonly Finding[] {
  const error = found("error", pages.databases)
  const pending = tables?.pending ?? []
  return [
    ...(tables?.problems ?? []).map((problem) =>
      error(
        "database",
        `Database: ${problem}`,
        "npx @latchkey/cli migrate makes what is missing, where the database can be reached.",
      ),
    ),
    ...(pending.length === 0
      ? []
      : [
          found("warning", pages.databases)(
            "database-pending",
            `Database: expected no pending migrations, received ${pending.map(nameOfStep).join(", ")}.`,
            "npx @latchkey/cli migrate, before the new version starts.",
          ),
        ]),
    ...(tables?.settings ?? []).map((setting) =>
      found("warning", pages.redis)(
        "store-settings",
        `Settings of the server: ${setting}`,
        "Change it on the server, or use another one for what must not be lost.",
      ),
    ),
  ]
}

/** Checks everything that needs no network. */
export function diagnose(
  patient: Patient,
  { tables, origin }: { tables: TableCheck | undefined; origin: string },
): Diagnosis {
  const { inspection } = patient
  const { basePath, providers, store, strategy } = inspection
  const promise = promiseOf(inspection)
  const better = (store.isPresent ? advice : [])
    .filter(({ applies, anyOf }) => applies(inspection) && !anyOf.some((operation) => store.has(operation)))
    .map(({ anyOf, without }) => `Better with ${anyOf.join(" or ")}. Without: ${without}`)
  return {
    strategy,
    basePath: basePath || "/",
    providers: [...providers.values()].map(({ id, type }) => ({ id, type })),
    findings: [...[resolved, ...checks].flatMap((check) => check(patient)), ...findingsOf(tables)],
    callbacks: callbacksOf(patient, origin),
    notes: [...(promise === undefined ? [] : [promise]), ...better, ...limitNotes(patient), ...(tables?.notes ?? [])],
  }
}
