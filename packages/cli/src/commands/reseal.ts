/** `latchkey reseal`: seals records with the newest secret, before an earlier one is retired. */
import { resealRecords } from "@latchkey/core"
import { type Command, defineCommand, exitCodes, Failure } from "../command.js"
import { projectAround } from "../project.js"
import { configAround, configOptions, environsOf, moduleIn } from "../surroundings.js"
import { agreeOn, agreeOptions } from "../target.js"

/** Milliseconds between two lines of progress. */
const between = 2000

export const reseal: Command = defineCommand({
  name: "reseal",
  summary: "seal records with the newest secret",
  details: `Seals anew what only an earlier secret opens, so that the earlier one can be removed from AUTH_SECRET or
AUTH_RECORD_SECRET. The application may go on running. A run that was broken off is begun again with the same command:
what is done is passed over.`,
  options: {
    ...configOptions,
    ...agreeOptions,
    kind: { value: "KIND", isList: true, text: "a kind of records of your own as well; may be repeated" },
    dryRun: { text: "count only, and write nothing" },
    quiet: { text: "print the result only" },
    json: { text: "print the result as JSON" },
  },
  exits: { fine: "done", failed: "the store refused, or a record opens with none of the secrets" },
  async run({ options }, world) {
    const { terminal } = world
    const project = projectAround(world)
    const environs = environsOf(options, project, world)
    const { env } = environs
    const config = await configAround(moduleIn(options.config, project, world), options.export, { env, project, world })
    if (!config.inspect(env).hasRecords) {
      throw new Failure("The configuration keeps no records: there is nothing to seal.")
    }
    const isAgreed = options.yes || options.json || options.dryRun
    const refused = options.quiet ? undefined : await agreeOn({ environs, isAgreed }, world)
    if (refused !== undefined) return refused
    let last = world.now().getTime()
    const { current, earlier, unopened } = await resealRecords(config.service(env), {
      now: world.now(),
      kinds: options.kind,
      dryRun: options.dryRun,
      onProgress(soFar) {
        const now = world.now().getTime()
        if (options.quiet || now - last < between) return
        last = now
        terminal.err(`... ${soFar.current + soFar.earlier + soFar.unopened} records so far\n`)
      },
    })
    const did = options.dryRun ? "are to be sealed anew" : "sealed anew"
    terminal.out(
      options.json
        ? `${JSON.stringify({ current, earlier, unopened })}\n`
        : `${earlier} records ${did}, ${current} had the newest secret, ${unopened} opened with none of the secrets.\n`,
    )
    return unopened === 0 ? exitCodes.fine : exitCodes.failed
  },
})
