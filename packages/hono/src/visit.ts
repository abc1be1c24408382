/** One request and one configuration: the session, read once, and the cookies for the response. */
import { type AuthService, type AuthSource, keepHeadersPrivate, toSetCookie } from "@latchkey/core"
import type { Cookie, Session } from "@latchkey/core/types"
import type { Context } from "hono"

/** What is known of a request. */
export class Visit {
  readonly #c: Context
  readonly #service: AuthService
  readonly #cookies = new Map<string, Cookie>()
  #reading: Promise<Session | null> | undefined
  #hasShown = false

  constructor(c: Context, service: AuthService) {
    this.#c = c
    this.#service = service
  }

  /** The session, the same promise for all callers until it changes. */
  session(): Promise<Session | null> {
    this.#reading ??= this.#read()
    return this.#reading
  }

  async #read(): Promise<Session | null> {
    const { session, cookies } = await this.#service.session(this.source(), { onThrow: (left) => this.keep(left) })
    this.keep(cookies)
    this.#hasShown ||= session !== null
    this.#keepShown()
    return session
  }

  /** The session has changed: it is read again. */
  forget(): void {
    this.#reading = undefined
  }

  /** Where the request came from, with the cookies as the browser will have them after the response. */
  source(): AuthSource {
    const { headers } = this.#c.req.raw
    return { url: this.#c.req.url, headers: this.#cookies.size === 0 ? headers : this.#currentHeaders(headers) }
  }

  #currentHeaders(sent: Headers): Headers {
    const headers = new Headers(sent)
    const pairs = (sent.get("cookie") ?? "").split(";").map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ""))
    const set = [...this.#cookies.values()]
    const names = new Set(set.map(({ name }) => name))
    const kept = pairs.filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0] ?? ""))
    const live = set.filter(({ value }) => value !== "")
    const added = live.map((cookie) => toSetCookie(cookie).split(";", 1)[0] ?? "")
    headers.set("cookie", [...kept, ...added].join("; "))
    return headers
  }

  /** Adds cookies to the response, and keeps it out of shared caches. */
  keep(cookies: readonly Cookie[]): void {
    // Browsers keep a cookie of the host beside one of the same name for its domain: either may change.
    for (const cookie of cookies) this.#cookies.set(`${cookie.name};${cookie.options.domain ?? ""}`, cookie)
    this.#write(cookies.map(toSetCookie))
  }

  /**
   * Makes sure that the response carries every cookie. Asked once there is a response: a handler may return one of its
   * own, which has none of the headers that were set before.
   */
  complete(): void {
    const there = this.#c.res.headers.getSetCookie()
    this.#write([...this.#cookies.values()].map(toSetCookie).filter((line) => !there.includes(line)))
    if (this.#cookies.size > 0) this.#keepPrivate()
    this.#keepShown()
  }

  #write(lines: readonly string[]): void {
    for (const line of lines) this.#c.header("Set-Cookie", line, { append: true })
    if (lines.length > 0) this.#keepPrivate()
  }

  /** What somebody with a session gets is for them alone, unless the response says otherwise. */
  #keepShown(): void {
    if (!this.#hasShown) return
    const c = this.#c
    // Reading `c.res` before there is a response would make one, whose headers outlast what a handler says later.
    const { headers } = c.finalized ? c.res : c.body(null)
    if (!headers.has("cache-control")) c.header("Cache-Control", "private, no-store")
  }

  #keepPrivate(): void {
    const c = this.#c
    if (!c.finalized) return void c.header("Cache-Control", "private, no-store")
    keepHeadersPrivate({
      get: (name) => c.res.headers.get(name),
      keys: () => c.res.headers.keys(),
      set: (name, value) => c.header(name, value),
      delete: (name) => c.header(name, undefined),
    })
  }
}
