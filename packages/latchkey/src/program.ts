/** The program: finds the command, shows help, turns errors into exit codes. */
import { type Command, exitCodes, UsageError, type World } from "./command.js"
import { cleanup } from "./commands/cleanup.js"
import { doctor } from "./commands/doctor.js"
import { migrate } from "./commands/migrate.js"
import { secret } from "./commands/secret.js"

const commands: readonly Command[] = [secret, migrate, cleanup, doctor]

const overview = `latchkey: authentication that an application carries inside itself

Usage: latchkey COMMAND [OPTIONS]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join("\n")}

Options:
  -h, --help     show this, or the help of a command: latchkey COMMAND --help
  -v, --version  show the version
`

const isHelp = (text: string | undefined): boolean => text === "--help" || text === "-h"

async function runCommand(command: Command, args: readonly string[], world: World): Promise<number> {
  if (args.some(isHelp)) {
    world.out(`Usage: latchkey ${command.help}\n`)
    return exitCodes.well
  }
  try {
    return await command.run(args, world)
  } catch (error) {
    const isUsage = error instanceof UsageError
    world.err(`${error instanceof Error ? error.message : String(error)}\n`)
    if (isUsage) world.err(`See: latchkey ${command.name} --help\n`)
    return isUsage ? exitCodes.usage : exitCodes.wrong
  }
}

/** Runs the program; answers the exit code. */
export async function runProgram(
  [first, ...rest]: readonly string[],
  { version, world }: { version: string; world: World },
): Promise<number> {
  const name = first === "help" ? rest[0] : first
  if (name === undefined || isHelp(name)) {
    const isAsked = first !== undefined
    ;(isAsked ? world.out : world.err)(overview)
    return isAsked ? exitCodes.well : exitCodes.usage
  }
  if (name === "--version" || name === "-v") {
    world.out(`${version}\n`)
    return exitCodes.well
  }
  const command = commands.find((candidate) => candidate.name === name)
  if (!command) {
    world.err(`There is no command "${name}"; there are ${commands.map((it) => it.name).join(", ")}.\n`)
    return exitCodes.usage
  }
  return runCommand(command, first === "help" ? ["--help"] : rest, world)
}
