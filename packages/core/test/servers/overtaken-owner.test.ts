/** The owner of an address arrives while an attacker at it is served: transactions of databases do not see each other. */
import { describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { arrivals, expectNoLateEntry } from "../support/overtaking.js"
import { openOnMariadb, openOnPostgres } from "../support/own-database.js"

describe.each(arrivals)("when the owner comes by $way, with sessions of $sessions", (arrival) => {
  describeServer("postgresql", (url) => expectNoLateEntry(arrival, () => openOnPostgres(url)))
  describeServer("mariadb", (url) => expectNoLateEntry(arrival, () => openOnMariadb(url)))
})
