/** The databases that schemas are written for. */

/** Their names, as `--dialect` takes them. */
export const dialects = ["postgresql", "mysql", "sqlite"] as const

export type Dialect = (typeof dialects)[number]
