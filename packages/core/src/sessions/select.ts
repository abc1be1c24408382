/** Selects the strategy: sessions in a sealed cookie (`jwt.ts`) or in the database (`database.ts`). */
import type { Settings } from "../config/settings.js"
import { fromModule } from "../std/lazy.js"
import { jwtStrategy } from "./jwt.js"
import type { Strategy } from "./strategy.js"

const load = () => import("./database.js")

/** Sessions in rows. They wait for the store anyway, so an application with sealed cookies need not load them. */
const databaseStrategy: Strategy = {
  beginsInStore: true,
  peek: fromModule(load, ({ peek }) => peek),
  sessionUser: fromModule(load, ({ sessionUser }) => sessionUser),
  leaves: () => [],
  check: fromModule(load, ({ check }) => check),
  update: fromModule(load, ({ update }) => update),
  begin: fromModule(load, ({ begin }) => begin),
  end: fromModule(load, ({ end }) => end),
}

/** The strategy of a configuration. */
export function selectStrategy(settings: Pick<Settings, "strategy">): Strategy {
  return settings.strategy === "jwt" ? jwtStrategy : databaseStrategy
}
