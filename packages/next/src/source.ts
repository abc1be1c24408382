/** Finds the service for a configuration, or for a function that makes one for a request. */
import { type AuthService, authOf } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { AuthConfig, Session } from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"

/** Says whether a request may go on: `false` sends the visitor to the sign-in page, a response is the answer. */
export type Authorized<S = Session> = (params: {
  readonly request: NextRequest
  readonly auth: S | null
}) => boolean | Response | undefined | PromiseLike<boolean | Response | undefined>

/** The configuration of the service, with the callback of Next's proxy. */
export type NextAuthConfig = Omit<AuthConfig, "raw" | "callbacks"> & {
  callbacks?: NonNullable<AuthConfig["callbacks"]> & { authorized?: Authorized }
}

/** What an application hands in. */
export type Given =
  | NextAuthConfig
  | AuthService<unknown>
  | ((request: NextRequest | undefined) => NextAuthConfig | PromiseLike<NextAuthConfig>)

/** The service that answers a request, and what the proxy needs beside it. */
export interface Found {
  readonly service: AuthService
  readonly authorized?: Authorized | undefined
  /** A sign-in page of the application's own. */
  readonly signInPage?: string | undefined
}

/** Finds the service for a request; in server components and actions there is none at hand. */
export type Find = (request?: NextRequest) => Promise<Found>

/** Problems of a configuration are logged at once, but not while Next builds the application. */
export function finder(given: Given): Find {
  if (typeof given !== "function") {
    const found = foundOf(given)
    return async () => found
  }
  return async (request) => {
    const config: unknown = await given(request)
    if (typeof config === "object" && config !== null) return foundOf(config as NextAuthConfig)
    const received = config === null ? "null" : typeof config
    throw new InvalidConfiguration(
      `The function given to NextAuth has to return a configuration, but returned ${received}.`,
    )
  }
}

function foundOf(given: NextAuthConfig | AuthService<unknown>): Found {
  if ("handle" in given) return { service: given as AuthService }
  const { callbacks, pages } = given
  return { service: authOf(given, mount()), authorized: callbacks?.authorized, signInPage: pages?.signIn }
}

/** The default base path: as in next-auth, the path of AUTH_URL, else `/api/auth`. */
function mount(): string {
  const address = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.["AUTH_URL"]
  const hasPath = address !== undefined && URL.canParse(address) && new URL(address).pathname !== "/"
  return hasPath ? "" : "/api/auth"
}
