/** Reading what stands behind the name of a command. */
import { type ParseArgsConfig, parseArgs } from "node:util"
import { UsageError } from "./command.js"

type Options = NonNullable<ParseArgsConfig["options"]>

/** What the command line says: options by name, the rest in order. */
type Read<T extends Options> = ReturnType<typeof parseArgs<{ options: T; strict: true; allowPositionals: true }>>

/** Reads the command line. What is not known is refused, and so is more than `most` words. */
export function readArguments<T extends Options>(
  args: readonly string[],
  options: T,
  most = 0,
): Pick<Read<T>, "values" | "positionals"> {
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true as const, strict: true as const })
    const surplus = read.positionals[most]
    if (surplus !== undefined) throw new UsageError(`Nobody knows what to do with "${surplus}".`)
    return read
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}
