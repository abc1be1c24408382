/** `latchkey unlock`: lets a person try again who has to wait. */
import { type AuthService, limits } from "@latchkey/core"
import { type Command, defineCommand, exitCodes, Failure, UsageError } from "../command.js"
import { projectAround } from "../project.js"
import { configAround, configOptions, environsOf, moduleIn } from "../surroundings.js"
import { agreeOn, agreeOptions } from "../target.js"

export const unlock: Command = defineCommand({
  name: "unlock",
  summary: "let a person try again who has to wait",
  details: `Forgets the wrong passwords, the wrong codes and the sent messages that were counted for WHO: the address or the
name that the person types. Where accountField of the provider names several fields, WHO is what stands in each, in the same order. The
person may try again at once, in every browser. Loading the configuration runs its module.`,
  args: [{ name: "who", text: "the address, or the name beside the password, as it is typed", isList: true }],
  options: {
    ...configOptions,
    ...agreeOptions,
    json: { text: "print the result as JSON" },
  },
  exits: { fine: "done", failed: "the store could not be asked, or keeps no tries" },
  async run({ options, words: who }, world) {
    if (!who.some((word) => word.trim()))
      throw new UsageError("Who? Expected the address or the name that the person types.")
    const project = projectAround(world)
    const environs = environsOf(options, project, world)
    const { env } = environs
    const config = await configAround(moduleIn(options.config, project, world), options.export, { env, project, world })
    const inspection = config.inspect(env)
    if (inspection.limits === undefined) {
      throw new Failure("Nothing is limited: the configuration has `limits: false`, or NODE_ENV is test.")
    }
    if (!inspection.limits.isShared) {
      throw new Failure(
        "The configuration keeps no records: tries are counted in the memory of each process. Restart it, or call limits.reset in it.",
      )
    }
    const refused = await agreeOn({ environs, isAgreed: options.yes || options.json }, world)
    if (refused !== undefined) return refused
    await limits.reset(config.service(env) as AuthService, who)
    const done = "The counted tries were removed. The person may try again at once."
    world.terminal.out(
      options.json ? `${JSON.stringify({ unlocked: who.length === 1 ? who[0] : who })}\n` : `${done}\n`,
    )
    return exitCodes.fine
  },
})
