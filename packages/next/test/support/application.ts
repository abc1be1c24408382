/** A configuration, requests as Next hands them over, and somebody who is signed in. */
import { Credentials } from "@latchkey/core/providers/credentials"
import { GitHub } from "@latchkey/core/providers/github"
import { signInAs } from "@latchkey/testing"
import type { NextRequest } from "next/server.js"
import type { NextAuthConfig } from "../../src/index.js"
import { current } from "./next/request.js"

export const address = "https://app.test"
const silent = { error: () => {}, warn: () => {}, debug: () => {} }

export function config(more: Partial<NextAuthConfig> = {}): NextAuthConfig {
  return {
    secret: "0123456789abcdef0123456789abcdef",
    trustHost: true,
    logger: silent,
    providers: [
      Credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) => (password === "right" ? { id: "1", name: String(name) } : null),
      }),
      GitHub({ clientId: "client", clientSecret: "secret" }),
    ],
    ...more,
  }
}

/** The headers that Next shows for a request to the public address. */
export function sent(more: Readonly<Record<string, string>> = {}): Headers {
  return new Headers({ host: "app.test", "x-forwarded-host": "app.test", "x-forwarded-proto": "https", ...more })
}

/** A request as the proxy gets it in an application with a `basePath` in its next.config: only `nextUrl` is without it. */
export function requestBelow(basePath: string, path: string, headers: Headers = sent()): NextRequest {
  const request = requestOf(basePath + path, headers)
  const { pathname } = new URL(`http://localhost:3000${path}`)
  return Object.assign(request, { nextUrl: Object.assign(new URL(request.url), { basePath, pathname }) })
}

/** A request as the proxy and route handlers get it: its URL has the name that Next believes to have. */
export function requestOf(path: string, headers: Headers = sent(), init: RequestInit = {}): NextRequest {
  const request = new Request(`http://localhost:3000${path}`, { ...init, headers })
  return Object.assign(request, { nextUrl: Object.assign(new URL(request.url), { basePath: "" }) }) as NextRequest
}

/** Makes this the request behind server components and actions. */
export function arrive(headers: Headers | null = sent()): typeof current {
  current.headers = headers
  current.isRendering = false
  current.cookies.length = 0
  return current
}

/** The cookie of Ada; after two days her session is due for extension. */
export async function adaOf(given: NextAuthConfig, { isDue = false } = {}): Promise<{ cookie: string }> {
  const at = new Date(Date.now() - (isDue ? 2 * 24 * 60 * 60 * 1000 : 0))
  return { ...(await signInAs(given, { id: "1", name: "Ada" }, { url: address, at })).headers }
}
