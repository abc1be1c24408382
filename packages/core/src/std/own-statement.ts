/** What `emailVerified` of a provider's file is about: the address that the `profile` of that file maps, noted at the function itself, so that it is known wherever the function is copied to. */

/** Of the registry, because providers and core may come from two copies of this package. */
const subject = Symbol.for("latchkey.subject-of-statement")

interface Stating {
  readonly emailVerified?: ((profile: never) => unknown) | undefined
  readonly profile?: unknown
}

/** The definition, whose statement knows its subject from now on. A function of its own: several files share one. */
export function withSubject<D extends Stating>(definition: D): D {
  const { emailVerified, profile } = definition
  if (!emailVerified) return definition
  // How many parameters it names says whether it looks at the profile: `bind` keeps that.
  return {
    ...definition,
    emailVerified: Object.defineProperty(emailVerified.bind(undefined), subject, { value: profile }),
  }
}

/** The `profile` of the file that a statement comes from; `fallback` where that file has none, `undefined` where no file is known. */
export function subjectOf<F>(statement: unknown, fallback: F): unknown {
  if (typeof statement !== "function" || !(subject in statement)) return undefined
  return statement[subject] ?? fallback
}
