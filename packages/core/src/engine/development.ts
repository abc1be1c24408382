/** What runs once in a process of development: the checks of the command line, where it is installed. Never loaded elsewhere. */
import { type Environment, variable } from "../config/environment.js"
import type { Settings } from "../config/settings.js"
import { importTool } from "../ports/tool.js"
import type { AuthConfig } from "../types/config.js"
import type { AuthService } from "./public.js"
import { createService } from "./service.js"

/** What the command line looks at when an application starts in development. */
export interface StartedConfiguration {
  /** A service with the settings that the configuration came to, for `inspectAuth`. */
  readonly auth: AuthService
  /** The configuration, as it was handed in. */
  readonly written: AuthConfig
  /** The environment it was resolved with. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What `@latchkey/cli/at-start` exports as `checkAtStart`: answers what it finds, each finding once in a process. */
export type StartCheck = (started: StartedConfiguration) => readonly StartFinding[]

/** One finding. */
export interface StartFinding {
  /** What was expected, and what came. */
  readonly message: string
  /** What to do. */
  readonly remedy: string
  /** The address of the page that says more. */
  readonly page: string
}

/** Milliseconds from the start: by then variables are loaded, and the first request is on its way. */
const pause = 1_000

/**
 * Checks the configuration that a service was made with, and logs each finding as a warning. Reads no store and calls no
 * callback. Whatever fails here is a debug message: an application must not notice.
 */
export async function checkInDevelopment(resolve: () => Settings, env: Environment): Promise<void> {
  if (isOff(variable(env, "AUTH_DEVELOPMENT_CHECKS"))) return
  await withoutHoldingTheProcess(pause)
  const settings = resolve()
  try {
    const tool = await importTool("@latchkey/cli/at-start")
    if (!isTool(tool)) return
    const auth = createService(() => settings)
    const findings = tool.checkAtStart({ auth, written: settings.config, env })
    for (const { message, remedy, page } of findings) {
      const detail = [message, remedy, page].filter((part) => part !== "").join(" ")
      settings.logger.warn("doctor-finding", detail)
    }
  } catch (thrown) {
    settings.logger.debug("The checks of @latchkey/cli failed.", { err: thrown })
  }
}

function isOff(value: string | undefined): boolean {
  return value === "off" || value === "false" || value === "0"
}

function isTool(tool: unknown): tool is { readonly checkAtStart: StartCheck } {
  return typeof (tool as { checkAtStart?: unknown } | undefined)?.checkAtStart === "function"
}

/** A program that ends before is not kept alive for this. */
async function withoutHoldingTheProcess(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer: unknown = setTimeout(resolve, milliseconds)
    if (typeof timer === "object" && timer !== null && "unref" in timer) (timer as { unref(): void }).unref()
  })
}
