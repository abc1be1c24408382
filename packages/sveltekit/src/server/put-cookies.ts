/** The cookies that were set on the event of a request, with their attributes, which SvelteKit does not expose. */
import type { RequestEvent } from "@sveltejs/kit"

type Jar = RequestEvent["cookies"]
type Put = Parameters<Jar["set"]>

// The event is copied on its way through hooks, its locals are not.
const puts = new WeakMap<object, Map<string, Put>>()

/**
 * From now on, notes what the service and the application set on this event; `tell` of the first call hears of each. What comes with
 * `event.fetch` does not pass here.
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
    // As in SvelteKit, a later cookie replaces one of the same name, path and domain.
    all.set([options?.domain, options?.path, name].join(" "), put)
    tell?.(name, value)
  }
}

/** A cookie that was set. */
export interface PutCookie {
  readonly name: string
  readonly value: string
  /** The field that SvelteKit makes of it. */
  readonly line: string
}

/** The noted cookies whose names `isMeant` accepts. */
export function linesPut(
  { cookies, locals }: Pick<RequestEvent, "cookies" | "locals">,
  isMeant: (name: string) => boolean,
): readonly PutCookie[] {
  const meant = [...(puts.get(locals)?.values() ?? [])].filter(([name]) => isMeant(name))
  return meant.map(([name, value, options]) => ({ name, value, line: cookies.serialize(name, value, options) }))
}
