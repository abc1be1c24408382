/** The cookies that came with what a page fetched by `event.fetch`. SvelteKit adds them to those of the page. */
import { cookieNameIn } from "@latchkey/core"
import type { RequestEvent } from "@sveltejs/kit"
import { valueIn } from "./cookies.js"
import { remember } from "./foreign-values.js"

// The event is copied on its way through hooks, its locals are not.
const fetched = new WeakMap<object, string[]>()

/** From now on, notes the cookies of the service that come with what the page fetches, whether SvelteKit shows them or not. */
export function watchFetch(event: Pick<RequestEvent, "fetch" | "locals">, isOwn: (name: string) => boolean): void {
  const { fetch, locals } = event
  const lines = fetched.get(locals) ?? []
  fetched.set(locals, lines)
  event.fetch = async (...given) => {
    const answer = await fetch(...given)
    lines.push(...answer.headers.getSetCookie().filter((line) => isOwn(cookieNameIn(line))))
    return answer
  }
}

/** The `Set-Cookie` fields that came with what the page has fetched so far. */
export const linesFetched = ({ locals }: Pick<RequestEvent, "locals">): readonly string[] => fetched.get(locals) ?? []

/** Remembers what an answer sets. Call it before anything is awaited, or a request that is answered meanwhile could pass it on. */
export function rememberLines(lines: readonly string[]): void {
  for (const line of lines) remember(cookieNameIn(line), valueIn(line))
}
