/** Before all tests: installs the drivers from their own lockfile, and starts a PostgreSQL for them. */
import type { TestProject } from "vitest/node"
import { startServers } from "../../tools/servers/global-setup.js"
import { installFixture } from "../support/fixture.js"

/** Called by the test runner; what it answers is called at the end. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  installFixture("drivers")
  return startServers(project, ["postgresql"])
}
