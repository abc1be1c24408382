/** Which cookies are the service's. */
import { type CookieState, changedNames } from "./cookies-set.js"

/** Far more than a configuration has cookies: a new one may be made for each request. */
const namesAtMost = 2000

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
