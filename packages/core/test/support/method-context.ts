/** A context for the tests of methods: a configuration, a request and a clock become what an action is given. */

import { createCaches } from "../../src/config/caches.js"
import { resolveSettings } from "../../src/config/resolve.js"
import { type Context, createContext } from "../../src/context/context.js"
import type { CookieChange } from "../../src/http/result.js"
import type { AuthConfig } from "../../src/types/config.js"
import { readIncoming } from "./read-incoming.js"

/** The secret of tests. */
export const testSecret = "0123456789abcdef0123456789abcdef"
/** The time of tests. */
export const testNow: Date = new Date("2026-07-22T12:00:00.000Z")

/** A request, in short. */
export interface TestRequest {
  readonly path: string
  readonly form?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** Cookies by name. */
  readonly cookies?: ReadonlyMap<string, string>
  readonly method?: string
  readonly now?: Date
  readonly origin?: string
}

/** Makes contexts of one configuration. `C` says of which kind the provider is that its requests are about. */
export function contextsOf<C extends Context = Context>(
  config: Partial<AuthConfig>,
): (request: TestRequest) => Promise<C> {
  const settings = resolveSettings(
    { secret: testSecret, trustHost: true, logger: silent, providers: [], ...config },
    { env: {}, caches: createCaches() },
  )
  return async ({ path, form, headers, cookies, method, now = testNow, origin = "https://app.test" }) => {
    const cookie = [...(cookies ?? [])].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("; ")
    const request = new Request(`${origin}${path}`, {
      method: method ?? (form ? "POST" : "GET"),
      headers: { ...(form && { "content-type": "application/json" }), ...(cookie && { cookie }), ...headers },
      ...(form && { body: JSON.stringify(form) }),
    })
    return createContext({ settings, incoming: await readIncoming(request, settings), now }) as C
  }
}

const silent = { error: (): void => {}, warn: (): void => {}, debug: (): void => {} }

/** The cookies a browser would hold after these changes. */
export function keepCookies(context: Context, changes: readonly CookieChange[]): Map<string, string> {
  const kept = new Map<string, string>()
  for (const change of changes) {
    const { name } = context.cookies[change.role]
    if (!("clear" in change)) kept.set(change.slot === undefined ? name : `${name}.${change.slot}`, change.value)
  }
  return kept
}
