/** Kysely that writes SQL and runs nothing, and what tells the adapters of its dialects. */
import { type Dialect, type DialectAdapter, DummyDriver, Kysely } from "kysely"
import type { Tables } from "./dialect.js"

export function builderOf(
  dialect: Pick<Dialect, "createAdapter" | "createIntrospector" | "createQueryCompiler">,
): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => dialect.createIntrospector(kysely),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  })
}

/** Is the adapter of this class, or of one that is made from it? By name, because Kysely may be there more than once. */
export function descendsFrom(adapter: DialectAdapter, name: string): boolean {
  for (let made: unknown = adapter.constructor; typeof made === "function"; made = Object.getPrototypeOf(made)) {
    if (made.name === name) return true
  }
  return false
}
