/** Finds the service for what an application passes: a configuration, a service, or a function of the context. */
import { type AuthService, authOf, createAuth } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { AuthConfig } from "@latchkey/core/types"
import type { Context } from "hono"
import { env } from "hono/adapter"

/** The configuration of the service. */
export type HonoAuthConfig = Omit<AuthConfig, "raw">

/** A configuration or a service. */
export type Found = HonoAuthConfig | AuthService<unknown>

/**
 * Finds the configuration or service for a request, such as that of its tenant or one that needs bindings. It is asked
 * once for each request, and settings are kept as long as it returns the same object.
 */
export type FindByContext = (c: Context) => Found | PromiseLike<Found>

/** Finds the service that answers a request. */
export type FindService = (c: Context) => Promise<AuthService>

/** Problems of a configuration are logged at once; a function is asked by the first request. */
export function serviceFinder(given: Found | FindByContext): FindService {
  if (typeof given !== "function") {
    const service = isService(given) ? (given as AuthService) : authOf(given)
    return async () => service
  }
  const services = new WeakMap<object, AuthService>()
  const asked = new WeakMap<Context, Promise<AuthService>>()
  const ask = async (c: Context): Promise<AuthService> => {
    const found: unknown = await given(c)
    if (typeof found !== "object" || found === null) throw refused(found)
    const service = services.get(found) ?? serviceFor(found as Found, c)
    services.set(found, service)
    return service
  }
  return (c) => {
    const service = asked.get(c) ?? ask(c)
    asked.set(c, service)
    return service
  }
}

function isService(found: Found): found is AuthService<unknown> {
  return "handle" in found && typeof found.handle === "function"
}

/** Runtimes that pass variables with the request: the configuration reads them from there. */
function serviceFor(found: Found, c: Context): AuthService {
  return isService(found) ? (found as AuthService) : createAuth(found, { env: textsOf({ ...env(c), ...c.env }) })
}

/** Bindings are databases and queues as well. */
function textsOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  return Object.fromEntries(texts)
}

function refused(found: unknown): InvalidConfiguration {
  const received = found === null ? "null" : typeof found
  return new InvalidConfiguration(
    `The function given to HonoAuth has to return a configuration or a service, but returned ${received}.`,
  )
}
