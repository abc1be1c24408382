/** Before all tests: installs the drivers from their own lockfile. */
import { installFixture } from "../support/fixture.js"

/** Called by the test runner. */
export default function setup(): void {
  installFixture("drivers")
}
