/** One request and one configuration: the session, read once, and the cookies for the response. */
import {
  type AuthService,
  type AuthSource,
  addOlderCookies,
  cookiesAfter,
  keepHeadersPrivate,
  toSetCookie,
} from "@latchkey/core"
import type { Cookie, Session } from "@latchkey/core/types"
import type { Context } from "hono"
import { addHeader, headersOf, isReadable, isTaken, setHeader } from "./response-headers.js"

/**
 * How long the session stands of a request with a body, in milliseconds. Whoever sends a body may hold it back until long after
 * the session has ended, and of a copy, or of a part that is read later, nothing shows when its end has come.
 */
const kept = 1000

const privately = "private, no-store"

/** Only `null` says so: some runtimes leave out `body`. It is looked at late, because servers make a request whole for it. */
const hasNoBody = ({ method, raw }: Context["req"]): boolean =>
  method === "GET" || method === "HEAD" || raw.body === null

/** What is known of a request. */
export class Visit {
  readonly #c: Context
  readonly #service: AuthService
  readonly #cookies = new Map<string, Cookie>()
  /** `Set-Cookie` fields that were written here, including those of cookies that have changed again since. */
  readonly #written = new Set<string>()
  /** How many middleware functions wait for the response. */
  #waiting = 0
  #isReplaced = false
  #reading: Promise<Session | null> | undefined
  /** One that begins when `#reading` has ended. */
  #next: Promise<Session | null> | undefined
  /** When `#reading` is no longer to be answered, by the clock of `performance`. */
  #keptUntil = 0
  /** How often the session has been changed: what was being read then is older. */
  #round = 0
  #hasShown = false
  #isPersonal = false

  constructor(c: Context, service: AuthService) {
    this.#c = c
    this.#service = service
  }

  /** The session, the same promise for all callers until it changes; for a second where the request has a body. */
  session(): Promise<Session | null> {
    if (this.#next) return this.#next
    if (this.#reading && performance.now() < this.#keptUntil) return this.#reading
    const before = this.#reading
    if (!before) return this.#begin()
    // One that is under way may change what the next one has to begin with, such as a token that is good for one refresh.
    const round = this.#round
    const next = (): Promise<Session | null> => (round === this.#round ? this.#begin() : this.session())
    this.#next = before.then(next, next)
    return this.#next
  }

  #begin(): Promise<Session | null> {
    this.#next = undefined
    this.#keptUntil = hasNoBody(this.#c.req) ? Number.POSITIVE_INFINITY : performance.now() + kept
    this.#reading = this.#read()
    return this.#reading
  }

  async #read(): Promise<Session | null> {
    const round = this.#round
    const keep = (cookies: readonly Cookie[]): void => (round === this.#round ? this.keep(cookies) : undefined)
    const extend = !this.#isOnItsWay()
    const { session, cookies } = await this.#service.session(this.source(), { extend, onThrow: keep })
    keep(cookies)
    if (session !== null) this.reveal()
    return session
  }

  /** A response that streams takes no header any more. One whose body was taken to make another looks the same. */
  #isOnItsWay(): boolean {
    return this.#waiting === 0 && isTaken(this.#c)
  }

  /** Adds cookies that change the session: it is read again. */
  change(cookies: readonly Cookie[]): void {
    this.keep(cookies)
    this.#reading = undefined
    this.#next = undefined
    this.#round += 1
  }

  /** Adds the cookies of a route that has ended the session or begun another, which no cookie of its response may undo. */
  replace(cookies: readonly Cookie[]): void {
    this.change(cookies)
    this.#isReplaced = true
  }

  /** Where the request came from, with the cookies as the browser will have them after the response. */
  source(): AuthSource {
    const { headers } = this.#c.req.raw
    return { url: this.#c.req.url, headers: this.#cookies.size === 0 ? headers : this.#currentHeaders(headers) }
  }

  #currentHeaders(sent: Headers): Headers {
    const headers = new Headers(sent)
    const fields = [...this.#cookies.values()].map(toSetCookie)
    headers.set("cookie", cookiesAfter(sent.get("cookie"), fields, new Date()))
    return headers
  }

  /** Adds cookies to the response, and keeps it out of shared caches. */
  keep(cookies: readonly Cookie[]): void {
    if (cookies.length === 0) return
    // Browsers keep a cookie of the host beside one of the same name for its domain: either may change.
    for (const cookie of cookies) this.#cookies.set(`${cookie.name};${cookie.options.domain ?? ""}`, cookie)
    if (this.#waiting === 0) for (const cookie of cookies) this.#write(toSetCookie(cookie))
    this.#keepPrivate()
  }

  /** The same for a response that holds something of this browser's, such as the token of its forms, also without a cookie. */
  show(cookies: readonly Cookie[]): void {
    this.keep(cookies)
    this.#isPersonal = true
    this.#keepPrivate()
  }

  /** What is answered says something about the person who asks: it is for them alone, unless the response says otherwise. */
  reveal(): void {
    this.#hasShown = true
    this.#keepShown()
  }

  /**
   * Holds cookies until there is a response, for middleware around what makes it. A handler may return a response of its own:
   * that has none of the headers that were set before, Hono replaces its cookies by those that were, and what it says of the
   * session itself is newer.
   */
  async around<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    try {
      return await work()
    } finally {
      this.#waiting -= 1
      this.complete()
    }
  }

  /** Makes sure that the response carries every cookie; that of the session as it was read only where it has none of its own. */
  complete(): void {
    const there = headersOf(this.#c).getSetCookie()
    // By what was written here: an answer of the service may clear a part of the session with the very field that waits here.
    const ofOthers = this.#isReplaced ? [] : there.filter((line) => !this.#written.has(line))
    const append = (_name: string, line: string): void => {
      if (!there.includes(line)) this.#write(line)
    }
    addOlderCookies({ getSetCookie: () => ofOthers, append }, [...this.#cookies.values()])
    if (this.#cookies.size > 0 || this.#isPersonal) this.#keepPrivate()
    this.#keepShown()
  }

  #write(line: string): void {
    this.#written.add(line)
    addHeader(this.#c, "Set-Cookie", line)
  }

  /**
   * What somebody with a session gets is for them alone, unless the response says otherwise. It is said at once, and again when
   * there is a response: middleware in between may keep that response, or look at its headers.
   */
  #keepShown(): void {
    if (!this.#hasShown || !isReadable(this.#c)) return
    if (!headersOf(this.#c).has("cache-control")) setHeader(this.#c, "Cache-Control", privately)
  }

  #keepPrivate(): void {
    const c = this.#c
    if (!c.finalized) return void c.header("Cache-Control", privately)
    if (!isReadable(c)) return
    keepHeadersPrivate({
      get: (name) => c.res.headers.get(name),
      keys: () => c.res.headers.keys(),
      set: (name, value) => setHeader(c, name, value),
      delete: (name) => setHeader(c, name, undefined),
    })
  }
}
