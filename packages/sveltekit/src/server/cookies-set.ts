/** What was set since a request came: by the service, the application, its hooks, or a request of its own. */
import { cookieNameIn } from "@latchkey/core"
import type { Cookie } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"

/** What has the cookies of a request. */
type Event = Pick<RequestEvent, "cookies" | "locals" | "request">

// The event is copied on its way through hooks, its locals are not.
const written = new WeakMap<object, Map<string, Written>>()

/** What the service has set last. */
interface Written {
  readonly value: string
  /** What SvelteKit showed under its name from then on. */
  readonly shown: string | undefined
}

/** What was set since the request came, by name; empty values are cookies that were cleared. */
export type CookieState = ReadonlyMap<string, string>

/** Stands in front of values that were sent. The service sets none that begins with it. */
const mark = "\0sent "

/**
 * The cookies that were set or cleared since the request came. SvelteKit reads names and values of a request differently from
 * the service, so none of what was sent is taken from there.
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
