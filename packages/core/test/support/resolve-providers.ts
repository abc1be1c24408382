/** Entries of `providers` as the configuration resolves them, and what was wrong with them. */
import { expect } from "vitest"
import { redirectProxyOf } from "../../src/config/addresses.js"
import { resolveProviders } from "../../src/config/providers.js"
import { createReport, type Report } from "../../src/config/report.js"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../../src/config/settings.js"
import type { Provider } from "../../src/types/provider.js"

/** The addresses of a provider that has no discovery document. */
export const endpoints = {
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
}

const client = { id: "acme", name: "Acme", clientId: "id", clientSecret: "hush" }

/** A provider of OAuth with all its endpoints. */
export const oauth = { ...client, type: "oauth", ...endpoints }
/** A provider of OpenID Connect with its issuer. */
export const oidc = { ...client, type: "oidc", issuer: "https://op.test" }

/** What stands around the entries. */
export interface Given {
  env?: Record<string, string>
  redirectProxyUrl?: string
}

/** Resolves entries, well or not. */
export function resolveAll(
  entries: readonly unknown[],
  { env = {}, redirectProxyUrl }: Given = {},
): Report & { readonly providers: ReadonlyMap<string, ResolvedProvider> } {
  const report = createReport()
  const proxy = redirectProxyOf("redirectProxyUrl", redirectProxyUrl, report)
  const providers = resolveProviders(entries as Provider[], { env, redirectProxyUrl: proxy, report })
  return { providers, ...report }
}

/** Resolves one entry that must be in order. */
export function resolveOne(entry: unknown, given?: Given): ResolvedOAuthProvider {
  const { providers, problems } = resolveAll([entry], given)
  expect(problems).toEqual([])
  return [...providers.values()][0] as ResolvedOAuthProvider
}

/** The first thing that is wrong with an entry. */
export function problemOf(entry: unknown, given?: Given): Report["problems"][number] | undefined {
  return resolveAll([entry], given).problems[0]
}
