/**
 * What an application runs once when it starts in development: the checks of `latchkey doctor` that need its configuration
 * alone. For `@latchkey/core`, which looks for this module; not for applications.
 */
import type { StartCheck } from "@latchkey/core/testing"
import { findingsAtStart } from "./doctor/at-start.js"
import { addressOf } from "./doctor/finding.js"
import { systemFiles } from "./system-world.js"

/** Kept for the whole process: a bundler may load the core several times, and this module once. */
const said = new Set<string>()

/** Checks a configuration in the folder of this process; answers what no earlier call has answered. */
export const checkAtStart: StartCheck = (started) => {
  const found = findingsAtStart(started, { cwd: process.cwd(), files: systemFiles })
  const fresh = found.filter(({ message }) => !said.has(message))
  for (const { message } of fresh) said.add(message)
  return fresh.map((finding) => ({ ...finding, page: addressOf(finding.page) }))
}
