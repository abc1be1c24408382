/** A database that can be opened, and what a Kysely instance makes of one. */
import type { CompiledQuery, Kysely, TableNode } from "kysely"
import type { Connections } from "../connections/connection.js"
import { kyselyConnections } from "../connections/kysely.js"
import type { Builder, Row, SqlDialect } from "../dialects/dialect.js"
import type { ReadOptions } from "../runner.js"

/** A connection that reads beside the writing one. */
export interface Reader {
  readonly read: (query: CompiledQuery, options?: ReadOptions) => Row[]
  readonly close: () => void
}

/** A database that can be opened. */
export interface Opening {
  readonly kysely: Kysely<unknown>
  readonly dialect: SqlDialect
  readonly connections: Connections
  /** Nobody else uses these connections. */
  readonly isAlone?: boolean
  /** The schema that a Kysely instance was set to. */
  readonly schema?: string
  /** Our own file: we migrate it. */
  readonly isEmbedded: boolean
  /** Opens a second connection for reading, where one helps. */
  readonly openReader: () => Promise<Reader | undefined>
  readonly close: () => Promise<void>
}

/** Kysely for running our own statements: plugins of the application must not change them. */
export function plain(kysely: Kysely<unknown>): Builder {
  return kysely.withoutPlugins() as unknown as Builder
}

/** The schema of `withSchema`, which is a plugin without a getter: it can only be read from a compiled statement. */
function schemaOf(kysely: Kysely<unknown>): string | undefined {
  const plugin = kysely.getExecutor().plugins.find((it) => it.constructor.name === "WithSchemaPlugin")
  if (!plugin) return undefined
  const { query } = (plain(kysely).withPlugin(plugin) as Builder).selectFrom("users").selectAll().compile()
  const [table] = query.kind === "SelectQueryNode" ? (query.from?.froms ?? []) : []
  return table?.kind === "TableNode" ? (table as TableNode).table.schema?.name : undefined
}

/** A Kysely instance; closed with the adapter only when it is ours. */
export function borrowed(kysely: Kysely<unknown>, dialect: SqlDialect, isOurs: boolean): Opening {
  const schema = schemaOf(kysely)
  return {
    kysely,
    dialect,
    connections: kyselyConnections(plain(kysely), dialect),
    ...(schema === undefined ? {} : { schema }),
    isEmbedded: false,
    openReader: async () => undefined,
    close: async () => {
      if (isOurs) await kysely.destroy()
    },
  }
}
