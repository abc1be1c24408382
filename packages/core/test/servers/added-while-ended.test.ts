/** A session ends while an account is added to it, in a transaction that does not see the end, or is not seen by who ends it. */
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import type { Adapter } from "../../src/types/adapter.js"
import { endings, theft } from "../support/ending.js"
import { openOnMariadb, openOnPostgres } from "../support/own-database.js"

const tags = ["threat:SF-08"]
const operations = ["linkAccount", "createSession", "deleteSession"] as const
const strategies = ["jwt", "database"] as const
const cases = strategies.flatMap((strategy) =>
  endings.flatMap((how) =>
    // With sealed cookies no row of a session is written.
    operations.slice(0, strategy === "jwt" ? 1 : undefined).map((operation) => ({ strategy, how, operation })),
  ),
)

function expectNothingAdded(open: () => Promise<Adapter>): void {
  it.each(cases)("$strategy: ends by $how before $operation", { tags }, async ({ strategy, how, operation }) => {
    const { world, hold, thief, end, ownerOfAccount } = await theft({ strategy, adapter: await open() })
    const adding = await hold(operation, () => world.signInAtOp(thief))
    const ending = end(how)
    // Some databases let it wait for the transaction: then the account was added before.
    const isFirst = await Promise.race([ending.then(() => true), sleep(1500, false)])
    await adding.finish()
    await ending
    expect(await thief.session()).toBeNull()
    if (isFirst) expect(await ownerOfAccount()).toBeUndefined()
  })

  it.each(["endOthers", "end by its name"] as const)(
    "%s finds it before the next one begins",
    { tags },
    async (how) => {
      const { world, hold, thief, end } = await theft({ strategy: "database", adapter: await open() })
      const ending = await hold("deleteSession", () => end(how))
      await world.signInAtOp(thief)
      expect(await thief.session()).not.toBeNull()
      await ending.finish()
      expect(await thief.session()).toBeNull()
    },
  )
}

describe("a session to which an account is added", () => {
  describeServer("postgresql", (url) => expectNothingAdded(() => openOnPostgres(url)))
  describeServer("mariadb", (url) => expectNothingAdded(() => openOnMariadb(url)))
})
