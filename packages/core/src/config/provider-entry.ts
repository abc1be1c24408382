/** An entry of `providers` becomes an object: functions are called, options from the environment are filled in. */
import { concealBut } from "../std/conceal.js"
import { isPromise } from "./mistake.js"
import { type Environment, variable } from "./variable.js"

type Options = Readonly<Record<string, string>>

const variables = { clientId: "ID", clientSecret: "SECRET", issuer: "ISSUER", apiKey: "KEY" } as const
const filled: Readonly<Record<string, readonly (keyof typeof variables)[]>> = {
  oauth: ["clientId", "clientSecret", "issuer"],
  oidc: ["clientId", "clientSecret", "issuer"],
  email: ["apiKey"],
}

/**
 * The provider object of an entry: a function is called with what the environment says of its provider, and whatever
 * `clientId`, `clientSecret`, `issuer` (or `apiKey`) an object leaves open is filled. Nothing handed in is changed.
 * @throws whatever the function throws; TypeError when there is no object
 */
export function instantiate(entry: unknown, env: Environment): Record<PropertyKey, unknown> {
  const given = typeof entry === "function" ? called(entry as (options: object) => unknown, env) : entry
  if (typeof given !== "object" || given === null || isPromise(given)) {
    throw new TypeError("An entry of providers is neither a provider nor a function that returns one.")
  }
  const provider = given as Record<PropertyKey, unknown>
  const found = optionsFrom(env, provider.id)
  // Also where the `options` say it: they are laid over, and frameworks read the members of the provider itself.
  const open = (filled[String(provider.type)] ?? []).filter(
    (name) => found[name] !== undefined && provider[name] == null,
  )
  const filledIn = Object.fromEntries(open.map((name) => [name, found[name]]))
  return open.length === 0 ? { ...provider } : concealBut({ ...provider, ...filledIn }, Object.keys(provider))
}

/** The first call only finds the id; a fresh object each time, because some functions write to their options. */
function called(make: (options: object) => unknown, env: Environment): unknown {
  const provider = make({})
  const found = optionsFrom(env, (provider as { id?: unknown } | null | undefined)?.id)
  return Object.keys(found).length === 0 ? provider : make({ ...found })
}

/** AUTH_<ID>_ID, _SECRET, _ISSUER and _KEY, as far as they are set. */
function optionsFrom(env: Environment, id: unknown): Options {
  if (typeof id !== "string" || id === "") return {}
  const found = Object.entries(variables).map(
    ([name, suffix]) => [name, variable(env, variableName(id, suffix))] as const,
  )
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** The environment variable of a provider. */
export function variableName(id: string, suffix: "ID" | "SECRET" | "ISSUER" | "KEY"): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_${suffix}`
}
