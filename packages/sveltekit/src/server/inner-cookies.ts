/** The cookies that requests of the application's own have set, which SvelteKit puts among those of the page that made them. */
import { cookieNameIn } from "@latchkey/core"
import type { RequestEvent } from "@sveltejs/kit"
import { valueIn } from "./cookies.js"
import { remember } from "./foreign-values.js"

// The event is copied on its way through hooks, its locals are not.
const fetched = new WeakMap<object, string[]>()

/** Notes from now on which cookies come with what the page fetches, whether SvelteKit shows them among its own or not. */
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

/** The `Set-Cookie` fields that came. */
export const linesFetched = ({ locals }: Pick<RequestEvent, "locals">): readonly string[] => fetched.get(locals) ?? []

/** Remembers what an answer sets, before anything waits: requests that are answered at the same time must not hand it on. */
export function rememberLines(lines: readonly string[]): void {
  for (const line of lines) remember(cookieNameIn(line), valueIn(line))
}
