export interface LockedPackage {
  readonly link?: boolean
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
/** What users get: what the published packages depend on, and what that depends on. */
export function runtimeOf(
  lock: Lockfile,
  published: readonly string[],
): readonly (LockedPackage & { path: string; name: string })[]
/** What is wrong with a lockfile. */
export function problemsOf(lock: Lockfile, published?: readonly string[]): readonly string[]
