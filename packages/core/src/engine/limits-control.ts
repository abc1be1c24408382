/** What an application, or support, does about limits from outside a request. */
import { fromModule } from "../std/lazy.js"
import type { AuthService } from "./public.js"
import { settingsOf } from "./service.js"

/** What is done about limits from outside a request. */
export interface LimitsControl {
  /**
   * Forgets the failed tries and the sent messages of whoever types `who`, an address or the name beside a password: a
   * person who has to wait may try again at once, in every browser. Where `accountField` names several fields, `who` lists
   * what stands in them, in the same order. Does nothing where nothing is limited.
   * @throws AdapterError when the records cannot be asked
   */
  reset(auth: AuthService, who: string | readonly string[]): Promise<void>
}

const forgetTyped = fromModule(
  () => import("../context/tries.js"),
  (module) => module.forgetTyped,
)

/**
 * Opens what is limited.
 *
 * @example
 * ```ts
 * import { createAuth, limits } from "@latchkey/core"
 *
 * const auth = createAuth({ providers: [] })
 * await limits.reset(auth, "ada@example.com")
 * ```
 */
export const limits: LimitsControl = {
  async reset(auth, who) {
    const settings = settingsOf(auth)
    if (settings?.limits) await forgetTyped(settings, who)
  },
}
