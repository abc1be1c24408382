/**
 * Types for `req.auth`, for those who import this file and say `authSession(config, { onRequest: true })`:
 * `import "@latchkey/express/augment-request"`. It holds no code.
 */
import type { Session } from "@latchkey/core/types"

declare global {
  // biome-ignore lint/style/noNamespace: the types of Express are opened through this namespace, there is no module for it
  namespace Express {
    interface Request {
      /** What `authSession` read; absent where it has not run, or without its option `onRequest`. */
      auth?: { readonly session: Session | null }
    }
  }
}
