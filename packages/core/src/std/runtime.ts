/** What the runtime offers beyond the web platform, where it offers it. The only place that looks for it. */

interface ProcessLike {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: () => string
  readonly getBuiltinModule?: (name: string) => unknown
  readonly stdout?: { readonly isTTY?: boolean }
  readonly stderr?: { readonly isTTY?: boolean }
}

const nothing: Readonly<Record<string, string | undefined>> = Object.freeze(Object.create(null))

function runtimeProcess(): ProcessLike | undefined {
  return (globalThis as { readonly process?: ProcessLike }).process
}

/** The environment variables; an empty record where the runtime has none. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return runtimeProcess()?.env ?? nothing
}

/** The folder that the process works in; `undefined` where there are no folders. */
export function workingFolder(): string | undefined {
  return runtimeProcess()?.cwd?.()
}

/** A module built into the runtime, such as `node:crypto`; `undefined` where there is none. */
export function builtin<T>(name: string): T | undefined {
  const host = runtimeProcess()
  try {
    return host?.getBuiltinModule?.(name) as T | undefined
  } catch {
    // Some runtimes throw for modules they only know by name.
    return undefined
  }
}

/** Does this output lead to a terminal whose reader did not ask for plain text (https://no-color.org)? */
export function showsColours(stream: "stdout" | "stderr"): boolean {
  const { NO_COLOR, TERM } = environment()
  return runtimeProcess()?.[stream]?.isTTY === true && !NO_COLOR && TERM !== "dumb"
}
