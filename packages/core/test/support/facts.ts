/** Settings, requests and contexts for tests of single rooms: real ones, made of little. */

import { createCaches } from "../../src/config/caches.js"
import { resolveSettings } from "../../src/config/resolve.js"
import type { Settings } from "../../src/config/settings.js"
import { type Context, createContext } from "../../src/context/context.js"
import type { AuthConfig } from "../../src/types/config.js"
import { readIncoming } from "./read-incoming.js"

/** A secret of the right length. */
export const secret = "0123456789abcdef0123456789abcdef"

/** The moment at which tests take place. */
export const noon: Date = new Date("2026-03-01T12:00:00.000Z")

/** Settings of a configuration that trusts any host. */
export function settingsOf(config: Partial<AuthConfig> = {}, env: Record<string, string> = {}): Settings {
  return resolveSettings({ providers: [], secret, trustHost: true, ...config }, { env, caches: createCaches() })
}

/** A POST with a form as its body. */
export function post(url: string, form: Record<string, string> = {}, headers: Record<string, string> = {}): Request {
  return new Request(url, { method: "POST", headers, body: new URLSearchParams(form) })
}

/** The context of a request. */
export async function contextOf(
  request: Request | string,
  {
    config = {},
    now = noon,
    settings = settingsOf(config),
  }: { config?: Partial<AuthConfig>; now?: Date; settings?: Settings } = {},
): Promise<Context> {
  const incoming = await readIncoming(typeof request === "string" ? new Request(request) : request, settings)
  return createContext({ settings, incoming, now })
}
