/** Which cookies are the service's: those that it has set since the process began. */
import { cookieNameIn } from "@latchkey/core"
import type { Cookie } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"

/** Far more than a configuration has cookies: a new one may be made for each request. */
const namesAtMost = 2000

/** What has the cookies of a request. */
type Event = Pick<RequestEvent, "cookies" | "locals" | "request">

// The event is copied on its way through hooks, its locals are not.
const hidden = new WeakMap<object, Map<string, string>>()

/**
 * The cookies of one service. Requests that the application makes itself (`event.fetch`) set some as well: SvelteKit puts
 * them into the page's own, where nothing but their names tells whose they are.
 */
export class OwnCookies {
  readonly #names = new Set<string>()

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
  const state = new Map<string, string>()
  const shown = new Set<string>()
  for (const { name, value } of event.cookies.getAll({ decode: (sent) => mark + sent })) {
    shown.add(name)
    // Applications in JavaScript set numbers too.
    const text = String(value)
    if (!text.startsWith(mark)) state.set(name, text)
  }
  // SvelteKit 3 does not show what was cleared.
  for (const pair of (event.request.headers.get("cookie") ?? "").split(";")) {
    const name = cookieNameIn(pair)
    if (pair.includes("=") && !shown.has(name) && name.trim() === name) state.set(name, "")
  }
  for (const [name, value] of hidden.get(event.locals) ?? []) if (!state.has(name)) state.set(name, value)
  return state
}

/**
 * Remembers those of the cookies that were just set which SvelteKit does not show, as it does with the `Domain` of another
 * host: behind a proxy the application may not know its own.
 */
export function keepHidden(event: Event, cookies: readonly Pick<Cookie, "name" | "value">[]): void {
  const kept = hidden.get(event.locals) ?? new Map<string, string>()
  hidden.set(event.locals, kept)
  for (const { name } of cookies) kept.delete(name)
  const shown = cookiesSet(event)
  for (const { name, value } of cookies) if (shown.get(name) !== value) kept.set(name, value)
}

/** The names of cookies that were set, changed or cleared between two states. */
export function changedNames(one: CookieState, other: CookieState): readonly string[] {
  const names: string[] = []
  for (const [name, value] of one) if (other.get(name) !== value) names.push(name)
  for (const name of other.keys()) if (!one.has(name)) names.push(name)
  return names
}
