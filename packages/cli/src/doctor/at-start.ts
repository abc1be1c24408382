/** The checks on a configuration that is running, in place of one that a command loads. */
import { join } from "node:path"
import { inspectAuth } from "@latchkey/core"
import type { StartedConfiguration } from "@latchkey/core/testing"
import { type EnvFiles, readEnvFiles } from "../env-files.js"
import { type Project, projectAround, readerOf, usualPlaces } from "../project.js"
import type { Environment, World } from "../world.js"
import { checks } from "./checks.js"
import type { Finding } from "./finding.js"

type Surroundings = Pick<World, "cwd" | "files">

/**
 * The files that the running variables came from. The process holds what its files said, so a file counts as the source
 * of a variable where both say the same.
 */
function filesOf(env: Environment, project: Project | undefined, { cwd, files }: Surroundings): EnvFiles {
  const read = readEnvFiles({ mode: "development", framework: readerOf(project) }, { cwd, files, env: {} })
  return { ...read, env, sourceOf: (name) => (read.env[name] === env[name] ? read.sourceOf(name) : undefined) }
}

/** Is the value written in a module that usually holds the configuration? One from a store of secrets is in none. */
function inCode(project: Project | undefined, { cwd, files }: Surroundings): (value: string) => boolean {
  const places = usualPlaces(project?.frameworks ?? [])
  return (value) => places.some((place) => files.read(join(cwd, place))?.includes(value))
}

/** Everything that is found. What the core finds itself is left out: it has logged it. */
export function findingsAtStart({ auth, written, env }: StartedConfiguration, world: Surroundings): Finding[] {
  const inspection = inspectAuth(auth)
  const project = projectAround({ ...world, env })
  const envFiles = filesOf(env, project, world)
  const isInCode = inCode(project, world)
  const patient = { inspection, written, env, envFiles, project, isProduction: false, isInCode, world }
  return checks.flatMap((check) => check(patient))
}
