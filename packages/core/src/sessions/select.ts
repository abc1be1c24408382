/** Selects the strategy: sessions in a sealed cookie (`jwt.ts`) or in the database (`database.ts`). */
import type { Settings } from "../config/settings.js"
import { databaseStrategy } from "./database.js"
import { jwtStrategy } from "./jwt.js"
import type { Strategy } from "./strategy.js"

/** The strategy of a configuration. */
export function selectStrategy(settings: Pick<Settings, "strategy">): Strategy {
  return settings.strategy === "jwt" ? jwtStrategy : databaseStrategy
}
