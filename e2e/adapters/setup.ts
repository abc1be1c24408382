/** Before all tests: installs the published adapters from their own lockfiles, and starts servers for them. */
import type { TestProject } from "vitest/node"
import { startServers } from "../../tools/servers/global-setup.js"
import { installFixture } from "../support/fixture.js"

/** Called by the test runner; what it answers is called at the end. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  installFixture("adapters")
  installFixture("prisma")
  return startServers(project, ["postgresql", "mariadb"])
}
