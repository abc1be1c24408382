/** The program: reads the command line, shows help, turns errors into exit codes. The one keeper of `commander`. */
import { Argument, Command as Commander, CommanderError, Option } from "commander"
import { type Command, exitCodes, Failure, type OptionSpec, UsageError } from "./command.js"
import { add } from "./commands/add.js"
import { cleanup } from "./commands/cleanup.js"
import { dev } from "./commands/dev.js"
import { doctor } from "./commands/doctor.js"
import { fromAuthJs } from "./commands/from-authjs.js"
import { init } from "./commands/init.js"
import { migrate } from "./commands/migrate.js"
import { providers } from "./commands/providers.js"
import { reseal } from "./commands/reseal.js"
import { schema } from "./commands/schema.js"
import { secret } from "./commands/secret.js"
import { sessions } from "./commands/sessions.js"
import { unlock } from "./commands/unlock.js"
import { painter } from "./style.js"
import { meaningOf } from "./system-world.js"
import type { World } from "./world.js"

/** All commands, in the order of the overview. */
export const commands: readonly Command[] = [
  init,
  add,
  fromAuthJs,
  dev,
  secret,
  doctor,
  providers,
  migrate,
  schema,
  sessions,
  unlock,
  cleanup,
  reseal,
]

/** `envFile` of a command is `--env-file` on the command line. */
const kebab = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function optionOf(key: string, { value, isList, choices, text }: OptionSpec): Option {
  const option = new Option(value === undefined ? `--${kebab(key)}` : `--${kebab(key)} <${value}>`, text)
  if (choices) option.choices([...choices])
  if (isList) option.argParser((given: string, before: string[] | undefined) => [...(before ?? []), given])
  return option
}

/** Every option that was left out stands in the call: as `false`, an empty list or `undefined`. */
function valuesOf(command: Command, given: Readonly<Record<string, unknown>>): Record<string, never> {
  return Object.fromEntries(
    Object.entries(command.options).map(([key, spec]) => [
      key,
      given[key] ?? (spec.isList ? [] : spec.value === undefined ? false : undefined),
    ]),
  ) as Record<string, never>
}

function helpOf({ exits, notes }: Command): string {
  const paragraphs = [
    ...(notes === undefined ? [] : [notes]),
    `Exit codes: 0 ${exits.fine}, 1 ${exits.failed}, 2 wrong usage`,
  ]
  return `\n${paragraphs.join("\n\n")}`
}

interface Run {
  readonly world: World
  readonly offered: readonly Command[]
  readonly end: (code: number) => void
}

function commanderOf(command: Command, { world, end }: Omit<Run, "offered">): Commander {
  // Lines of the source are no lines of the help, which has a width of its own.
  const details = command.details.replaceAll("\n", " ")
  const described = new Commander(command.name).summary(command.summary).description(details)
  for (const { name, text, isList } of command.args ?? []) {
    described.addArgument(new Argument(isList ? `[${name}...]` : `[${name}]`, text))
  }
  for (const [key, spec] of Object.entries(command.options)) described.addOption(optionOf(key, spec))
  described.addHelpText("after", helpOf(command)).action(async () => {
    const options = valuesOf(command, described.opts<Record<string, unknown>>())
    end(await command.run({ options, words: described.args }, world))
  })
  return described
}

function programOf(run: Run): Commander {
  const { terminal, version } = run.world
  const paint = painter(terminal.colours.err)
  const program = new Commander("latchkey")
    .description("Latchkey: authentication for web applications, as a library")
    .version(version, "-v, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
  const settings = (part: Commander): Commander =>
    part
      .exitOverride()
      .showHelpAfterError(false)
      .configureHelp({ helpWidth: 100 })
      .configureOutput({
        writeOut: (text) => terminal.out(text),
        writeErr: (text) => terminal.err(text),
        outputError: (text, write) => {
          const sentence = text.trim().replace(/^error: /, "")
          write(`${paint("bad", `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`)}\n`)
        },
      })
  settings(program)
  for (const command of run.offered) {
    program.addCommand(settings(commanderOf(command, run).helpOption("-h, --help", "show this help")))
  }
  return program
}

/** The exit code of what was thrown, after saying it. */
function codeOfThrown(error: unknown, { args, world }: { args: readonly string[]; world: World }): number {
  const { terminal } = world
  const name = commands.find((candidate) => args.includes(candidate.name))?.name
  const see = `See: npx @latchkey/cli ${name === undefined ? "" : `${name} `}--help\n`
  if (error instanceof CommanderError) {
    // Commander has printed help, the version or the complaint.
    if (error.exitCode === 0) return exitCodes.fine
    if (error.code !== "commander.help") terminal.err(see)
    return exitCodes.usage
  }
  const paint = painter(terminal.colours.err)
  terminal.err(`${paint("bad", error instanceof Failure ? error.message : meaningOf(error))}\n`)
  if (!(error instanceof UsageError)) return exitCodes.failed
  terminal.err(see)
  return exitCodes.usage
}

/** Runs the program; answers the exit code. `offered`: the commands that it knows. */
export async function runProgram(
  args: readonly string[],
  world: World,
  offered: readonly Command[] = commands,
): Promise<number> {
  let code: number = exitCodes.fine
  const end = (answer: number): void => {
    code = answer
  }
  try {
    await programOf({ world, end, offered }).parseAsync([...args], { from: "user" })
    return code
  } catch (error) {
    return codeOfThrown(error, { args, world })
  }
}
