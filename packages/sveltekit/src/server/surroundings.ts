/** What the service needs to know of the application around it, so that nothing but `kit.ts` imports its virtual modules. */

/** The application around the service. */
export interface Surroundings {
  /** The application is being built or prerendered: no secret may be read. */
  isBuilding(): boolean
  /** `kit.paths.base`, empty for the root. */
  readonly kitBase: string
  /** The private environment, as it is at run time. */
  environment(): Promise<Readonly<Record<string, string | undefined>>>
}

/** Variables as text. Declared variables may have been turned into numbers or booleans by their schema. */
export function asEnvironment(...records: readonly object[]): Record<string, string> {
  const merged: Record<string, string> = {}
  for (const record of records)
    for (const [name, value] of Object.entries(record))
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
        merged[name] = String(value)
  return merged
}
