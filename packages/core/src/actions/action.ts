/** What every endpoint is: a function from what is true about a request to one value. */
import type { Context } from "../context/context.js"
import type { Result } from "../http/result.js"

/** One endpoint. Refusals and faults are thrown as AuthErrors; redirects are returned. */
export type Action = (context: Context) => Promise<Result>
