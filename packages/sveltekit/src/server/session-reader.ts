/** The session of one request: read once, its cookie written as long as a response can carry it. */
import type { Cookie, Session } from "@latchkey/core/types"
import { setCookies } from "./cookies.js"
import { type AuthEvent, sessionSource } from "./event.js"
import { areDifferent, cookiesOf, cookiesSent, type OwnCookies } from "./own-cookies.js"
import type { FindService } from "./service.js"

/** Reads the session of one request. */
export interface SessionReader {
  /**
   * The session, `null` when there is none. The same promise for all callers, until its cookies are changed: by `change`, or
   * by a request that the application made itself. Rejects with an AuthError when it cannot be determined.
   */
  read(): Promise<Session | null>
  /** Sets cookies that change the session: the next call reads it again from the new cookies. */
  change(cookies: readonly Cookie[]): void
  /** Sets cookies that leave the session as it is. */
  write(cookies: readonly Cookie[]): void
  /** The response is made. Later reads get the session, and nothing is extended. */
  close(): void
  /** Cookies were set: the response is for this person alone. */
  readonly hasWritten: boolean
  /** Somebody's session was asked for, and there is one or it is not known yet. */
  readonly hasShown: boolean
}

/** What a reader works with. */
export interface ReaderParts {
  readonly findService: FindService
  readonly own: OwnCookies
}

/** Makes the reader of one request. */
export function readerOf(event: AuthEvent, { findService, own }: ReaderParts): SessionReader {
  cookiesSent(event)
  let reading: Promise<Session | null> | undefined
  /** The cookies that `reading` goes by. */
  let known: ReadonlyMap<string, string> = new Map()
  let isOpen = true
  let hasWritten = false
  let hasShown = false
  let round = 0

  const read = async (): Promise<Session | null> => {
    const begun = { round, cookies: cookiesOf(event) }
    known = begun.cookies
    const service = await findService(event)
    const source = sessionSource(event, own.areChanged(event))
    // After a sign-in or sign-out meanwhile, here or in a request of the application's own, the earlier session must not be
    // restored.
    const keep = (cookies: readonly Cookie[]): void => {
      if (!isOpen || cookies.length === 0 || begun.round !== round) return
      const names = new Set(cookies.map(({ name }) => name))
      if (areDifferent({ one: begun.cookies, other: cookiesOf(event) }, (name) => names.has(name))) return
      hasWritten = written(event, cookies, own) || hasWritten
      known = cookiesOf(event)
    }
    const { session, cookies } = await service.session(source, { extend: isOpen, onThrow: keep })
    keep(cookies)
    if (begun.round === round) hasShown = session !== null
    return session
  }

  const isCurrent = (): boolean =>
    reading !== undefined && !areDifferent({ one: known, other: cookiesOf(event) }, (name) => own.has(name))

  const set = (cookies: readonly Cookie[]): void => {
    own.note(cookies.map(({ name }) => name))
    setCookies(event, cookies)
  }

  return {
    read() {
      if (reading && isCurrent()) return reading
      // A page that streams is sent before it is known.
      hasShown = true
      reading = read()
      // A page that asks and is then not rendered leaves a promise that nothing awaits.
      reading.catch(() => undefined)
      return reading
    },
    change(cookies) {
      set(cookies)
      reading = undefined
      round += 1
      hasWritten = true
    },
    write(cookies) {
      set(cookies)
      hasWritten ||= cookies.length > 0
    },
    close() {
      isOpen = false
    },
    get hasWritten() {
      return hasWritten
    },
    get hasShown() {
      return hasShown
    },
  }
}

/** Between the making of a response and its way back through the hooks no cookie can be set either; the option says so. */
function written(event: AuthEvent, cookies: readonly Cookie[], own: OwnCookies): boolean {
  try {
    own.note(cookies.map(({ name }) => name))
    setCookies(event, cookies)
    return true
  } catch {
    return false
  }
}

/** Finds the reader of a request, for all code that answers it. */
export function readersWith(parts: ReaderParts): (event: AuthEvent) => SessionReader {
  // The event is copied on its way through hooks, its locals are not.
  const readers = new WeakMap<object, SessionReader>()
  return (event) => {
    const known = readers.get(event.locals)
    if (known) return known
    const reader = readerOf(event, parts)
    readers.set(event.locals, reader)
    return reader
  }
}
