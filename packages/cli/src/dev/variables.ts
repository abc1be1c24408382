/** What becomes of the variables that an application needs to sign in at the provider of `latchkey dev`. */
import { resolve } from "node:path"
import { parse } from "dotenv"
import type { EnvFiles } from "../env-files.js"
import { withVariables } from "../env-text.js"
import { warnOfOpen } from "../open-file.js"
import type { Environment, World } from "../world.js"

type Variables = Readonly<Record<string, string>>

const nothingMissing = "The environment has all variables."

/** What to do about variables that the environment of the project lacks, line by line. */
export function advice(missing: Variables, env: Environment): readonly string[] {
  const lines = Object.entries(missing).map(([name, value]) => `  ${name}=${value}`)
  if (lines.length === 0) return [nothingMissing]
  const isOther = Object.keys(missing).some((name) => env[name])
  return [`Put into .env, ${isOther ? "in place of other values" : "or start with --write .env"}:`, "", ...lines]
}

/** Puts the variables into a file, where they have no value yet; answers what was written, and what else counts. */
export function written(
  name: string,
  missing: Variables,
  { world, environs }: { readonly world: World; readonly environs: () => EnvFiles },
): readonly string[] {
  if (Object.keys(missing).length === 0) return [nothingMissing]
  const { cwd, files } = world
  const file = resolve(cwd, name)
  const before = files.read(file) ?? ""
  const after = withVariables(before, missing)
  if (after !== before) {
    files.write(file, after, 0o600)
    warnOfOpen(name, world)
  }
  const [old, now] = [parse(before), parse(after)]
  const { env, sourceOf } = environs()
  const did = Object.keys(missing).filter((variable) => now[variable] !== old[variable])
  const others = Object.entries(missing).flatMap(([variable, value]): string[] => {
    if (now[variable] !== value)
      return [`${variable} was not written, because ${name} has a line for it already: change that to ${value}.`]
    if (!env[variable] || env[variable] === value) return []
    const where = sourceOf(variable) ?? "the environment of this process"
    return [`${variable} has another value in ${where}, which counts more: change it to ${value}.`]
  })
  return [...(did.length > 0 ? [`Wrote ${did.join(", ")} to ${name}.`] : []), ...others]
}
