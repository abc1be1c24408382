/** The cookies that were put on the event of a request, with their attributes, which SvelteKit does not tell. */
import type { RequestEvent } from "@sveltejs/kit"

type Jar = RequestEvent["cookies"]
type Put = Parameters<Jar["set"]>

// The event is copied on its way through hooks, its locals are not.
const puts = new WeakMap<object, Map<string, Put>>()

/**
 * Notes from now on what the service and the application set, and tells of it the first that asks. What requests of the application's
 * own set is not noted.
 */
export function watchCookies(
  { cookies, locals }: Pick<RequestEvent, "cookies" | "locals">,
  tell?: (name: string, value: string) => void,
): void {
  if (puts.has(locals)) return
  const all = new Map<string, Put>()
  puts.set(locals, all)
  const set = cookies.set.bind(cookies)
  cookies.set = (...put) => {
    set(...put)
    const [name, value, options] = put
    // As SvelteKit does it: what is set later takes the place of the same cookie.
    all.set([options?.domain, options?.path, name].join(" "), put)
    tell?.(name, value)
  }
}

/** A cookie that was put. */
export interface PutCookie {
  readonly name: string
  readonly value: string
  /** The field that SvelteKit makes of it. */
  readonly line: string
}

/** What was noted, of some names. */
export function linesPut(
  { cookies, locals }: Pick<RequestEvent, "cookies" | "locals">,
  isMeant: (name: string) => boolean,
): readonly PutCookie[] {
  const meant = [...(puts.get(locals)?.values() ?? [])].filter(([name]) => isMeant(name))
  return meant.map(([name, value, options]) => ({ name, value, line: cookies.serialize(name, value, options) }))
}
