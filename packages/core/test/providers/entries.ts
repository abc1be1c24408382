/** The fixtures of the catalogue, and the providers they are about. */
import { readdirSync, readFileSync } from "node:fs"
import type { Provider } from "../../src/types/provider.js"
import type { Fixture } from "./simulator.js"

const folder = new URL("./fixtures/", import.meta.url)

/** Every fixture, those of mail services included. */
export const fixtures = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Fixture,
)

/** The function that makes a provider. */
export async function load(id: string): Promise<(options: object) => Provider> {
  const module = (await import(`../../src/providers/${id}.ts`)) as { default: (options: object) => Provider }
  return module.default
}
