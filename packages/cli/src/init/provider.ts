/** The first provider of an application: its entry in the configuration, and its variables. */
import { isRemote, neededVariables, readProvider } from "../catalogue.js"
import { UsageError } from "../command.js"
import { devVariables } from "../commands/dev.js"
import type { Environment } from "../world.js"
import type { ProviderCode } from "./plan.js"

/** The provider of `latchkey dev`, or one of the catalogue. Variables that the environment has are left alone. */
export async function providerCode(
  id: string,
  { env, service }: { env: Environment; service: string },
): Promise<ProviderCode> {
  if (id === "dev") {
    return {
      id,
      entry: '{ id: "dev", name: "Development", type: "oidc" }',
      remarks: ["The provider that `npx @latchkey/cli dev` starts. Put the one of your users in its place."],
      variables: devVariables("dev", { env }),
    }
  }
  const entry = await readProvider(id)
  if (entry.discontinued !== undefined)
    throw new UsageError(`${entry.name} cannot be used any more: ${entry.discontinued}`)
  if (!isRemote(entry)) {
    throw new UsageError(
      `"init" writes providers of OAuth and OpenID Connect. ${entry.name} needs code of yours: docs/providers/${id}.md. Begin with --provider dev.`,
    )
  }
  return {
    id: entry.id,
    imported: { name: entry.exported, file: entry.file },
    entry: entry.exported,
    remarks: [
      `${entry.console === undefined ? "Register" : `Register at ${entry.console}`} with the callback address ${service}/callback/${entry.id}`,
    ],
    variables: Object.fromEntries(neededVariables(entry).map((name) => [name, env[name] ?? ""])),
  }
}
