/** Runs a program to its end and hands back what it wrote. */
import { spawn } from "node:child_process"

/** What is run, and where. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Standard output and error together, as they came. Throws with them when the program fails. */
export function run({ args, cwd, env, program }: Command): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...bareEnvironment(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    const keep = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${[program, ...args].join(" ")} in ${cwd} ended with ${code}:\n${output}`))
    })
  })
}

/** The surroundings without what the test runner or a developer's shell would tell an application. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const ours =
    /^(?:VITEST|VITE_|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$|AUTH_|TEST$|MODE$|DEV$|PROD$|SSR$|BASE_URL$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}
