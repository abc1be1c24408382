/** Which cookies are the service's: those that it has set since the process began. */
import type { RequestEvent } from "@sveltejs/kit"

/** More than there are roles: configurations may be made for each request. */
const namesAtMost = 200

/** What has the cookies of a request: as they were sent, and as they are by now. */
type Event = Pick<RequestEvent, "cookies" | "request">

/**
 * The cookies of one service. Requests that the application makes itself (`event.fetch`) set some as well: SvelteKit puts
 * them into the page's own, where nothing but their names tells whose they are.
 */
export class OwnCookies {
  readonly #names = new Set<string>()

  /** Notes what is set. Parts of a session and pending sign-ins are known by the name before their suffix. */
  note(names: readonly string[]): void {
    for (const name of names.toSorted((one, other) => one.length - other.length)) {
      if (!this.has(name) && this.#names.size < namesAtMost) this.#names.add(name)
    }
  }

  /** Is a cookie of this name the service's? */
  has(name: string): boolean {
    return this.#names.has(name) || this.#names.has(name.replace(/\.(?:\d+|[\w-]{8})$/, ""))
  }

  /** Has any of the service's been set or cleared since the request came? */
  areChanged(event: Event): boolean {
    const sent = new Map<string, string>()
    for (const pair of (event.request.headers.get("cookie") ?? "").split(";")) {
      const [name = "", value = ""] = pair.trim().split(/=(.*)/s)
      if (value !== "" && !sent.has(name)) sent.set(name, value)
    }
    const now = new Map([...cookiesOf(event)].map(([name, value]) => [name, encodeURIComponent(value)]))
    return areDifferent({ one: sent, other: now }, (name) => this.has(name))
  }
}

/** The cookies of a request as they are by now, by name. */
export function cookiesOf({ cookies }: Pick<RequestEvent, "cookies">): ReadonlyMap<string, string> {
  const there = cookies.getAll().filter(({ value }) => value !== "")
  return new Map(there.map(({ name, value }) => [name, value]))
}

/** Do two states of cookies differ in one that matters? */
export function areDifferent(
  { one, other }: { readonly one: ReadonlyMap<string, string>; readonly other: ReadonlyMap<string, string> },
  matters: (name: string) => boolean,
): boolean {
  return [...one.keys(), ...other.keys()].some((name) => matters(name) && one.get(name) !== other.get(name))
}
