/** Connections of a Kysely instance: SQLite files, and instances that the application made. */
import type { CompiledQuery } from "kysely"
import type { Builder, Row } from "../dialects/dialect.js"
import { type Connections, connectionOn } from "./connection.js"

/** Statements run through Kysely, with what the application set up for its connections, and without its plugins. */
export function kyselyConnections(kysely: Builder): Connections {
  return {
    hold: (work, holding) =>
      kysely
        .connection()
        .execute((bound) => work(connectionOn((query) => bound.executeQuery(query as CompiledQuery<Row>), holding))),
  }
}
