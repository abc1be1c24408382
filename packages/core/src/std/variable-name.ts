/** Names of environment variables. */

/** The environment variable of a provider. */
export function variableName(id: string, suffix: "ID" | "SECRET" | "ISSUER" | "KEY"): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_${suffix}`
}
