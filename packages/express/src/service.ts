/** Finds the service for what an application passes: a configuration, a service, or a function that returns either. */
import { type AuthService, authOf } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { AuthConfig } from "@latchkey/core/types"
import type { Request as ExpressRequest } from "express"
import { isBasePath } from "./mount.js"

/** The configuration of the service. */
export type ExpressAuthConfig = Omit<AuthConfig, "raw">

/**
 * Finds the configuration or service for a request, such as that of its tenant. It is asked once in each call, and
 * settings are kept as long as it answers with the same object: hold what it finds.
 */
export type AuthOfRequest = (
  req: ExpressRequest,
) => ExpressAuthConfig | AuthService<unknown> | PromiseLike<ExpressAuthConfig | AuthService<unknown>>

/** A configuration, the service made from one by `createAuth`, or a function that finds either for a request. */
export type AuthSourceOf = ExpressAuthConfig | AuthService<unknown> | AuthOfRequest

/** Where `ExpressAuth` keeps what it was given. */
export const holdsGiven: unique symbol = Symbol("latchkey express")

/** What `ExpressAuth` answers, as far as it is handed back to the functions of this package. */
export interface HoldsGiven {
  readonly [holdsGiven]: AuthSourceOf
}

/** What the functions of this package take: a configuration, a service, a function that finds either, or what `ExpressAuth` answers. */
export type AuthOrConfig = AuthSourceOf | HoldsGiven

/** What was given to `ExpressAuth`; its handler is a function as well. */
export function sourceIn(auth: AuthOrConfig): AuthSourceOf {
  return typeof auth === "function" && holdsGiven in auth ? (auth as HoldsGiven)[holdsGiven] : (auth as AuthSourceOf)
}

/** The configuration or service for one request. Sessions that were read are remembered by this object. */
export type Found = ExpressAuthConfig | AuthService<unknown>

/** Says whether it is the service itself. */
function isService(auth: Found): auth is AuthService<unknown> {
  return "handle" in auth && typeof auth.handle === "function"
}

/** The configuration or service for this request. Throws what the function throws, and when it returns neither. */
export function findAuth(auth: AuthSourceOf, req: ExpressRequest): Found | Promise<Found> {
  return typeof auth === "function" ? ask(auth, req) : auth
}

async function ask(find: AuthOfRequest, req: ExpressRequest): Promise<Found> {
  const found: unknown = await calling(find, req)
  if (typeof found === "object" && found !== null) return found as Found
  const received = found === null ? "null" : typeof found
  throw new InvalidConfiguration(
    `The function given in place of a configuration has to return a configuration or a service, but returned ${received}.`,
  )
}

/** Express would go on, and past a guard, where it gets `null`, 0 or the text "route" as an error. */
async function calling(find: AuthOfRequest, req: ExpressRequest): Promise<unknown> {
  try {
    return await find(req)
  } catch (thrown) {
    if (typeof thrown === "object" && thrown !== null) throw thrown
    throw new Error("The function given in place of a configuration has thrown something that is not an error.", {
      cause: thrown,
    })
  }
}

/** The service of what was found. */
export function serviceFrom(found: Found): AuthService {
  // Callers see the open `Session`; the object of `ExpressAuth` has the exact type.
  return (isService(found) ? found : authOf(found)) as AuthService
}

/** Logs problems of a configuration at once; a function is called for the first request. */
export function reportProblems(auth: AuthSourceOf): void {
  if (typeof auth === "object" && auth !== null && !isService(auth)) authOf(auth)
}

/** The service for calls that do not come through a mount. */
export async function serviceOf(auth: AuthSourceOf, req: ExpressRequest): Promise<AuthService> {
  return serviceFrom(await findAuth(auth, req))
}

/** Finds the service for a request and the path where the handler is mounted. */
export type ServiceAt = (req: ExpressRequest, mount: string) => Promise<AuthService>

/** A configuration without `basePath` of its own takes the path it is mounted at. */
export function servicesByMount(auth: AuthSourceOf): ServiceAt {
  return async (req, mount) => {
    const found = await findAuth(auth, req)
    if (isService(found)) return found as AuthService
    return authOf(found, found.basePath === undefined && isBasePath(mount) ? mount : "")
  }
}
