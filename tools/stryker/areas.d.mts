/** What is changed, and which tests have to notice it: paths, with names in braces and `*`, or `!` in front of what is left out. */
interface Area {
  readonly mutate: readonly string[]
  readonly near: readonly string[]
  readonly far: readonly string[]
}

export const areas: Readonly<Record<string, Area>>
