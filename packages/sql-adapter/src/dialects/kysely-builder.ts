/** Kysely that writes SQL and runs nothing. */
import { type Dialect, DummyDriver, Kysely } from "kysely"
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
