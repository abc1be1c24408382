/** Which cookies are the service's, and what was set since a request came. */
import { cookieNameIn } from "@latchkey/core"
import type { Cookie } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"

/** Far more than a configuration has cookies: a new one may be made for each request. */
const namesAtMost = 2000

/** What has the cookies of a request. */
type Event = Pick<RequestEvent, "cookies" | "locals" | "request">

// The event is copied on its way through hooks, its locals are not.
const written = new WeakMap<object, Map<string, Written>>()

/** The value that the service has set, and what SvelteKit has shown from then on. */
interface Written {
  readonly value: string
  readonly shown: string | undefined
}

/**
 * The cookies of one service. Requests that the application makes itself (`event.fetch`) set some as well: SvelteKit puts
 * them into the page's own, where nothing but their names tells whose they are.
 */
export class OwnCookies {
  readonly #names = new Set<string>()
  readonly #services = new WeakSet<object>()

  /** Notes the cookies of each service that is found: other instances of the application set the same. */
  notedBy<E, S extends { readonly cookieNames: readonly string[] }>(find: (event: E) => Promise<S>): typeof find {
    return async (event) => {
      const service = await find(event)
      if (!this.#services.has(service)) this.note(service.cookieNames)
      this.#services.add(service)
      return service
    }
  }

  /** Notes what is set. Parts of a session are known by the name of the whole. */
  note(names: readonly string[]): void {
    for (const name of names) if (!this.has(name) && this.#names.size < namesAtMost) this.#names.add(wholeNameOf(name))
  }

  /** Is a cookie of this name the service's? Pending sign-ins have a suffix of eight characters. */
  has(name: string): boolean {
    return [name, wholeNameOf(name), name.replace(/\.[\w-]{8}$/, "")].some((one) => this.#names.has(one))
  }

  /** Do two states of the cookies of a request differ in one of the service's? */
  areChanged(one: CookieState, other: CookieState): boolean {
    return changedNames(one, other).some((name) => this.has(name))
  }
}

const wholeNameOf = (name: string): string => name.replace(/\.(?:0|[1-9]\d{0,3})$/, "")

/** What was set since the request came, by name; empty values are cookies that were cleared. */
export type CookieState = ReadonlyMap<string, string>

/** Stands in front of values that were sent. The service sets none that begins with it. */
const mark = "\0sent "

/**
 * The cookies that were set or cleared since the request came: by the service, the application, its hooks, or a request of its
 * own. SvelteKit reads names and values of a request differently from the service, so none of what was sent is taken from there.
 */
export function cookiesSet(event: Event): CookieState {
  const state = new Map(shownBy(event))
  // What the service has set last counts until SvelteKit shows something else.
  for (const [name, { value, shown }] of written.get(event.locals) ?? [])
    if (state.get(name) === shown) state.set(name, value)
  return state
}

/** The same as far as SvelteKit shows them. */
function shownBy({ cookies, request }: Event): CookieState {
  const state = new Map<string, string>()
  const names = new Set<string>()
  for (const { name, value } of cookies.getAll({ decode: (sent) => mark + sent })) {
    names.add(name)
    const text = textOf(value)
    // SvelteKit 2 lists what was cleared, whatever its value; SvelteKit 3 does not list it.
    if (!text.startsWith(mark)) state.set(name, cookies.get(name) === undefined ? "" : text)
  }
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const name = cookieNameIn(pair)
    if (pair.includes("=") && !names.has(name) && name.trim() === name) state.set(name, "")
  }
  return state
}

/** Applications in JavaScript set other values than text. */
const textOf = (value: unknown): string => (typeof value === "object" ? "object" : String(value))

/**
 * Remembers what the service has just set. SvelteKit may not show it: with the `Domain` of another host, as an application
 * behind a proxy may not know its own, or beside a cookie of the same name for the host alone.
 */
export function noteWritten(event: Event, cookies: readonly Pick<Cookie, "name" | "value">[]): void {
  const shown = shownBy(event)
  const all = written.get(event.locals) ?? new Map<string, Written>()
  for (const { name, value } of cookies) all.set(name, { value, shown: shown.get(name) })
  written.set(event.locals, all)
}

/** Has the service itself set this value? */
export function isWritten({ locals }: Event, name: string, value: string): boolean {
  return written.get(locals)?.get(name)?.value === value
}

/** The names of cookies that were set, changed or cleared between two states. */
export function changedNames(one: CookieState, other: CookieState): readonly string[] {
  const names: string[] = []
  for (const [name, value] of one) if (other.get(name) !== value) names.push(name)
  for (const name of other.keys()) if (!one.has(name)) names.push(name)
  return names
}
