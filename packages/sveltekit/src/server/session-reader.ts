/** The session of one request: read once, or anew after a second where there is a body; its cookie written while it can be. */
import type { Cookie, Session } from "@latchkey/core/types"
import { setCookies } from "./cookies.js"
import { type CookieState, changedNames, cookiesSet } from "./cookies-set.js"
import { type AuthEvent, sessionSource } from "./event.js"
import type { OwnCookies } from "./own-cookies.js"
import type { FindService } from "./service.js"

/**
 * How long the session stands of a request with a body, in milliseconds. Whoever sends a body may hold it back until long after
 * the session has ended, and of a copy, or of a file that is read later, nothing shows when its end has come.
 */
const kept = 1000

/** Reads the session of one request. */
export interface SessionReader {
  /**
   * The session, `null` when there is none. The same promise for all callers, until its cookies are changed: by `change`, or
   * by a request that the application made itself; for a second where the request has a body. Rejects with an AuthError when it
   * cannot be determined.
   */
  read(): Promise<Session | null>
  /** Sets cookies that change the session: the next call reads it again from the new cookies. */
  change(cookies: readonly Cookie[]): void
  /** Sets cookies that leave the session as it is. */
  write(cookies: readonly Cookie[]): void
  /** The same for a response that holds something of this browser's, such as the token of its forms, also without a cookie. */
  show(cookies: readonly Cookie[]): void
  /** The response is made. Later reads get the session, and nothing is extended. */
  close(): void
  /** Cookies were set, or something is shown: the response is for this person alone. */
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
  const readings = new Readings<Session | null>(event)
  /** What had been set when the last reading began, with what it has set itself. */
  let known: CookieState = new Map()
  let isOpen = true
  let hasWritten = false
  let hasShown = false
  let round = 0

  const read = async (now: CookieState): Promise<Session | null> => {
    const begun = { round, cookies: now }
    known = now
    const service = await findService(event)
    const source = sessionSource(event, now.size > 0)
    // After a sign-in or sign-out meanwhile, here or in a request of the application's own, the earlier session must not be
    // restored.
    const keep = (cookies: readonly Cookie[]): void => {
      if (!isOpen || cookies.length === 0 || begun.round !== round) return
      const meanwhile = changedNames(begun.cookies, cookiesSet(event))
      if (cookies.some(({ name }) => meanwhile.includes(name))) return
      hasWritten = written(event, cookies, own) || hasWritten
      known = cookiesSet(event)
    }
    const { session, cookies } = await service.session(source, { extend: isOpen, onThrow: keep })
    keep(cookies)
    if (begun.round === round) hasShown = session !== null
    return session
  }

  const set = (cookies: readonly Cookie[]): void => put(event, cookies, own)

  return {
    read() {
      const now = cookiesSet(event)
      const isChanged = own.areChanged(known, now)
      if (readings.last && !isChanged) return readings.last
      // A page that streams is sent before it is known.
      hasShown = true
      return isChanged ? readings.begin(() => read(now)) : readings.follow(() => read(cookiesSet(event)))
    },
    change(cookies) {
      set(cookies)
      readings.forget()
      round += 1
      hasWritten = true
    },
    write(cookies) {
      set(cookies)
      hasWritten ||= cookies.length > 0
    },
    show(cookies) {
      set(cookies)
      hasWritten = true
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

/** Readings of one session, one after the other. */
class Readings<T> {
  readonly #event: AuthEvent
  #last: Promise<T> | undefined
  /** One that begins when the last has ended. */
  #next: Promise<T> | undefined
  /** When the last is no longer to be answered, by the clock of `performance`. */
  #keptUntil = 0

  constructor(event: AuthEvent) {
    this.#event = event
  }

  /** One that may still be answered. */
  get last(): Promise<T> | undefined {
    return this.#next ?? (performance.now() < this.#keptUntil ? this.#last : undefined)
  }

  begin(read: () => Promise<T>): Promise<T> {
    this.#next = undefined
    // Only `null` says that there is no body: some runtimes leave out `body`.
    const hasNoBody = this.#event.request.body === null
    this.#keptUntil = hasNoBody ? Number.POSITIVE_INFINITY : performance.now() + kept
    this.#last = settled(read())
    return this.#last
  }

  /** One that is under way may change what the next has to begin with, such as a token that is good for one refresh. */
  follow(read: () => Promise<T>): Promise<T> {
    if (!this.#last) return this.begin(read)
    const begin = (): Promise<T> => (this.#next === next ? this.begin(read) : read())
    const next: Promise<T> = this.#last.then(begin, begin)
    this.#next = settled(next)
    return next
  }

  forget(): void {
    this.#last = this.#next = undefined
  }
}

/** A page that asks and is then not rendered leaves a promise that nothing awaits. */
function settled<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => undefined)
  return reading
}

/** Between the making of a response and its way back through the hooks no cookie can be set either; the option says so. */
function written(event: AuthEvent, cookies: readonly Cookie[], own: OwnCookies): boolean {
  try {
    put(event, cookies, own)
    return true
  } catch {
    return false
  }
}

function put(event: AuthEvent, cookies: readonly Cookie[], own: OwnCookies): void {
  own.note(cookies.map(({ name }) => name))
  setCookies(event, cookies)
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
