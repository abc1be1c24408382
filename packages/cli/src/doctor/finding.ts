/** What the doctor finds, and what its checks look at. */
import type { AuthInspection } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import type { EnvFiles } from "../env-files.js"
import type { Project } from "../project.js"
import type { Environment, World } from "../world.js"

/** `error`: somebody cannot sign in, or should not be able to. `warning`: it works, and may not be meant. */
export type Level = "error" | "warning"

/** One finding. */
export interface Finding {
  readonly level: Level
  /** A short name that does not change, for scripts. */
  readonly code: string
  /** What was expected, and what came. */
  readonly message: string
  readonly remedy: string
  /** The guide that says more. */
  readonly page: string
}

/** What one part of the examination came to. */
export interface Part {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

/** What checks look at: nothing of it is asked of the network. */
export interface Patient {
  readonly inspection: AuthInspection
  /** As it was written; absent where the module made a service of it. */
  readonly written: AuthConfig | undefined
  /** What the configuration was resolved with. */
  readonly env: Environment
  readonly envFiles: EnvFiles
  readonly project: Project | undefined
  readonly isProduction: boolean
  /** May a value that no variable holds be taken for one that is written in the code? */
  readonly isInCode: (value: string) => boolean
  readonly world: Pick<World, "cwd" | "files">
}

/** A check: answers what it finds, and changes nothing. */
export type Check = (patient: Patient) => readonly Finding[]

/** Pages that findings point to. */
export const pages = {
  options: "docs/reference/options.md",
  callbacks: "docs/reference/callbacks.md#jwt",
  providers: "docs/providers/README.md",
  commandLine: "docs/guides/command-line.md#doctor",
  sessionSize: "docs/guides/command-line.md#the-size-of-a-session",
  trust: "docs/concepts/trust.md",
  databases: "docs/guides/databases.md",
  redis: "docs/guides/redis.md#settings-of-the-server",
  moving: "docs/guides/moving-from-authjs.md",
} as const

/** Where a page of the documentation can be read. */
export const addressOf = (page: string): string => `https://github.com/latchkey-auth/latchkey/blob/main/${page}`

/** `error` and `warning` findings with fewer words. */
export const found =
  (level: Level, page: string) =>
  (code: string, message: string, remedy: string): Finding => ({ level, code, message, remedy, page })
