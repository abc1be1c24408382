/** GET `providers`: what the browser may know of the configured providers. */
import type { Context } from "../context/context.js"
import { providerUrl } from "../context/urls.js"
import { json, type Result } from "../http/result.js"
import type { PublicProvider } from "../types/provider.js"

/** Answers the providers by id. */
export async function providers(context: Context): Promise<Result> {
  const list = [...context.settings.providers.values()].map(({ id, name, type }): [string, PublicProvider] => [
    id,
    {
      id,
      name,
      type,
      signinUrl: providerUrl(context, "signin", id),
      callbackUrl: providerUrl(context, "callback", id),
    },
  ])
  return json(Object.fromEntries(list))
}
