/** Finds the service for a configuration, or for a function that makes one for a request. */
import { type AuthService, createAuth } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { AuthConfig } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import { basePathOf } from "../base-path.js"
import type { AuthEvent } from "./event.js"
import type { Surroundings } from "./surroundings.js"

/** The configuration of the service. */
export type SvelteKitAuthConfig = Omit<AuthConfig, "raw">

/** A configuration, or a function that makes one for a request. */
export type ConfigSource =
  | SvelteKitAuthConfig
  | ((event: RequestEvent) => SvelteKitAuthConfig | PromiseLike<SvelteKitAuthConfig>)

/** Finds the service that answers a request. Rejects with an {@link InvalidConfiguration} when there is no configuration. */
export type FindService = (event: AuthEvent) => Promise<AuthService>

/** Milliseconds that a function may take to make a configuration. */
export const patience = 10_000

/** Nothing is made while the application is built: it is loaded then without its secrets. */
export function findServiceWith(source: ConfigSource, surroundings: Surroundings): FindService {
  const make = serviceMaker(surroundings)
  if (typeof source !== "function") {
    let service: Promise<AuthService> | undefined
    const find = (): Promise<AuthService> => {
      service ??= make(source).catch((error: unknown) => {
        service = undefined
        throw error
      })
      return service
    }
    // Made at once, so that what is wrong is logged; whatever fails here fails again for the first request.
    if (!surroundings.isBuilding()) find().catch(() => undefined)
    return find
  }
  // One configuration for one request, for all callers. The event is copied on its way, its locals are not.
  const found = new WeakMap<object, Promise<AuthService>>()
  return (event) => {
    const known = found.get(event.locals)
    if (known) return known
    const service = configOf(source, event).then(make)
    service.catch(() => undefined)
    found.set(event.locals, service)
    return service
  }
}

function serviceMaker({ environment, kitBase }: Surroundings): (config: SvelteKitAuthConfig) => Promise<AuthService> {
  const services = new WeakMap<object, AuthService>()
  let env: ReturnType<Surroundings["environment"]> | undefined
  return async (config) => {
    const known = isObject(config) ? services.get(config) : undefined
    if (known) return known
    env ??= environment().catch((error: unknown) => {
      env = undefined
      throw error
    })
    const service = createAuth(belowKitBase(config, kitBase), { env: await env, basePath: basePathOf(kitBase) })
    if (isObject(config)) services.set(config, service)
    return service
  }
}

/** An option that leads out of the application is taken to be below it. */
function belowKitBase(config: SvelteKitAuthConfig, kitBase: string): SvelteKitAuthConfig {
  const option: unknown = config?.basePath
  if (typeof option !== "string") return config
  const basePath = basePathOf(kitBase, option)
  return basePath === option.replace(/\/+$/, "") ? config : { ...config, basePath }
}

async function configOf(
  source: Extract<ConfigSource, (event: RequestEvent) => unknown>,
  event: AuthEvent,
): Promise<SvelteKitAuthConfig> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure("was not ready in time", { status: 503 })), patience)
  })
  try {
    return await Promise.race([made(source, event), late])
  } finally {
    clearTimeout(timer)
  }
}

async function made(
  source: Extract<ConfigSource, (event: RequestEvent) => unknown>,
  event: AuthEvent,
): Promise<SvelteKitAuthConfig> {
  try {
    return await source(event as RequestEvent)
  } catch (thrown) {
    throw failure("could not be made", { status: 500, thrown })
  }
}

function failure(
  what: string,
  { status, thrown }: { readonly status: number; readonly thrown?: unknown },
): InvalidConfiguration & { status: number } {
  const message = `The configuration ${what}: the function given to SvelteKitAuth has to return one within ${patience / 1000} seconds.`
  const err = thrown === undefined || thrown instanceof Error ? thrown : new Error(String(thrown))
  return Object.assign(new InvalidConfiguration(message, err && { cause: { err } }), { status })
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
