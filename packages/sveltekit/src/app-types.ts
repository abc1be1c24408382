/** What the hook adds to the types of an application. */
import type { Session } from "@latchkey/core/types"

/** The members of `event.locals`. */
export interface AuthLocals {
  /** The session of this request, read once, or anew after a second where the request has a body; `null` when there is none. Throws an `AuthError` when it cannot be determined. */
  auth(): Promise<Session | null>
  /** Reads the session. @deprecated the older name of `auth` */
  getSession(): Promise<Session | null>
}

declare global {
  // biome-ignore lint/style/noNamespace: SvelteKit reads the types of an application from the global namespace App
  namespace App {
    interface Locals extends AuthLocals {}
    interface PageData {
      session?: Session | null
    }
  }
}
