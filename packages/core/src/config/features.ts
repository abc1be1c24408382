/** The option `features`: what is switched on, the endpoints it brings, and what it cannot do without. */
import { MissingAdapter } from "../errors.js"
import type { Records } from "../ports/records.js"
import { isMembers, type Members } from "../std/json.js"
import type { Feature, FeatureRow } from "../types/feature.js"
import type { Policy } from "../types/session-facts.js"
import { isAbsent, membersOf } from "./members.js"
import { checkKind } from "./option-checks.js"
import { fn, type ValueKind } from "./options.js"
import { mistakeText, type Report } from "./report.js"
import type { Features, Settings } from "./settings.js"

/** What features are resolved with. */
export interface FeaturesGiven {
  readonly members: Members
  readonly records: Records
  readonly strategy: Settings["strategy"]
}

/** Reads the option. Without it nothing is on. */
export function featuresOf({ members, records, strategy }: FeaturesGiven, report: Report): Features {
  const features = listOf(members.features, report)
  const sessions = features.find((feature) => feature.sessions !== undefined)?.sessions
  const passkeys = features.find((feature) => feature.passkeys !== undefined)?.passkeys
  if (sessions) checkOptions("managedSessions", membersOf(sessions), report)
  if (passkeys) checkOptions("passkeys", membersOf(passkeys), report)
  const hasOverall = !isAbsent(membersOf(members.session).overallMaxAge)
  const needs = new Map(features.flatMap(({ name, needs }) => needs.map((need) => [need, `features.${name}`])))
  if (hasOverall) needs.set("facts", "session.overallMaxAge")
  // Facts stand in the token itself, and in a record beside a row.
  const byRecords = needs.get("records") ?? (strategy === "database" ? needs.get("facts") : undefined)
  if (byRecords !== undefined && !records.isPresent) report.problem(new MissingAdapter(withoutRecords(byRecords)))
  return Object.freeze({
    names: Object.freeze(features.map(({ name }) => name)),
    rows: Object.freeze(features.flatMap(({ rows }): readonly FeatureRow[] => rows)),
    keepsFacts: needs.has("facts"),
    sessions,
    passkeys,
    accountPolicy: policyOf(passkeys ?? sessions),
  })
}

/** What is asked where the application names no policy. */
const usualPolicy: Policy = { maxAge: 900, passive: true }

/** The policy of a feature, where that is listed. */
export function policyOf(options: { readonly policy?: Policy | undefined } | undefined): Policy | undefined {
  return options && (options.policy ?? usualPolicy)
}

/** Staler than an hour, a session that was ended would go on for too long to call it ended. */
const stalest = 3600

const isNumberFrom = (least: number, most: number) => (value: unknown) =>
  typeof value === "number" && value >= least && value <= most
type Kinds = Readonly<Record<string, Omit<ValueKind, "is">>>
const policyKind: Kinds[string] = {
  expected: 'an object such as { maxAge: 900, acr: "mfa" }',
  isFit: (value) =>
    isMembers(value) &&
    (isAbsent(value["maxAge"]) || isNumberFrom(1, Number.MAX_SAFE_INTEGER)(value["maxAge"])) &&
    (isAbsent(value["acr"]) || value["acr"] === "mfa" || value["acr"] === "phr"),
}
const sessionKinds: Kinds = {
  staleness: { expected: `seconds, 0 to ${stalest}`, isFit: isNumberFrom(0, stalest) },
  atMost: {
    expected: "a whole number, 1 or more",
    isFit: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  },
  describe: fn,
  policy: policyKind,
}
const kindsOf = { managedSessions: sessionKinds, passkeys: { policy: policyKind } } satisfies Readonly<
  Record<string, Kinds>
>

function checkOptions(feature: keyof typeof kindsOf, given: Members, report: Report): void {
  for (const [name, kind] of Object.entries<Kinds[string]>(kindsOf[feature]))
    checkKind(kind, { option: `${feature}.${name}`, received: given[name] }, report)
  // A session rests on the one proof that it began with, and none says so far how strong it is.
  const { acr } = membersOf(given["policy"])
  if (acr === "mfa" || acr === "phr") report.warn("policy-out-of-reach", `${feature}.policy.acr.`)
}

function withoutRecords(option: string): string {
  return mistakeText(option, {
    expected: "a store of records",
    received: undefined,
    remedy: 'Set "records", or an "adapter" that keeps records.',
  })
}

function listOf(given: unknown, report: Report): readonly Feature[] {
  if (isAbsent(given)) return []
  if (!Array.isArray(given)) {
    const remedy = "Write [managedSessions()]."
    report.mistake("features", { expected: "a list of features", received: given, remedy })
    return []
  }
  const features: Feature[] = []
  for (const [index, entry] of given.entries()) {
    const at = `features[${index}]`
    const remedy = typeof entry === "function" ? "Call it." : "List what a function such as managedSessions() returns."
    if (!isFeature(entry)) report.mistake(at, { expected: "a feature", received: entry, remedy })
    else if (features.some(({ name }) => name === entry.name))
      report.mistake(at, { expected: "each feature once", received: entry.name, remedy: "Remove one of them." })
    else features.push(entry)
  }
  return features
}

function isFeature(value: unknown): value is Feature {
  return (
    isMembers(value) &&
    typeof value["name"] === "string" &&
    Array.isArray(value["needs"]) &&
    Array.isArray(value["rows"])
  )
}
