/** What a command needs of the outside: a folder, an environment, a terminal, files, the network. */

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A terminal, or what stands in its place. */
export interface Terminal {
  /** Writes the result. */
  out(text: string): void
  /** Writes progress and complaints. */
  err(text: string): void
  /** May each of the two show colours? */
  readonly colours: { readonly out: boolean; readonly err: boolean }
  /** Asks a question and answers the line that was typed; absent where nobody can answer. */
  readonly ask?: (question: string) => Promise<string>
}

/** What a path leads to. */
export type Found =
  | {
      readonly kind: "folder" | "file"
      readonly isLink: boolean
      /** Without links. */
      readonly real: string
      /** May others on this machine read it? Of systems whose modes do not say: no. */
      readonly isOpen: boolean
    }
  /** A pipe, a socket or a device: reading it may never end. */
  | { readonly kind: "other" }
  | { readonly kind: "nothing" }
  | { readonly kind: "unknown"; readonly why: string }

/** Files, by absolute path. */
export interface Files {
  /** The content; `undefined` where there is no such file. */
  read(path: string): string | undefined
  exists(path: string): boolean
  /** What is there; nothing is opened. */
  lookAt(path: string): Found
  /** Names in a folder; none where there is no such folder. */
  list(folder: string): readonly string[]
  /**
   * Writes a file and makes its folders. A new file gets the mode, an existing one keeps its own. When that fails, the
   * file is as it was before.
   */
  write(path: string, content: string, mode?: number): void
}

/** Where a command runs. */
export interface World {
  /** Of this program, and of the packages that it goes with. */
  readonly version: string
  readonly cwd: string
  readonly env: Environment
  readonly terminal: Terminal
  readonly files: Files
  /** Fills in variables that the process does not have, for modules that read `process.env` when they are loaded. */
  fillEnvironment(values: Environment): void
  /** Imports a package that development alone needs: the project's, else one beside this program. */
  importTool(name: string): Promise<Readonly<Record<string, unknown>>>
  now(): Date
  readonly fetch: typeof globalThis.fetch
  /** Resolves when the person asks the program to stop. */
  stopped(): Promise<void>
}
