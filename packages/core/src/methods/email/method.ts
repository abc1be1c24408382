/** Sign-in by a link that is sent to an address. */
import type { Method } from "../method.js"
import { begin, claim } from "./begin.js"
import { finish } from "./finish.js"

/** Providers of type `email`. */
export const emailMethod: Method = { claim, begin, finish }
