/** The providers that come with the core, as their own files describe them. */
import { providerIds } from "@latchkey/core/providers/ids"
import { nearest } from "@latchkey/core/testing"
import { UsageError } from "./command.js"

/** What is known of a provider. */
export interface CatalogueEntry {
  readonly id: string
  readonly name: string
  readonly type: string
  /** What is imported, and from which file among the providers. */
  readonly exported: string
  readonly file: string
  readonly issuer: string | undefined
  readonly scope: string | undefined
  /** Where an application is registered. */
  readonly console: string | undefined
  readonly docs: string | undefined
  readonly notes: readonly string[]
  /** Why it cannot be used any more, and what to use instead. */
  readonly discontinued: string | undefined
}

/** Every id, sorted. */
export const knownIds: readonly string[] = providerIds

/** A value of an untyped record that is a string. */
const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The scopes of the authorization request: given as a parameter, on the address, or the usual ones of OpenID Connect. */
function scopeOf(type: string, authorization: unknown): string | undefined {
  const usual = type === "oidc" ? "openid profile email" : undefined
  if (typeof authorization === "string") return new URL(authorization, "http://x").searchParams.get("scope") ?? usual
  const { params } = (authorization ?? {}) as { readonly params?: { readonly scope?: unknown } }
  return textIn(params?.scope) ?? usual
}

/** A factory that refuses to be called without options still names its type by its file. */
function made(factory: (options: object) => Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return factory({})
  } catch {
    return { type: "email" }
  }
}

/**
 * Reads the file of a provider.
 *
 * @throws UsageError for an id that no provider has, with the nearest one
 */
export async function readProvider(id: string): Promise<CatalogueEntry> {
  if (!knownIds.includes(id)) {
    const near = nearest(id, knownIds)
    const hint = near === undefined ? "The list: npx @latchkey/cli providers" : `Did you mean "${near}"?`
    throw new UsageError(`There is no provider "${id}". ${hint}`)
  }
  const module = (await import(`@latchkey/core/providers/${id}`)) as Readonly<Record<string, unknown>>
  const factory = module.default as (options: object) => Readonly<Record<string, unknown>>
  const entry = made(factory)
  const exported = Object.keys(module).find((name) => name !== "default" && module[name] === factory) ?? "default"
  const type = textIn(entry.type) ?? "oauth"
  return {
    id: textIn(entry.id) ?? id,
    name: textIn(entry.name) ?? exported,
    type,
    exported,
    file: id,
    issuer: textIn(entry.issuer),
    scope: scopeOf(type, entry.authorization),
    console: textIn(entry.console),
    docs: textIn(entry.docs),
    notes: Array.isArray(entry.notes) ? entry.notes.filter((note) => typeof note === "string") : [],
    discontinued: textIn(entry.discontinued),
  }
}

/** Names of the variables that a provider reads. */
export function variablesOf(id: string): { readonly id: string; readonly secret: string; readonly issuer: string } {
  const name = `AUTH_${id.toUpperCase().replaceAll("-", "_")}`
  return { id: `${name}_ID`, secret: `${name}_SECRET`, issuer: `${name}_ISSUER` }
}

/** Says whether the provider signs people in at a server of its own, and not by mail, a form or a passkey. */
export const isRemote = ({ type }: CatalogueEntry): boolean => type === "oauth" || type === "oidc"

/** The variables that have to be set, without those that the provider has a value for. */
export function neededVariables(entry: CatalogueEntry): readonly string[] {
  if (!isRemote(entry)) return []
  const names = variablesOf(entry.id)
  const isOpen = entry.type === "oidc" && entry.issuer === undefined
  return [names.id, names.secret, ...(isOpen ? [names.issuer] : [])]
}
