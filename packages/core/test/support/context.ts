/** Contexts for tests of single rooms: real settings, a fixed clock, cookies as a record, a logger that keeps everything. */

import { createCaches } from "../../src/config/caches.js"
import { resolveSettings } from "../../src/config/resolve.js"
import { type Context, createContext } from "../../src/context/context.js"
import { concreteCookies } from "../../src/http/cookies.js"
import type { AuthAction } from "../../src/http/endpoints.js"
import type { Incoming } from "../../src/http/incoming.js"
import type { CookieChange } from "../../src/http/result.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { AdapterUser } from "../../src/types/identity.js"
import type { AdapterSession } from "../../src/types/session.js"

/** What the clock of every test says, unless the test moves it. */
export const startOfTests: Date = new Date("2026-03-01T12:00:00.000Z")

/** The date some seconds after the start. */
export function later(seconds: number): Date {
  return new Date(startOfTests.getTime() + seconds * 1000)
}

/** What a test may say of its request. */
export interface Surroundings {
  readonly config?: Partial<AuthConfig>
  readonly cookies?: Readonly<Record<string, string>>
  readonly now?: Date | undefined
  readonly action?: AuthAction
  readonly provider?: string | undefined
  readonly method?: "GET" | "POST"
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, unknown>>
  /** @default https://app.test */
  readonly origin?: string
  readonly caller?: Incoming["caller"]
  readonly headers?: Readonly<Record<string, string>>
}

/** A context, and what was logged through it. */
export type TestContext<C extends Context = Context> = C & { readonly logged: Error[] }

/** Makes a context. Without more, it is a GET of the session on https with default settings. `C` says of which kind its provider is. */
export function makeContext<C extends Context = Context>(given: Surroundings = {}): TestContext<C> {
  const { config = {}, now = startOfTests } = given
  const logged: Error[] = []
  const logger = { error: (error: Error) => void logged.push(error), warn: () => {}, debug: () => {} }
  const settings = resolveSettings(
    { providers: [], secret: "a secret for tests with 32 chars or more", logger, ...config },
    { env: {}, caches: createCaches() },
  )
  return { ...(createContext({ settings, incoming: incomingOf(given), now }) as C), logged }
}

function incomingOf(given: Surroundings): Incoming {
  const { action = "session", provider, method = "GET", origin = "https://app.test", caller = "browser" } = given
  return {
    route: { action, provider },
    method,
    isHead: false,
    origin,
    isSecure: origin.startsWith("https:"),
    url: `${origin}/auth/${action}`,
    query: given.query ?? {},
    form: given.form ?? {},
    cookies: new Map(Object.entries(given.cookies ?? {})),
    headers: new Headers(given.headers),
    caller,
    problem: undefined,
  }
}

/** What the browser sends with its next request, after these changes. */
export function cookiesAfter(context: Context, changes: readonly CookieChange[]): Record<string, string> {
  const jar = new Map(context.incoming.cookies)
  for (const { name, value, options } of concreteCookies(changes, context)) {
    if (options.maxAge === 0) jar.delete(name)
    else jar.set(name, value)
  }
  return Object.fromEntries(jar)
}

/** An adapter on two maps that remembers what was asked of it. */
export interface FakeAdapter
  extends Required<
    Pick<Adapter, "getUser" | "createSession" | "getSessionAndUser" | "updateSession" | "deleteSession">
  > {
  readonly users: Map<string, AdapterUser>
  readonly sessions: Map<string, AdapterSession>
  /** Names of the operations, in the order of the calls. */
  readonly calls: string[]
  /** The operation of this name fails. */
  broken: string | undefined
}

/** Makes a fake adapter with one user, `u1`. */
export function makeAdapter(): FakeAdapter {
  const ann: AdapterUser = { id: "u1", name: "Ann", email: "ann@app.test", image: "/ann.png", emailVerified: null }
  const adapter: FakeAdapter = {
    users: new Map([["u1", ann]]),
    sessions: new Map(),
    calls: [],
    broken: undefined,
    getUser: (id) => called("getUser") && (adapter.users.get(id) ?? null),
    createSession(session) {
      called("createSession")
      adapter.sessions.set(session.sessionToken, session)
      return session
    },
    getSessionAndUser(token) {
      called("getSessionAndUser")
      const session = adapter.sessions.get(token)
      const user = session && adapter.users.get(session.userId)
      return session && user ? { session, user } : null
    },
    updateSession(change) {
      called("updateSession")
      const session = adapter.sessions.get(change.sessionToken)
      if (!session) return null
      const changed = { ...session, ...change }
      adapter.sessions.set(change.sessionToken, changed)
      return changed
    },
    deleteSession(token) {
      called("deleteSession")
      const session = adapter.sessions.get(token)
      adapter.sessions.delete(token)
      return session ?? null
    },
  }
  const called = (name: string): true => {
    adapter.calls.push(name)
    if (adapter.broken === name) throw new Error(`${name} is broken`)
    return true
  }
  return adapter
}
