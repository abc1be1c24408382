/** Which way this browser chose last on the sign-in page. */
import { lastProviderCookie } from "../client/last-provider.js"
import type { Context } from "./context.js"

/** The id of the provider; `undefined` where there is none, or where it is configured no more. */
export function lastProviderOf({ incoming, settings }: Pick<Context, "incoming" | "settings">): string | undefined {
  const id = incoming.cookies.get(lastProviderCookie)
  return id !== undefined && settings.providers.has(id) ? id : undefined
}
