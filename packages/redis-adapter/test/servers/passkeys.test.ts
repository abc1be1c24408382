/** Passkeys that are listed, named and removed, in Redis. */
import { expect, it } from "vitest"
import { livePasskeys } from "../../../core/test/support/passkey-life.js"
import { open } from "./support/rows.js"

it("keeps passkeys with their notes, and forgets those that are removed", async () => {
  await expect(livePasskeys(open().adapter)).resolves.toBeUndefined()
})
