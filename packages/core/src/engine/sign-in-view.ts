/** The sign-in page as data, for applications that draw their own. */
import { concreteCookies } from "../http/cookies.js"
import { craftIncoming } from "../http/incoming.js"
import { fromModule } from "../std/lazy.js"
import { isUrl } from "../std/url.js"
import type { Cookie } from "../types/config.js"
import type { SignInView } from "../types/sign-in-view.js"
import { contextOfCall } from "./pipeline.js"
import type { AuthService, AuthSource } from "./public.js"
import { settingsOf } from "./service.js"

/** The view, and the cookies to set with the page: its forms are refused without them. */
export interface SignInViewAnswer {
  /** What the page shows. */
  readonly view: SignInView
  /** Cookies to set with the page: that of the CSRF token where it is new. */
  readonly cookies: readonly Cookie[]
}

const viewFor = fromModule(
  () => import("../actions/sign-in-facts.js"),
  (module) => module.signInViewFor,
)

/** What the page of the application may be asked with; other parameters say nothing to it. */
const read = ["error", "incident", "cancelled", "callbackUrl", "email"] as const

/**
 * What a sign-in page of the application shows for a request: ways to sign in with labels, marks and colours, fields and
 * what is wrong with them, and texts. Its forms post `view.hidden` and their fields to the actions it names. The query
 * of the request is read as the built-in page reads it: `error`, `callbackUrl`, `cancelled`.
 *
 * @throws AuthError when the configuration or the request cannot be used
 * @throws TypeError when `auth` is not made by `createAuth`
 *
 * @example
 * ```ts
 * const { view, cookies } = await signInView(auth, request)
 * ```
 */
export async function signInView(auth: AuthService, source: AuthSource): Promise<SignInViewAnswer> {
  const settings = settingsOf(auth)
  if (!settings) throw new TypeError("signInView: expected what createAuth returns.")
  const params = paramsOf(source.url)
  const query = Object.fromEntries(read.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? ""]] : [])))
  const incoming = craftIncoming(source, { action: "signin", method: "GET", query }, settings)
  const context = contextOfCall(incoming, settings)
  const { view, cookies } = await viewFor(context)
  return { view, cookies: concreteCookies(cookies, context) }
}

function paramsOf(url: string | undefined): URLSearchParams {
  return url !== undefined && isUrl(url) ? new URL(url).searchParams : new URLSearchParams()
}
