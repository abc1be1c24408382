/** From what an application hands in, a configuration or the service it already holds, to the service. */
import { type AuthService, createAuth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"

/** The configuration of the service. */
export type ExpressAuthConfig = Omit<AuthConfig, "raw">

/** A configuration, or the service made from one by `createAuth`. */
export type AuthOrConfig = ExpressAuthConfig | AuthService

// Settings are resolved once for a configuration object, however many helpers are called with it.
const services: WeakMap<ExpressAuthConfig, AuthService> = new WeakMap()

const mountsAtMost = 64

/** Says whether it is the service itself. */
export function isService(auth: AuthOrConfig): auth is AuthService {
  return "handle" in auth && typeof auth.handle === "function"
}

/** The service for calls that do not come through a mount. */
export function serviceOf(auth: AuthOrConfig): AuthService {
  if (isService(auth)) return auth
  const known = services.get(auth)
  if (known) return known
  const made = createAuth(auth)
  services.set(auth, made)
  return made
}

/** Finds the service for a mount: a configuration without `basePath` of its own takes the path it is mounted at. */
export function servicesByMount(auth: AuthOrConfig): (mount: string) => AuthService {
  const byMount = new Map<string, AuthService>()
  return (mount) => {
    if (isService(auth) || mount === "") return serviceOf(auth)
    const known = byMount.get(mount)
    if (known) return known
    // A mount path with parameters makes as many mounts as there are visitors' spellings of it.
    if (byMount.size >= mountsAtMost) byMount.delete(byMount.keys().next().value ?? "")
    const made = createAuth(auth, { basePath: mount })
    byMount.set(mount, made)
    return made
  }
}
