/** One provider and its overrides become a provider ready to use. */
import { asError } from "../ports/thrown.js"
import { conceal } from "../std/conceal.js"
import { subjectOf } from "../std/own-statement.js"
import { variableName } from "../std/variable-name.js"
import { defaultProfile } from "./callbacks.js"
import { keepAddresses } from "./endpoints.js"
import { type Environment, instantiate, variable, variables } from "./environment.js"
import { markedQuirks } from "./markers.js"
import { isAbsent, isPlain, membersOf, merge } from "./members.js"
import { resolveOAuthProvider } from "./oauth-provider.js"
import { readSeconds } from "./option-checks.js"
import { defaults } from "./options.js"
import { checkProvider, type Draft, offersWebAuthn } from "./provider-checks.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"

/** What providers are resolved with. */
export interface ProvidersContext {
  readonly env: Environment
  readonly redirectProxyUrl: string | undefined
  readonly report: Report
}

/** All providers by id. What is wrong stands in the report; the rest is usable. */
export function resolveProviders(given: unknown, around: ProvidersContext): ReadonlyMap<string, ResolvedProvider> {
  const providers = new Map<string, ResolvedProvider>()
  if (isAbsent(given)) return providers
  if (!Array.isArray(given)) {
    const remedy = 'Write "providers: [GitHub]".'
    around.report.mistake("providers", { expected: "a list of providers", received: given, remedy })
    return providers
  }
  const ids = new Set<string>()
  for (const [index, entry] of given.entries()) {
    const provider = resolveEntry(entry, { ...around, index, ids })
    if (!provider) continue
    // Ids that differ in case only would share environment variables.
    if (ids.has(provider.id.toLowerCase())) {
      const expected = "an id that no other provider has"
      const remedy = 'Give one of them an "id" of its own.'
      around.report.ofProvider(undefined).mistake(`providers[${index}].id`, { expected, received: provider.id, remedy })
      continue
    }
    const shared = sharedVariable(provider, providers.values(), around.env)
    if (shared !== undefined) {
      const expected = `an id with variables of its own, because ${shared} is read by another provider`
      const remedy = 'Give one of them another "id", or write its options in the code.'
      const report = around.report.ofProvider(provider.id)
      report.mistake(`providers[${index}].id`, { expected, received: provider.id, remedy })
    }
    ids.add(provider.id.toLowerCase())
    providers.set(provider.id, provider)
  }
  return providers
}

/** A variable that both this provider and one of the others were filled from: `a-b` and `a_b` share the names of theirs. */
function sharedVariable(
  provider: ResolvedProvider,
  others: Iterable<ResolvedProvider>,
  env: Environment,
): string | undefined {
  const nameOf = ({ id }: ResolvedProvider): string => variableName(id, "ID")
  const alike = [...others].filter((other) => nameOf(other) === nameOf(provider))
  if (alike.length === 0) return undefined
  const own = filledVariables(provider, env)
  return alike.flatMap((other) => filledVariables(other, env)).find((name) => own.includes(name))
}

/** Those whose values the provider holds. */
function filledVariables({ id, config }: ResolvedProvider, env: Environment): readonly string[] {
  const members = membersOf(config)
  return Object.entries(variables)
    .map(([option, suffix]) => ({ name: variableName(id, suffix), value: members[option] }))
    .filter(({ name, value }) => value !== undefined && value === variable(env, name))
    .map(({ name }) => name)
}

interface EntryContext extends ProvidersContext {
  readonly index: number
  /** In lower case, of the entries before. */
  readonly ids: ReadonlySet<string>
}

function resolveEntry(entry: unknown, { index, ids, ...around }: EntryContext): ResolvedProvider | undefined {
  try {
    const made = instantiate(entry, around.env)
    // Without a prototype: nothing inherited can be mistaken for an option.
    const merged: Draft["merged"] = Object.assign(Object.create(null), mergeOptions(made))
    const named = typeof merged.id === "string" ? merged.id : undefined
    const label = named === undefined ? `providers[${index}]` : `providers.${named}`
    const report = around.report.ofProvider(ids.has(named?.toLowerCase() ?? "") ? undefined : named)
    const draft = { label, merged, report, filesProfile: filesProfileOf(made, merged) }
    return checkProvider(draft) ? finishConcealed(draft, around.redirectProxyUrl) : undefined
  } catch (thrown) {
    const isFunction = typeof entry === "function"
    around.report.ofProvider(undefined).mistake(`providers[${index}]`, {
      expected: isFunction
        ? "a function that returns a provider when it is called without options"
        : "a provider, or a function that returns one",
      received: entry,
      remedy: isFunction ? "Call it with its options." : "Remove the entry, or correct its import.",
      err: asError(thrown),
    })
    return undefined
  }
}

/** `options` are laid over the rest. Fields for the quirks of Auth.js's objects lie below both. */
function mergeOptions(made: Record<PropertyKey, unknown>): Record<PropertyKey, unknown> {
  const { options, ...rest } = made
  const over = typeof options === "object" && options !== null ? options : {}
  const base = { ...markedQuirks(made, made.id), ...rest, ...keepAddresses(rest, over) }
  return merge(base, over)
}

/**
 * The callback of the provider's file, where another stands in its place and `emailVerified` of the file speaks of its address.
 * Ours are known by that function, however the provider was copied; of any other, `options` are what the application wrote.
 */
function filesProfileOf(made: Record<PropertyKey, unknown>, { profile, emailVerified }: Draft["merged"]): unknown {
  const own = membersOf(made["options"])
  const isOfFile = typeof made["emailVerified"] === "function" && isAbsent(own["emailVerified"])
  const files = subjectOf(emailVerified, defaultProfile) ?? (isOfFile ? (made["profile"] ?? defaultProfile) : undefined)
  return files === (typeof profile === "function" ? profile : defaultProfile) ? undefined : files
}

/** What callbacks get holds secrets too: a printed provider, or its configuration, shows only which it is. */
function finishConcealed(draft: Draft, redirectProxyUrl: string | undefined): ResolvedProvider {
  const provider = finish(draft, redirectProxyUrl)
  const { type, id, name, config } = provider
  const shown = (): object => ({ type, id, name })
  const copy = { ...provider, config: Object.freeze(conceal({ ...config }, shown)) } as ResolvedProvider
  return Object.freeze(conceal(copy, shown))
}

function finish(draft: Draft, redirectProxyUrl: string | undefined): ResolvedProvider {
  const { merged, label, report } = draft
  const id = merged.id as string
  const name = typeof merged.name === "string" && merged.name !== "" ? merged.name : id
  const type = merged.type as ResolvedProvider["type"]
  if (type === "oauth" || type === "oidc") return resolveOAuthProvider({ id, name }, draft, redirectProxyUrl)
  if (type === "email") {
    const given = { option: `${label}.maxAge`, value: merged.maxAge, least: 1, fallback: defaults.emailMaxAge } as const
    const maxAge = readSeconds(given, report)
    return { type, id, name, maxAge, config: { ...merged, name, maxAge } as never }
  }
  const fields = type === "credentials" ? { credentials: merged.credentials ?? {} } : passkeyFields(merged)
  return { type, id, name, config: { ...merged, ...fields, name } as never }
}

const addressField = { email: { label: "Email", required: true, autocomplete: "username webauthn" } }

/** The default form asks for an address; own fields without the autocomplete value mean that nothing is offered while typing. */
function passkeyFields(merged: Draft["merged"]): object {
  const formFields = isPlain(merged.formFields) ? merged.formFields : addressField
  return { formFields, enableConditionalUI: merged.enableConditionalUI ?? offersWebAuthn(formFields) }
}
