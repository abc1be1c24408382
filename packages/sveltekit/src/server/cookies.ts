/** Cookies of the service in the jar of a request event. */
import type { Cookie } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"

/** What holds the cookies of a request. */
type Jar = Pick<RequestEvent, "cookies">

/**
 * Sets cookies with the attributes they have. What is left out is said to be left out: SvelteKit would fill it with
 * defaults of its own, such as `Secure` on plain http. Those of a domain come first: of one that is set for it and one that
 * is cleared for the host alone, SvelteKit reads the first.
 */
export function setCookies({ cookies: jar }: Jar, cookies: readonly Cookie[]): void {
  const isOfDomain = ({ options }: Cookie): boolean => Boolean(options.domain)
  const ordered = [...cookies.filter(isOfDomain), ...cookies.filter((cookie) => !isOfDomain(cookie))]
  for (const { name, value, options } of ordered) {
    const { path = "/", httpOnly = false, secure = false, sameSite = false, ...rest } = options
    jar.set(name, value, { ...definedOf(rest), path, httpOnly, secure, sameSite })
  }
}

/** The cookies of a request as they are after those that were set for it, as one header. */
export function currentCookies({ cookies }: Jar): string {
  return cookies
    .getAll()
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join("; ")
}

type Attributes = Omit<Cookie["options"], "path" | "httpOnly" | "secure" | "sameSite">
type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function definedOf(attributes: Attributes): Defined<Attributes> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
