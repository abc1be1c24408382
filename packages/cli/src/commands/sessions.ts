/** `latchkey sessions end USER`: signs a person out everywhere. */
import type * as Core from "@latchkey/core"
import type { Adapter, AuthService } from "@latchkey/core"
import { type Command, defineCommand, exitCodes, Failure, UsageError } from "../command.js"
import type { FoundConfig } from "../config-module.js"
import { importFrom } from "../installed.js"
import { projectAround } from "../project.js"
import { configAround, configOptions, environsOf, moduleIn } from "../surroundings.js"
import { agreeOn, agreeOptions } from "../target.js"
import type { Environment } from "../world.js"

/** What `managedSessions` answers, as far as it is needed. */
interface EndsSessions {
  endAll(auth: AuthService<unknown>, userId: string): Promise<{ readonly ended: number }>
}

function endingFeature({ written }: FoundConfig): EndsSessions | undefined {
  const features: readonly unknown[] = written?.features ?? []
  return features.find(
    (feature): feature is EndsSessions =>
      typeof feature === "object" && feature !== null && "endAll" in feature && typeof feature.endAll === "function",
  )
}

/** The id of a person who is named by id or by address. */
async function idOf(user: string, adapter: Adapter | undefined): Promise<string> {
  if (!isAddress(user, adapter)) return user
  const found = await adapter.getUserByEmail(user)
  if (!found) throw new Failure("There is no user with that address.")
  // Databases may take `josé` for `jose`.
  if (folded(String(found.email)) === folded(user)) return found.id
  throw new Failure(
    `The database finds another user by that address, ${found.email}. Name the id; no session was ended.`,
  )
}

const folded = (address: string): string => address.normalize("NFC").trim().toLowerCase()

function isAddress(
  user: string,
  adapter: Adapter | undefined,
): adapter is Adapter & Required<Pick<Adapter, "getUserByEmail">> {
  return user.includes("@") && adapter?.getUserByEmail !== undefined
}

/** Without this, a mistyped id would look like the end of somebody's sessions. */
async function refuseUnknown(user: string, adapter: Adapter | undefined): Promise<void> {
  if (isAddress(user, adapter) || !adapter?.getUser || (await adapter.getUser(user))) return
  throw new Failure("There is no user with that id.")
}

/** The service, made by the core that the application imports: a feature knows no service of another copy. */
async function serviceOf({ written }: FoundConfig, { env, cwd }: Target): Promise<AuthService<unknown>> {
  const { createAuth } = (await importFrom(cwd, "@latchkey/core")) as unknown as typeof Core
  return createAuth({ providers: [], ...written }, { env })
}

interface Target {
  readonly user: string
  readonly env: Environment
  readonly cwd: string
}

/** How many sessions ended; `undefined` where the adapter does not count them. */
async function end(config: FoundConfig, target: Target): Promise<number | undefined> {
  const { adapter } = config
  const { env, user } = target
  const feature = endingFeature(config)
  if (feature) return (await feature.endAll(await serviceOf(config, target), await idOf(user, adapter))).ended
  if (config.inspect(env).strategy !== "database") {
    throw new Failure(
      "Sessions are in cookies, and nothing here can end them. List the feature in the configuration: features: [managedSessions()], from @latchkey/core/sessions.",
    )
  }
  if (!adapter?.deleteSessionsByUserId) {
    throw new Failure('The adapter has no operation "deleteSessionsByUserId", which ends the sessions of a user.')
  }
  await adapter.deleteSessionsByUserId(await idOf(user, adapter))
  return undefined
}

export const sessions: Command = defineCommand({
  name: "sessions",
  summary: "end the sessions of a user",
  details: `"sessions end USER" signs a user out everywhere: with sessions in a database, or with the feature managedSessions
with either strategy. The module with the configuration is loaded with the environment of the application.`,
  args: [
    { name: "action", text: "end" },
    { name: "user", text: "id of the user, or the address, where the adapter finds users by it" },
  ],
  options: {
    ...configOptions,
    ...agreeOptions,
    json: { text: "print the result as JSON" },
  },
  exits: { fine: "ended", failed: "there is no such user, or sessions cannot be ended" },
  async run({ options, words: [action, user] }, world) {
    if (action !== "end") throw new UsageError(`Expected "sessions end USER", received "${action ?? ""}".`)
    if (user === undefined || user === "") throw new UsageError("Which user? Expected an id or an address.")
    const project = projectAround(world)
    const environs = environsOf(options, project, world)
    const { env } = environs
    const config = await configAround(moduleIn(options.config, project, world), options.export, { env, project, world })
    const refused = await agreeOn({ environs, isAgreed: options.yes || options.json }, world)
    if (refused !== undefined) return refused
    const ended = await end(config, { user, env, cwd: world.cwd })
    // Asked for afterwards: sessions of a user who was deleted end as well.
    if (!ended) await refuseUnknown(user, config.adapter)
    const count = ended === undefined ? "all sessions" : `${ended} session${ended === 1 ? "" : "s"}`
    world.terminal.out(
      options.json ? `${JSON.stringify({ user, ended: ended ?? null })}\n` : `Ended ${count} of the user.\n`,
    )
    return exitCodes.fine
  },
})
