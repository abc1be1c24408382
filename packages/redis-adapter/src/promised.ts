/** The operations of an adapter as this one offers them. */

/** The same operations, all offered, each answering a promise. */
export type Promised<T> = {
  [Name in keyof T]-?: NonNullable<T[Name]> extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never
}
