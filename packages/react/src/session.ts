"use client"
/** The session in React components: a provider around the application, and the hook that reads from it. */
import { createClient } from "@latchkey/core/client"
import type { Session } from "@latchkey/core/types"
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react"
import { channelOf } from "./sign.js"
import { createSessionStore, type SessionState, type SessionStore } from "./store.js"

/** What the provider takes. */
export interface SessionProviderProps {
  /** The components that may read the session. */
  readonly children?: ReactNode
  /** The session as the server read it: `null` for a visitor who is signed out. Without it the browser fetches the session once the page has loaded. */
  readonly session?: Session | null
  /** Where the service is mounted. @default "/auth" */
  readonly basePath?: string
  /** Seconds after which a visible tab asks again; another tab's answer counts. @default 0, which never asks again */
  readonly refetchInterval?: number
  /** Ask when the tab comes back into sight, at most once a minute. @default false */
  readonly refetchOnWindowFocus?: boolean
}

/** What {@link useSession} takes. */
export interface UseSessionOptions {
  /** Send visitors who are not signed in to the sign-in page, unless they are there, or call `onUnauthenticated`. @default false */
  readonly required?: boolean
  /** Called instead of leaving for the sign-in page. */
  readonly onUnauthenticated?: () => void
}

/** What {@link useSession} answers: the state, and how to change it. `S` is the session as the application shapes it. */
export type UseSession<S = Session> = SessionState<S> & {
  /** Passes data to the callbacks (`trigger: "update"`); without an argument they run as for a read. Throws a `ClientError`. */
  readonly update: (data?: unknown) => Promise<S | null>
  /** Asks the service again. */
  readonly refresh: () => Promise<S | null | undefined>
}

interface Held {
  readonly store: SessionStore
  readonly basePath: string
}

/** Milliseconds between two requests of a tab that is shown again. */
const focusPause = 60_000

const SessionContext = createContext<Held | undefined>(undefined)

/**
 * Provides the session to the components inside. One request serves all of them, and tabs tell each other about changes:
 * signing out in one signs out all. A failing service signs nobody out (`status: "error"`, or the last
 * known state with `error`).
 */
export function SessionProvider(props: SessionProviderProps): ReactElement {
  const { children, session, basePath = "/auth", refetchInterval = 0, refetchOnWindowFocus = false } = props
  // One store for the life of the provider: a new session from the server is handed to it below.
  const [held] = useState<Held>(() => ({
    basePath,
    store: createSessionStore({ client: createClient({ basePath }), session, channel: channelOf(basePath) }),
  }))
  const first = useRef(true)
  useEffect(() => {
    if (!first.current && session !== undefined) held.store.receive(session)
    first.current = false
  }, [held, session])
  useEffect(() => polling(held.store, refetchInterval * 1000), [held, refetchInterval])
  useEffect(() => (refetchOnWindowFocus ? onSight(held.store) : undefined), [held, refetchOnWindowFocus])
  return createElement(SessionContext.Provider, { value: held }, children)
}

/**
 * The session in a component inside {@link SessionProvider}; throws outside of one.
 *
 * @example
 * const { data: session, status } = useSession()
 * if (status === "authenticated") return session.user?.name
 */
export function useSession<S extends Session = Session>(options: UseSessionOptions = {}): UseSession<S> {
  const held = useContext(SessionContext)
  if (!held) throw new Error("useSession needs <SessionProvider> around the component that calls it.")
  const { store, basePath } = held
  const state = useSyncExternalStore(store.subscribe, store.state, store.initialState)
  const { required = false, onUnauthenticated } = options
  const isTurnedAway = required && state.status === "unauthenticated"
  useEffect(() => {
    if (!isTurnedAway) return
    if (onUnauthenticated) onUnauthenticated()
    else toSignIn(basePath)
  }, [isTurnedAway, onUnauthenticated, basePath])
  return useMemo(() => ({ ...state, update: store.update, refresh: store.refresh }) as UseSession<S>, [state, store])
}

function toSignIn(basePath: string): void {
  const signIn = `${withoutSlash(basePath)}/signin`
  if (isShown(signIn)) return
  const query = new URLSearchParams({ error: "SessionRequired", callbackUrl: location.href })
  location.assign(`${signIn}?${query}`)
}

/** Is the sign-in page shown already? It may be a page of the application's own, which the service sends visitors on to. */
function isShown(signIn: string): boolean {
  const query = new URLSearchParams(location.search)
  const wasSentHere = query.get("error") === "SessionRequired" && query.has("callbackUrl")
  return wasSentHere || withoutSlash(location.pathname) === signIn
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, "")

/** Only visible tabs fetch the session again, and only one of them. */
function polling(store: SessionStore, interval: number): (() => void) | undefined {
  if (!(interval > 0)) return undefined
  const timer = setInterval(() => {
    if (document.visibilityState === "visible" && store.age() >= interval * 0.9) void store.refresh()
  }, interval)
  return () => clearInterval(timer)
}

function onSight(store: SessionStore): () => void {
  const look = (): void => {
    if (document.visibilityState === "visible" && store.age() >= focusPause) void store.refresh()
  }
  document.addEventListener("visibilitychange", look)
  return () => document.removeEventListener("visibilitychange", look)
}
