/** Passkeys that are listed, named and removed, in a SQLite file. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"
import { livePasskeys } from "../../core/test/support/passkey-life.js"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()

it("keeps passkeys with their notes, and forgets those that are removed", async () => {
  const adapter = sqlAdapter({ filename: file() })
  try {
    await expect(livePasskeys(adapter)).resolves.toBeUndefined()
  } finally {
    await adapter.close()
  }
})
