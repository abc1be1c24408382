/** SvelteKit's own cookies of a request, which it does not publish. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Cookie } from "@latchkey/core/types"
import type { Cookies } from "@sveltejs/kit"

/** What SvelteKit keeps the cookies of a request in. */
export interface Jar {
  readonly cookies: Cookies
  readonly new_cookies: ReadonlyMap<string, Cookie>
  get_cookie_header(destination: URL, header: null): string
  set_trailing_slash(value: "never"): void
}

/** The jar of a request. */
export async function jarOfSvelteKit(request: Request): Promise<Jar> {
  const { resolve } = createRequire(import.meta.url)
  const file = new URL("src/runtime/server/cookie.js", pathToFileURL(resolve("@sveltejs/kit/package.json")))
  const { get_cookies } = (await import(file.href)) as { get_cookies(request: Request, url: URL): Jar }
  const jar = get_cookies(request, new URL(request.url))
  jar.set_trailing_slash("never")
  return jar
}

/** As SvelteKit 3 lists cookies: without those that were cleared for this page. */
export function withoutCleared({ cookies }: Jar): Cookies {
  return {
    ...cookies,
    getAll: (options) => cookies.getAll(options).filter(({ name }) => cookies.get(name) !== undefined),
  }
}
