/** The session of a page as a store that components subscribe to: one for all components, kept in sync with the other tabs. */
import type { AuthClient } from "@latchkey/core/client"
import type { Session } from "@latchkey/core/types"
import { type News, openTabs, type Tabs } from "./tabs.js"

/** What is known about the session. */
export type SessionState<S = Session> =
  | { readonly status: "loading"; readonly data: undefined; readonly error: undefined }
  | { readonly status: "authenticated"; readonly data: S; readonly error: Error | undefined }
  | { readonly status: "unauthenticated"; readonly data: null; readonly error: Error | undefined }
  | {
      /** The service answered with an error before anything was known: the visitor may be signed in. */
      readonly status: "error"
      readonly data: undefined
      readonly error: Error
    }

/** How a store is made. */
export interface SessionStoreOptions {
  readonly client: Pick<AuthClient, "getSession" | "update">
  /** The session as the server rendered it; `undefined` when the server did not read it. */
  readonly session?: Session | null | undefined
  /** Name of the channel between tabs; without one each tab stands alone. */
  readonly channel?: string | undefined
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** A store of the session. */
export interface SessionStore {
  /** The current state: the same object until something changes. */
  readonly state: () => SessionState
  /** The state while the page is rendered on a server and hydrated. */
  readonly initialState: () => SessionState
  /** Calls back after each change; the first subscriber opens the channel and asks the service, if nothing is known. */
  readonly subscribe: (listener: () => void) => () => void
  /** Asks the service; callers at the same time share one request. */
  readonly refresh: () => Promise<Session | null | undefined>
  /** Passes data to the callbacks of the application and keeps the session as it is then. Throws a `ClientError`. */
  readonly update: (data?: unknown) => Promise<Session | null>
  /** Takes over a session that the server has rendered since. */
  readonly receive: (session: Session | null) => void
  /** Milliseconds since the service last answered, here or in another tab; `Infinity` when it never did. */
  readonly age: () => number
}

const loading: SessionState = { status: "loading", data: undefined, error: undefined }

/** Makes a store. Nothing is asked of the service before something subscribes. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { client, channel, now = Date.now } = options
  const held = hold(options.session, now)
  const listeners = held.listeners
  let pending: Promise<Session | null | undefined> | undefined
  let tabs: Tabs | undefined

  const share = (news: News): boolean => {
    const isNewer = held.learn(news)
    if (isNewer) tabs?.send(news)
    return isNewer
  }
  const ask = async (): Promise<Session | null | undefined> => {
    const asked = now()
    held.confirm()
    try {
      share({ session: await client.getSession(), asked })
    } catch (error) {
      held.fail(error instanceof Error ? error : new Error("The session could not be read."))
    }
    return held.state().data
  }
  const refresh = (): Promise<Session | null | undefined> => {
    pending ??= ask().finally(() => {
      pending = undefined
    })
    return pending
  }
  /** How old a rendered page is nobody knows. Where another tab objects to it, the page asks the service, once. */
  const hear = (news: News): void => {
    const isKnown = held.state().data !== undefined
    if (news.kind === "objection") {
      if (held.isRendered() && held.differs(news.session)) void ask()
    } else if (news.kind === "rendered" && isKnown) {
      if (held.differs(news.session)) tabs?.send(held.news("objection"))
    } else held.learn(news)
  }
  const open = (): void => {
    // A request that is under way may have been answered before the change: this one is asked beside it.
    if (channel !== undefined) tabs = openTabs(channel, { onNews: hear, onChange: () => void ask() })
    const { data } = held.state()
    // A page that was rendered with a session may be newer than other tabs: the visitor may have just signed in or out.
    if (data === undefined) void refresh()
    else tabs?.send(held.news(held.isRendered() ? "rendered" : undefined))
  }
  return {
    state: held.state,
    initialState: held.initialState,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) open()
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        tabs?.close()
        tabs = undefined
      }
    },
    refresh,
    async update(data) {
      const asked = now()
      const session = await client.update(data)
      // An answer to a later request came first, and may be from before the update.
      if (!share({ session, asked })) await ask()
      return session
    },
    receive: (session) => void share({ session, asked: now(), kind: "rendered" }),
    age: held.age,
  }
}

/** The current state, and its subscribers. */
function hold(session: Session | null | undefined, now: () => number) {
  const initial: SessionState = session === undefined ? loading : stateOf(session)
  const listeners = new Set<() => void>()
  let state = initial
  let asked = session === undefined ? Number.NEGATIVE_INFINITY : now()
  let isRendered = session !== undefined
  const set = (next: SessionState): void => {
    if (isSame(state, next)) return
    state = next
    for (const listener of listeners) listener()
  }
  return {
    listeners,
    state: (): SessionState => state,
    initialState: (): SessionState => initial,
    /** What other tabs get to know. */
    news: (kind: News["kind"]): News => ({ session: state.data ?? null, asked, ...(kind && { kind }) }),
    /** Is it another session than the one that is known? Where none is known, nothing differs. */
    differs: (other: Session | null): boolean => state.data !== undefined && !isEqual(state.data, other),
    /** The state is what the server rendered, and the service has not been asked since. */
    isRendered: (): boolean => isRendered,
    /** The service is being asked. */
    confirm: (): void => {
      isRendered = false
    },
    /** Takes over a state, unless a newer one is known. */
    learn(news: News): boolean {
      const present = now()
      // What is known from the future was learned before the clock was set back: it must not outlast every answer.
      if (asked <= present && news.asked < asked) return false
      asked = Math.min(news.asked, present)
      isRendered = news.kind === "rendered"
      set(stateOf(news.session))
      return true
    },
    /** A failing service signs nobody out: the last known state stays, with the error beside it. */
    fail: (error: Error): void =>
      set(state.data === undefined ? { status: "error", data: undefined, error } : { ...state, error }),
    age: (): number => now() - asked,
  }
}

function stateOf(session: Session | null): SessionState {
  return session === null
    ? { status: "unauthenticated", data: null, error: undefined }
    : { status: "authenticated", data: session, error: undefined }
}

/** Sessions are JSON. An equal session must not render all components again, only because its expiry moved. */
function isSame(one: SessionState, other: SessionState): boolean {
  return one.status === other.status && one.error === other.error && isEqual(one.data, other.data)
}

function isEqual(one: Session | null | undefined, other: Session | null | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
