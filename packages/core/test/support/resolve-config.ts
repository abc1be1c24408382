/** A whole configuration as it is resolved, with a secret and no providers unless it says otherwise. */

import { createCaches } from "../../src/config/caches.js"
import { resolveSettings } from "../../src/config/resolve.js"
import type { Settings } from "../../src/config/settings.js"
import type { AuthConfig } from "../../src/types/config.js"

/** 32 characters that no list of placeholders has. */
export const secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

const caches = createCaches()

/** What stands around the configuration. */
interface Surroundings {
  readonly env?: Record<string, string>
  readonly mount?: string
}

/** Resolves a configuration, well or not. */
export function resolveWith(config: object, { env = {}, mount }: Surroundings = {}): Settings {
  const given = { env, caches, ...(mount !== undefined && { mount }) }
  return resolveSettings({ secret, providers: [], ...config } as AuthConfig, given)
}
