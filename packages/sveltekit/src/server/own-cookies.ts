/** Which cookies are the service's: those that it has set since the process began. */
import type { RequestEvent } from "@sveltejs/kit"

/** Far more than a configuration has cookies: a new one may be made for each request. */
const namesAtMost = 2000

/** What has the cookies of a request. The event is copied on its way through hooks, its locals are not. */
type Event = Pick<RequestEvent, "cookies" | "locals">

const asSent = new WeakMap<object, ReadonlyMap<string, string>>()

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

/** Cookies by name, as SvelteKit reads them; those that were cleared are not there. */
export type CookieState = ReadonlyMap<string, string>

/** The cookies of a request as they are by now. */
export function cookiesOf({ cookies }: Pick<Event, "cookies">): CookieState {
  const state = new Map<string, string>()
  for (const { name, value } of cookies.getAll()) if (value !== "") state.set(name, value)
  return state
}

/**
 * Remembers the cookies as they were sent; to be called before any is set. As SvelteKit reads them: it reads names and values
 * differently from the service, so that only its own reading tells what has changed.
 */
export function cookiesSent(event: Event): CookieState {
  const known = asSent.get(event.locals)
  if (known) return known
  const sent = cookiesOf(event)
  asSent.set(event.locals, sent)
  return sent
}

/** The names of cookies that were set, changed or cleared between two states. */
export function changedNames(one: CookieState, other: CookieState): readonly string[] {
  const names: string[] = []
  for (const [name, value] of one) if (other.get(name) !== value) names.push(name)
  for (const name of other.keys()) if (!one.has(name)) names.push(name)
  return names
}
