/** `some-service` as SomeService; a leading digit is put behind a letter. */
export function functionName(id: string): string
/** The file of the provider. */
export function providerFile(id: string, kind?: "oauth" | "oidc", today?: Date): string
/** The fixture: what the provider does. */
export function fixtureFile(id: string, kind?: "oauth" | "oidc"): string
/** What is written for a provider, by path. */
export function filesOf(id: string, kind?: "oauth" | "oidc"): Map<string, string>
