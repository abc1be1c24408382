/** The address behind a request. */
import type { Context } from "./context.js"

/** The address the request came from: what the application says, else what its integration knows. */
export function addressOf({ settings, incoming }: Pick<Context, "settings" | "incoming">): string | undefined {
  const own = settings.limits?.address
  return own ? own({ headers: incoming.headers }) : incoming.address
}
