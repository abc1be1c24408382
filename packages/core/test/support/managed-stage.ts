/** Managed sessions of either strategy on one store in memory, room by room: what a browser carries is a record of cookies. */
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import { selectControl } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { Login } from "../../src/sessions/strategy.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { AdapterUser } from "../../src/types/identity.js"
import type { ManagedSessionsOptions } from "../../src/types/managed-sessions.js"
import type { RecordStore } from "../../src/types/records.js"
import { cookiesAfter, later, makeContext, type TestContext } from "./context.js"
import { account, cookieName } from "./signed-in.js"

/** Both strategies. */
export const strategies = ["jwt", "database"] as const

/** What a browser carries. */
export type Cookies = Readonly<Record<string, string>>

/** How the sessions are managed. */
export interface ManagedGiven {
  readonly strategy: (typeof strategies)[number]
  /** Laid over an adapter in memory. */
  readonly over?: (adapter: Required<Adapter>) => object
  /** `null`: they are not managed. */
  readonly options?: ManagedSessionsOptions | null
  readonly config?: Partial<AuthConfig>
  /** Where records are kept. */
  readonly records?: RecordStore
}

/** A sign-in. */
export interface Begun {
  readonly cookies?: Cookies
  /** After the start of the tests. */
  readonly seconds?: number
  readonly login?: Partial<Login>
}

/** An application with managed sessions. */
export function managedStage({
  strategy,
  over = () => ({}),
  options = {},
  config,
  records = memoryRecords(),
}: ManagedGiven) {
  const memory = memoryAdapter()
  const adapter = { ...memory, ...over(memory) }
  /** The context of a request; `without`: while sessions are not managed. */
  const at = (cookies: Cookies = {}, seconds = 0, managed = options): TestContext => {
    const features = managed === null ? [] : [managedSessions(managed)]
    const session = { strategy, ...config?.session }
    return makeContext({ cookies, now: later(seconds), config: { adapter, records, features, ...config, session } })
  }
  const newUser = (email: string): Promise<AdapterUser> =>
    Promise.resolve(memory.createUser({ id: "", email, emailVerified: null }))
  /** What the browser carries after a sign-in. */
  const signIn = async (user: AdapterUser, { cookies, seconds, login }: Begun = {}, managed = options) => {
    const context = at(cookies, seconds, managed)
    const whole = { user, account, isNew: false, ...login }
    const begun = await selectStrategy(context.settings).begin(context, whole, context.settings.store)
    return cookiesAfter(context, begun.cookies)
  }
  const isOpen = async (cookies: Cookies, seconds = 0): Promise<boolean> => {
    const context = at(cookies, seconds)
    return (await selectStrategy(context.settings).check(context)).session !== null
  }
  /** What the browser carries after it asked for a new token; `null`: it got none. */
  const rotate = async (cookies: Cookies, seconds = 0): Promise<Cookies | null> => {
    const context = at(cookies, seconds)
    const changes = await selectControl(context).rotate(context)
    return changes && cookiesAfter(context, changes)
  }
  const idOf = async (cookies: Cookies): Promise<string> => {
    const context = at(cookies)
    return (await selectControl(context).current(context))?.facts.id ?? "of nobody"
  }
  return { adapter, memory, records, at, newUser, signIn, isOpen, rotate, idOf }
}

/** What the session cookie carries. */
export const tokenIn = (cookies: Cookies): string => cookies[cookieName] ?? ""
