/** Where the service lives: its base path, and the proxy that redirects come back through. */
import { proxyMistake } from "./draft.js"
import type { Members } from "./members.js"
import type { Report } from "./report.js"
import { defaults } from "./settings.js"
import { parseHttp, type Site, trimSlashes } from "./site.js"

const pathShape = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/
/** A URL parser would walk through them, and another path would be matched than was written. */
const hasDots = /\/\.\.?(?:\/|$)/

/** The base path: the option, else the mount, else the path of AUTH_URL, else the default. */
export function basePathOf(
  { members, mount, site }: { members: Members; mount: string | undefined; site: Site | undefined },
  report: Report,
): string {
  const own = members.basePath ?? mount
  if (own === undefined || own === null) return site && site.path !== "" ? site.path : defaults.basePath
  const basePath = typeof own === "string" ? trimSlashes(own) : undefined
  if (basePath === undefined || !pathShape.test(basePath) || hasDots.test(basePath)) {
    const expected = 'a path such as "/auth"'
    report.mistake("basePath", { expected, received: own, remedy: "Write only the path, without query and fragment." })
    return defaults.basePath
  }
  if (site && site.path !== "") {
    if (site.path !== basePath) report.warn("env-url-basepath-mismatch")
    // An integration always knows its mount; naming the path once is not naming it twice.
    else if (members.basePath !== undefined) report.warn("env-url-basepath-redundant")
  }
  return basePath
}

/** The base of the redirect proxy for all providers. */
export function redirectProxyOf(given: unknown, report: Report): string | undefined {
  if (given === undefined || given === null || given === "") return undefined
  if (typeof given === "string" && parseHttp(given)) return given
  report.mistake("redirectProxyUrl", proxyMistake(given))
  return undefined
}
