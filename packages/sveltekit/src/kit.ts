/** The application as SvelteKit describes it. The only file of the server that imports its virtual modules. */
/// <reference path="./virtual.d.ts" />
import { VERSION } from "@sveltejs/kit"
import { building } from "$app/env"
import { kitBase } from "./kit-paths.js"
import { asEnvironment, type Surroundings } from "./server/surroundings.js"

/** The application that this package is part of. */
export const kit: Surroundings = {
  isBuilding: () => building,
  kitBase,
  // Variables that an application of SvelteKit 3 did not declare are known to the process alone.
  environment: async () => asEnvironment(processEnvironment(), await privateEnvironment()),
}

/**
 * SvelteKit 3 has the declared variables alone and warns of the old module; SvelteKit 2 has all of them there, unless
 * it is given the declared ones, and then the old module fails to load.
 */
async function privateEnvironment(): Promise<object> {
  if (Number.parseInt(VERSION, 10) >= 3) return import("$app/env/private")
  try {
    return (await import("$env/dynamic/private")).env
  } catch {
    return import("$app/env/private")
  }
}

function processEnvironment(): object {
  return (globalThis as { process?: { env?: object } }).process?.env ?? {}
}
