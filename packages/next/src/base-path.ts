/** Where the application stands: `basePath` of next.config, which Next takes off most of the paths that it hands over. */

/** A path of the application, with the base path in front unless it has it already; any other address stays as it is. */
export function below(base: string, address: string): string {
  return address.startsWith("/") && !isInside(base, address) ? base + address : address
}

/**
 * The path that the service is known by, for one without the base path: route handlers get `/api/auth/signin` for
 * `/app/api/auth/signin`. The base path is what the path of the service has in front.
 */
export function servedPath(served: string, path: string): string {
  if (isInside(served, path)) return path
  for (let at = served.indexOf("/", 1); at > 0; at = served.indexOf("/", at + 1))
    if (isInside(served.slice(at), path)) return served.slice(0, at) + path
  return path
}

function isInside(base: string, path: string): boolean {
  return path.startsWith(base) && /^(?:[/?#]|$)/.test(path.slice(base.length))
}
