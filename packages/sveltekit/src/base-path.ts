/** Where the application and the service in it are mounted. */

/** The part of the module `$app/paths` that is there, by major version of SvelteKit: 2 has `base`, 3 has `resolve` alone. */
interface PathsModule {
  readonly base?: unknown
  readonly resolve?: (path: string) => string
}

/** `kit.paths.base` without a trailing slash, empty for the root. Ask while modules load: during a request the answer may be relative. */
export function kitBaseOf(paths: object): string {
  const { base, resolve } = paths as PathsModule
  const found = typeof base === "string" ? base : (resolve?.("/") ?? "")
  return found.startsWith("/") ? trimSlashes(found) : ""
}

/**
 * The base path of the service: `/auth` below the application, or the option. An option that leads out of the
 * application could never be reached, so it is taken to be below it as well.
 */
export function basePathOf(kitBase: string, option?: string | null): string {
  if (option === undefined || option === null) return `${kitBase}/auth`
  const path = trimSlashes(option)
  const isInside = path === kitBase || path.startsWith(`${kitBase}/`)
  return isInside ? path : `${kitBase}${path}`
}

/**
 * The address that a form of a component is sent to. A query alone names an action of the same page; an empty string is
 * the page itself as it was asked for, with its query.
 */
export function formAddress(kitBase: string, page: string): string {
  if (page === "" || page.startsWith("?") || /^https?:\/\//i.test(page)) return page
  const path = page.startsWith("/") ? page : `/${page}`
  return kitBase !== "" && path.startsWith(`${kitBase}/`) ? path : `${kitBase}${path}`
}

/** Path and query of an address of this application. Two slashes in front would name another host. */
export function localAddress({ pathname, search }: URL): string {
  return pathname.replace(/^\/+/, "/") + search
}

function trimSlashes(path: string): string {
  const end = path.replace(/\/+$/, "")
  return end === "" || end.startsWith("/") ? end : `/${end}`
}
