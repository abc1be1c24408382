/** Tests against one of the servers; left out, and counted as such, when `LATCHKEY_WITHOUT` names it. */
import { describe, inject } from "vitest"
import type { ServerPart } from "../without.mjs"
import { partFacts } from "./programs.js"

/** Describes what holds with a server; `body` gets its address. */
export function describeServer(part: ServerPart, body: (url: string) => void): void {
  const url = inject(part)
  // Only where `LATCHKEY_WITHOUT` asks for it: a server that is missing otherwise fails the run.
  describe.skipIf(url === "")(`with ${partFacts[part].title}`, () => body(url))
}
