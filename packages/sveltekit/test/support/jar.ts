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
  set_internal(name: string, value: string, options: object): void
  set_trailing_slash(value: "never"): void
}

/** The file of SvelteKit that has the cookies. */
interface CookieFile {
  get_cookies(request: Request, url: URL): Jar
  add_cookies_to_headers(headers: Headers, cookies: Iterable<Cookie>): void
}

/** The jar of a request. */
export async function jarOfSvelteKit(request: Request): Promise<Jar> {
  const jar = (await cookieFile()).get_cookies(request, new URL(request.url))
  jar.set_trailing_slash("never")
  return jar
}

/** Adds the cookies of a request to a response, as SvelteKit does: to the very object that the application has returned. */
export async function addCookies({ new_cookies }: Jar, { headers }: Response): Promise<void> {
  const { add_cookies_to_headers } = await cookieFile()
  add_cookies_to_headers(headers, new_cookies.values())
}

async function cookieFile(): Promise<CookieFile> {
  const { resolve } = createRequire(import.meta.url)
  const file = new URL("src/runtime/server/cookie.js", pathToFileURL(resolve("@sveltejs/kit/package.json")))
  return (await import(file.href)) as CookieFile
}

/** As SvelteKit 3 lists cookies: without those that were cleared for this page. */
export function withoutCleared({ cookies }: Jar): Cookies {
  return {
    ...cookies,
    getAll: (options) => cookies.getAll(options).filter(({ name }) => cookies.get(name) !== undefined),
  }
}
