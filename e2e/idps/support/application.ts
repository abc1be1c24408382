/** An application on the engine, over real HTTP: Express, one provider, made anew for each test. */
import { createServer } from "node:http"
import type { AuthConfig } from "@latchkey/core"
import { customFetch } from "@latchkey/core"
import type { Account, Profile } from "@latchkey/core/types"
import { ExpressAuth } from "@latchkey/express"
import { close, listen } from "@latchkey/testing/listen"
import express from "express"

/** A request of the engine to the provider, and the answer. */
export interface Call {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly sent: { readonly headers: Headers; readonly body: URLSearchParams }
  readonly type: string
  readonly text: string
}

/** Somebody who has signed in, as the event `signIn` names them. */
export interface Arrival {
  readonly account: Account | null | undefined
  readonly profile: Profile | undefined
}

/** What one configuration of the application has seen. */
export interface Seen {
  readonly calls: readonly Call[]
  readonly arrivals: readonly Arrival[]
  /** The logged errors, each with its causes on one line. */
  readonly errors: readonly string[]
}

/** A running application. */
export interface Application {
  readonly origin: string
  /** Where the provider sends people back to. */
  readonly callback: string
  /** Makes the application anew with this provider, which gets the id `idp`. */
  serve(provider: object, config?: Partial<AuthConfig>): Seen
  close(): Promise<void>
}

/** Starts the application on `localhost`; providers are on `127.0.0.1`, another site. */
export async function openApplication(): Promise<Application> {
  let app = express()
  const server = createServer((req, res) => app(req, res))
  const origin = `http://localhost:${await listen(server)}`
  return {
    origin,
    callback: `${origin}/auth/callback/idp`,
    serve(provider, config = {}) {
      const calls: Call[] = []
      const arrivals: Arrival[] = []
      const errors: string[] = []
      app = express()
      app.use(
        "/auth",
        ExpressAuth({
          secret: "a secret of these tests, of no use elsewhere",
          trustHost: true,
          session: { strategy: "jwt" },
          logger: { error: (error) => errors.push(describeError(error)), warn: () => {}, debug: () => {} },
          events: { signIn: ({ account, profile }) => void arrivals.push({ account, profile }) },
          ...config,
          // biome-ignore format: one provider
          providers: [{ id: "idp", name: "IdP", type: "oidc", checks: ["pkce", "state", "nonce"], ...provider, [customFetch]: recordingFetch(calls) } as never],
        }),
      )
      return { calls, arrivals, errors }
    },
    close: () => close(server),
  }
}

function recordingFetch(calls: Call[]): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    calls.push({
      method: init?.method ?? "GET",
      url: String(input),
      status: response.status,
      sent: { headers: new Headers(init?.headers), body: new URLSearchParams(String(init?.body ?? "")) },
      type: response.headers.get("content-type")?.split(";")[0] ?? "",
      text: await response.clone().text(),
    })
    return response
  }
}

function describeError(error: Error): string {
  const parts: string[] = []
  for (let each: unknown = error; each instanceof Error; each = causeOf(each))
    parts.push(`${each.name}: ${each.message}`)
  return parts.join(" – ")
}

function causeOf({ cause }: Error): unknown {
  return (cause as { err?: unknown } | undefined)?.err ?? cause
}
