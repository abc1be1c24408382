/**
 * Types for `res.locals`, for those who import this file: `import "@latchkey/express/augment"`. It holds no code.
 *
 * The name of another library's global is opened here, which an application has to want.
 */
import type { Session } from "@latchkey/core/types"

declare global {
  // biome-ignore lint/style/noNamespace: the types of Express are opened through this namespace, there is no module for it
  namespace Express {
    interface Locals {
      /** The session, `null` when there is none; absent where `authSession` has not run. */
      session?: Session | null
    }
  }
}
