/** Paths below the base path: text to action and provider, and back. */
import type { AuthAction } from "../types/config.js"

/** Which action a path names. */
export interface Route {
  readonly action: AuthAction
  readonly provider: string | undefined
}
