/** The session of one request: read once, its cookie written as long as a response can carry it. */
import type { Cookie, Session } from "@latchkey/core/types"
import { setCookies } from "./cookies.js"
import { type AuthEvent, sessionSource } from "./event.js"
import type { FindService } from "./service.js"

/** Reads the session of one request. */
export interface SessionReader {
  /** The session, `null` when there is none. The same promise for all callers. Rejects with an AuthError when it cannot be determined. */
  read(): Promise<Session | null>
  /** The request has set cookies that change the session: the next call reads it again from the new cookies. */
  forget(): void
  /** Sets cookies that leave the session as it is. */
  write(cookies: readonly Cookie[]): void
  /** The response is made. Later reads get the session, and nothing is extended. */
  close(): void
  /** Cookies were set: the response is for this person alone. */
  readonly hasWritten: boolean
  /** Somebody's session was asked for, and there is one or it is not known yet. */
  readonly hasShown: boolean
}

/** Makes the reader of one request. */
export function readerOf(event: AuthEvent, findService: FindService): SessionReader {
  let reading: Promise<Session | null> | undefined
  let isOpen = true
  let hasWritten = false
  let isStale = false
  let hasShown = false

  let round = 0

  const read = async (): Promise<Session | null> => {
    const begun = round
    const service = await findService(event)
    const source = sessionSource(event, isStale)
    // After a sign-in or sign-out meanwhile, the earlier session must not be restored.
    const keep = (cookies: readonly Cookie[]): void => {
      if (isOpen && begun === round && cookies.length > 0) hasWritten = written(event, cookies) || hasWritten
    }
    const { session, cookies } = await service.session(source, { extend: isOpen, onThrow: keep })
    keep(cookies)
    if (begun === round) hasShown = session !== null
    return session
  }

  return {
    read() {
      if (!reading) {
        // A page that streams is sent before it is known.
        hasShown = true
        reading = read()
        // A page that asks and is then not rendered leaves a promise that nothing awaits.
        reading.catch(() => undefined)
      }
      return reading
    },
    forget() {
      reading = undefined
      round += 1
      isStale = true
      hasWritten = true
    },
    write(cookies) {
      setCookies(event, cookies)
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
function written(event: AuthEvent, cookies: readonly Cookie[]): boolean {
  try {
    setCookies(event, cookies)
    return true
  } catch {
    return false
  }
}

/** Finds the reader of a request, for all code that answers it. */
export function readersWith(findService: FindService): (event: AuthEvent) => SessionReader {
  // The event is copied on its way through hooks, its locals are not.
  const readers = new WeakMap<object, SessionReader>()
  return (event) => {
    const known = readers.get(event.locals)
    if (known) return known
    const reader = readerOf(event, findService)
    readers.set(event.locals, reader)
    return reader
  }
}
