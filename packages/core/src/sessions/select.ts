/** Settings to strategy. */
import type { Settings } from "../config/settings.js"
import { databaseStrategy } from "./database.js"
import { jwtStrategy } from "./jwt.js"
import type { Strategy } from "./strategy.js"

/** How this configuration keeps its sessions. */
export function selectStrategy(settings: Pick<Settings, "strategy">): Strategy {
  return settings.strategy === "jwt" ? jwtStrategy : databaseStrategy
}
