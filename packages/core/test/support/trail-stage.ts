/** A service with passwords and mailed links whose trail is kept, and requests to it. */
import { memoryAdapter } from "../../src/adapters/memory.js"
import { createAuth, skipCSRFCheck } from "../../src/index.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TrailEntry } from "../../src/types/trail.js"

export const origin = "https://app.test"
export const agent = "Browser/1.0"

/** Everybody's password is `right`; with `down` nobody can tell. All requests come from 203.0.113.7. */
export function trailStage(config: Partial<AuthConfig> = {}) {
  const entries: TrailEntry[] = []
  const errors: Error[] = []
  const auth = createAuth(
    {
      providers: [
        {
          id: "password",
          name: "Password",
          type: "credentials",
          credentials: { username: {}, password: { type: "password" } },
          authorize: ({ username, password }) => {
            if (password === "down") throw new Error("the directory is away")
            return password === "right" ? { id: String(username) } : null
          },
        },
        {
          id: "mail",
          name: "Mail",
          type: "email",
          from: "app@app.test",
          sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
        } as never,
      ],
      secret: "0123456789abcdef0123456789abcdef",
      trustHost: true,
      skipCSRFCheck,
      adapter: memoryAdapter(),
      session: { strategy: "jwt" },
      logger: { error: (error) => void errors.push(error), warn: () => {}, debug: () => {} },
      trail: (entry) => void entries.push(entry),
      ...config,
    },
    { env: {} },
  )
  const links: string[] = []
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
