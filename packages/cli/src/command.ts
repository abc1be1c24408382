/** What a command is: data about its arguments and options, and the function that runs it. */
import type { World } from "./world.js"

/** How a command ended: everything is fine, it found problems or failed, or it was called wrongly. */
export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const

/** The command was called wrongly: the message says how. */
export class UsageError extends Error {
  override name = "UsageError"
}

/** The command cannot go on; the message says why and what to do, and is all that is shown. */
export class Failure extends Error {
  override name = "Failure"
}

/** One option. Its name is the key in kebab case. */
export interface OptionSpec {
  /** What stands behind it in the help, such as `FILE`; absent for a switch. */
  readonly value?: string
  /** May be given several times; read as a list. */
  readonly isList?: true
  /** The only values it takes. */
  readonly choices?: readonly string[]
  /** What it does, for the help. */
  readonly text: string
}

/** One argument. It may always be left out; the command says when it needs it. */
export interface ArgumentSpec {
  readonly name: string
  readonly text: string
  /** Takes all that follow. */
  readonly isList?: true
}

/** What the command line said: options by key. */
export type ValuesOf<O extends Readonly<Record<string, OptionSpec>>> = {
  readonly [Key in keyof O]: O[Key] extends { readonly isList: true }
    ? readonly string[]
    : O[Key] extends { readonly value: string }
      ? string | undefined
      : boolean
}

/** What a command is given. */
export interface Call<O extends Readonly<Record<string, OptionSpec>>> {
  readonly options: ValuesOf<O>
  readonly words: readonly string[]
}

/** A command with the types of its options. */
export interface Definition<O extends Readonly<Record<string, OptionSpec>>> {
  readonly name: string
  /** One line for the overview. */
  readonly summary: string
  /** What it does, for its own help. */
  readonly details: string
  readonly args?: readonly ArgumentSpec[]
  readonly options: O
  /** More for the end of the help, such as examples. */
  readonly notes?: string
  /** What each exit code says. */
  readonly exits: { readonly fine: string; readonly failed: string }
  /** Answers the exit code. */
  run(call: Call<O>, world: World): Promise<number>
}

/** A command as the program holds it. */
export type Command = Omit<Definition<Readonly<Record<string, OptionSpec>>>, "run"> & {
  run(call: Call<Readonly<Record<string, OptionSpec>>>, world: World): Promise<number>
}

/** Makes a command; what it is given has the types that its options say. */
export function defineCommand<const O extends Readonly<Record<string, OptionSpec>>>(
  definition: Definition<O>,
): Command {
  // The program reads options by these very specifications, so that a call fits them.
  return { ...definition, run: (call, world) => definition.run(call as unknown as Call<O>, world) }
}
