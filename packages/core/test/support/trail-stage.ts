/** A service with passwords and mailed links whose trail is kept, and requests to it. */
import { memoryAdapter } from "../../src/adapters/memory.js"
import { createAuth } from "../../src/index.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TrailEntry } from "../../src/types/trail.js"
import { mailProvider, passwordProvider, plainSettings } from "./password-service.js"

export const origin = "https://app.test"
export const agent = "Browser/1.0"

/** The service, its trail, its errors and the links it mailed. All requests come from 203.0.113.7. */
export function trailStage(config: Partial<AuthConfig> = {}) {
  const entries: TrailEntry[] = []
  const errors: Error[] = []
  const links: string[] = []
  const auth = createAuth(
    {
      ...plainSettings,
      providers: [passwordProvider(), mailProvider(({ url }) => void links.push(url))],
      adapter: memoryAdapter(),
      logger: { ...plainSettings.logger, error: (error) => void errors.push(error) },
      trail: (entry) => void entries.push(entry),
      ...config,
    },
    { env: {} },
  )
  const ask = (path: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const init = form ? { method: "POST", body: new URLSearchParams(form) } : {}
    const sent = { "user-agent": agent, accept: "text/html", ...headers }
    return auth.handle(
      new Request(path.startsWith("http") ? path : `${origin}/auth/${path}`, { ...init, headers: sent }),
      {
        address: "203.0.113.7",
      },
    )
  }
  const guess = (password: string, username = "ada") => ask("callback/password", { username, password })
  return { auth, ask, guess, entries, errors, links }
}
