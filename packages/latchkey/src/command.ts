/** What a command is, and what it is given of the world. */

/** Where a command stands, and where it speaks. */
export interface World {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes what was asked for. */
  readonly out: (text: string) => void
  /** Writes what is said besides. */
  readonly err: (text: string) => void
}

/** How a command ended: all well, something is wrong with what was looked at, or the call itself was wrong. */
export const exitCodes = { well: 0, wrong: 1, usage: 2 } as const

/** The call itself was wrong: the message says how, and where to read more. */
export class UsageError extends Error {
  override name = "UsageError"
}

/** One command. */
export interface Command {
  readonly name: string
  /** One line for the overview. */
  readonly summary: string
  /** The whole help page, without the name of the program. */
  readonly help: string
  /** Answers the exit code. */
  run(args: readonly string[], world: World): Promise<number>
}
