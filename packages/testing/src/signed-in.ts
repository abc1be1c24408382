/** The cookies of a session, in the forms that test tools take. */
import { toSetCookie } from "@latchkey/core"
import type { Cookie, User } from "@latchkey/core/types"

/** A cookie as `context.addCookies` of Playwright takes it. */
export interface BrowserCookie {
  /** Name of the cookie. */
  readonly name: string
  /** Value as it stands in the header. */
  readonly value: string
  /** Host it is sent to. */
  readonly domain: string
  /** Path it is sent to. */
  readonly path: string
  /** Seconds since 1970; -1 for a cookie that ends with the browser. */
  readonly expires: number
  /** Scripts of the page cannot read it. */
  readonly httpOnly: boolean
  /** It is sent over https only. */
  readonly secure: boolean
  /** Whether it comes along from other sites. */
  readonly sameSite: "Strict" | "Lax" | "None"
}

/** Somebody who is signed in. */
export interface SignedIn {
  /** The user: as it is stored, or without an adapter as it was given, with an id. */
  readonly user: User
  /** The value of a `Cookie` header. */
  readonly cookieHeader: string
  /** Headers for `fetch`, `new Request` and supertest: `{ cookie }`. */
  readonly headers: { readonly cookie: string }
  /** Values of `Set-Cookie` headers, for cookie jars: `agent.jar.setCookies(setCookies)` of supertest. */
  readonly setCookies: string[]
  /**
   * Cookies for `context.addCookies` of Playwright.
   * @param url where the browser finds the application; default: the `url` that was signed in at.
   */
  cookies(url?: string): BrowserCookie[]
}

/** Puts the cookies into every form. */
export function signedInWith(user: User, cookies: readonly Cookie[], signedInAt: string): SignedIn {
  const setCookies = cookies.map(toSetCookie)
  const cookieHeader = setCookies.map(pairOf).join("; ")
  return {
    user,
    cookieHeader,
    headers: { cookie: cookieHeader },
    setCookies,
    cookies: (url = signedInAt) => cookies.map((cookie) => browserCookie(cookie, url)),
  }
}

/** Name and value, encoded as a browser sends them. */
const pairOf = (setCookie: string): string => setCookie.split(";", 1)[0] ?? ""

const sameSites = { strict: "Strict", lax: "Lax", none: "None" } as const

function browserCookie(cookie: Cookie, url: string): BrowserCookie {
  const { name, options } = cookie
  const { domain, path = "/", expires, httpOnly = false, secure = false, sameSite } = options
  return {
    name,
    value: pairOf(toSetCookie(cookie)).slice(name.length + 1),
    domain: domain ?? new URL(url).hostname,
    path,
    expires: expires ? Math.floor(expires.getTime() / 1000) : -1,
    httpOnly,
    secure,
    sameSite: typeof sameSite === "string" ? sameSites[sameSite] : sameSite ? "Strict" : "Lax",
  }
}
