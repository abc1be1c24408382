/** A small Express application as a reader would write it, with either session strategy. */
import { memoryAdapter } from "@latchkey/core/memory"
import type { AuthConfig } from "@latchkey/core/types"
import { authSession, ExpressAuth, requireSession } from "@latchkey/express"
import type { Express } from "express"
import express from "express"

/** An application, and the configuration it was made with. */
export interface Application {
  readonly app: Express
  readonly config: AuthConfig
}

export const strategies = ["jwt", "database"] as const

/** What a test may change. */
export type Changes = Partial<AuthConfig>

/** Makes the application. */
export function makeApplication(strategy: (typeof strategies)[number], changes: Changes = {}): Application {
  const config: AuthConfig = {
    secret: "a secret of the tests that is long enough",
    adapter: memoryAdapter(),
    session: { strategy },
    providers: [
      { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.test", clientId: "c", clientSecret: "s" },
    ],
    callbacks: {
      session: ({ session, user, token }) => ({ ...session, user: { ...session.user, id: user?.id ?? token?.sub } }),
    },
    ...changes,
  }
  const app = express()
  app.use("/auth", ExpressAuth(config))
  app.use(authSession(config))
  app.get(
    "/",
    (_request, response) => void response.send(`Hello, ${response.locals["session"]?.user?.name ?? "stranger"}`),
  )
  app.get(
    "/inside",
    requireSession({ status: 401 }),
    (_request, response) => void response.json(response.locals["session"]),
  )
  return { app, config }
}
