/** Which cookies are the service's: those that it has set since the process began. */
import type { RequestEvent } from "@sveltejs/kit"

/** More than there are roles: configurations may be made for each request. */
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

  /** Has any of the service's been set or cleared since the request came? */
  areChanged(event: Event): boolean {
    return changedNames(event).some((name) => this.has(name))
  }
}

const wholeNameOf = (name: string): string => name.replace(/\.\d+$/, "")

/** The cookies of a request as they are by now, by name, as SvelteKit reads them. */
export function cookiesOf({ cookies }: Pick<Event, "cookies">): ReadonlyMap<string, string> {
  const there = cookies.getAll().filter(({ value }) => value !== "")
  return new Map(there.map(({ name, value }) => [name, value]))
}

/**
 * Remembers the cookies as they were sent; to be called before any is set. As SvelteKit reads them: it takes names and values
 * in another way than the service does, so that only its own reading tells what has changed.
 */
export function cookiesSent(event: Event): ReadonlyMap<string, string> {
  const sent = asSent.get(event.locals) ?? cookiesOf(event)
  asSent.set(event.locals, sent)
  return sent
}

/** The names of cookies that were set or cleared since the request came. */
export function changedNames(event: Event): readonly string[] {
  const [one, other] = [cookiesSent(event), cookiesOf(event)]
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name))
}

/** Do two states of cookies differ in one that matters? */
export function areDifferent(
  { one, other }: { readonly one: ReadonlyMap<string, string>; readonly other: ReadonlyMap<string, string> },
  matters: (name: string) => boolean,
): boolean {
  return [...one.keys(), ...other.keys()].some((name) => matters(name) && one.get(name) !== other.get(name))
}
