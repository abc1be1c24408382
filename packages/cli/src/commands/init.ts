/** `latchkey init`: adds sign-in to an application. It shows what it is going to change, and overwrites nothing. */
import { join } from "node:path"
import { type Command, defineCommand, exitCodes, Failure, UsageError } from "../command.js"
import { readEnvFiles } from "../env-files.js"
import { planExpress } from "../init/express.js"
import { planHono } from "../init/hono.js"
import { planNext } from "../init/next.js"
import type { Draft, FrameworkPlan, Plan } from "../init/plan.js"
import { providerCode } from "../init/provider.js"
import { secretChanges } from "../init/secrets.js"
import { shown } from "../init/show.js"
import { planSvelteKit } from "../init/sveltekit.js"
import { closingOf } from "../open-file.js"
import {
  type Framework,
  frameworks,
  installCommand,
  localOrigin,
  mountOf,
  type Project,
  readProject,
} from "../project.js"
import { type Paint, painter } from "../style.js"
import type { World } from "../world.js"

const planners: Readonly<Record<Framework, (draft: Draft) => FrameworkPlan>> = {
  express: planExpress,
  sveltekit: planSvelteKit,
  next: planNext,
  hono: planHono,
}

/** Where the service is on a development server. */
const serviceOf = (framework: Framework): string => `${localOrigin[framework]}${mountOf[framework]}`

const names: Readonly<Record<Framework, string>> = {
  express: "Express",
  sveltekit: "SvelteKit",
  next: "Next.js",
  hono: "Hono",
}

async function chooseFramework(project: Project, named: string | undefined, { terminal }: World): Promise<Framework> {
  if (named !== undefined) return named as Framework
  const [first, second] = project.frameworks
  if (first !== undefined && second === undefined) return first
  const found = project.frameworks.length === 0 ? frameworks : project.frameworks
  const expected = found.join(", ")
  if (!terminal.ask) {
    const why =
      first === undefined ? "No framework was found in package.json." : `Several frameworks are in package.json.`
    throw new UsageError(`${why} Name one with --framework: ${expected}.`)
  }
  const answer = (await terminal.ask(`Which framework? (${expected}) `)).trim().toLowerCase()
  const chosen = found.find((name) => name === answer)
  if (!chosen) throw new UsageError(`Expected one of ${expected}, received "${answer}".`)
  return chosen
}

async function chooseProvider(named: string | undefined, isUnasked: boolean, { terminal }: World): Promise<string> {
  if (named !== undefined) return named
  if (isUnasked || !terminal.ask) return "dev"
  const answer = await terminal.ask(
    "First provider: an id such as github or google, or dev for one on this machine? (dev) ",
  )
  return answer.trim().toLowerCase() || "dev"
}

/** Installed, it checks the configuration when the application starts in development. */
const commandLine = "@latchkey/cli"

/** Everything that is going to happen. */
async function plan(
  project: Project,
  { framework, id }: { framework: Framework; id: string },
  world: World,
): Promise<Plan> {
  const { env } = readEnvFiles({ mode: "development" }, world)
  const service = serviceOf(framework)
  const provider = await providerCode(id, { env, service })
  const draft: Draft = { project, provider, files: world.files }
  const part = planners[framework](draft)
  const isLacking = (name: string): boolean => !(name in project.manifest.dependencies)
  return {
    ...part,
    changes: [...part.changes, ...secretChanges(draft, part)],
    packages: part.packages.filter(isLacking),
    devPackages: [...(part.devPackages ?? []), commandLine, ...(id === "dev" ? ["@latchkey/testing"] : [])].filter(
      isLacking,
    ),
  }
}

interface Given {
  readonly project: Project
  readonly id: string
  readonly service: string
  readonly world: World
}

/** What the person does next, in order. */
function steps(made: Plan, { project, id, service, world }: Given): readonly string[] {
  const open = made.changes.flatMap(({ isSecret, path, after }) =>
    isSecret ? (after.match(/^\w+(?==$)/gm) ?? []).map((name) => `${name} in ${path}`) : [],
  )
  return [
    ...(made.packages.length > 0 ? [installCommand(project, made.packages, false)] : []),
    ...(made.devPackages.length > 0 ? [installCommand(project, made.devPackages, true) + whyOf(made)] : []),
    ...(open.length > 0 ? [`Fill in ${open.join(", ")}`] : []),
    ...made.changes.flatMap(({ isSecret, path }) => {
      const closed = isSecret ? closingOf(path, world) : undefined
      return closed === undefined ? [] : [`${closed}          (others on this machine may read it, and it has secrets)`]
    }),
    ...(id === "dev" ? ["npx @latchkey/cli dev          (in a terminal of its own)"] : []),
    made.start,
    `Open ${service}/signin`,
    "npx @latchkey/cli add role          (then: add page, add test)",
  ]
}

function whyOf({ devPackages }: Plan): string {
  return devPackages.includes(commandLine) ? `          (${commandLine} checks the configuration in development)` : ""
}

function closing(made: Plan, given: Given, paint: Paint): string {
  const left = made.left.map((text) => `\n${paint("caution", "Left to you:")} ${text}\n`).join("")
  const list = steps(made, given).map((step, index) => `  ${index + 1}. ${step}`)
  return `${left}\nNext:\n${list.join("\n")}\n`
}

async function isAgreed({ terminal }: World): Promise<boolean> {
  if (!terminal.ask) {
    throw new Failure("Nothing was written: nobody can be asked here. Add --yes to write, or --dry-run to look only.")
  }
  return !/^n/i.test((await terminal.ask("\nWrite this? (Y/n) ")).trim())
}

export const init: Command = defineCommand({
  name: "init",
  summary: "add sign-in to an application",
  details: `Writes the configuration, mounts it, and puts a secret into .env, in an application with Express, SvelteKit,
Next.js or Hono. It shows every change before it writes, and overwrites nothing.`,
  options: {
    framework: { value: "NAME", choices: frameworks, text: "default: what package.json depends on" },
    provider: {
      value: "ID",
      text: "first provider: dev for the one that `latchkey dev` starts, or an id such as github, google, keycloak",
    },
    yes: { text: "write without asking" },
    dryRun: { text: "show what would be written, and write nothing" },
    json: { text: "print the changes as JSON, values of .env left out; writes only together with --yes" },
  },
  exits: { fine: "written, or nothing to do", failed: "nothing was written" },
  async run({ options }, world) {
    const { terminal, cwd, files } = world
    const project = readProject(cwd, world)
    const framework = await chooseFramework(project, options.framework, world)
    const id = await chooseProvider(options.provider, options.yes || options.dryRun || options.json, world)
    const made = await plan(project, { framework, id }, world)
    const paint = painter(terminal.colours.out)
    const language = project.isTypeScript ? "TypeScript" : "JavaScript"
    if (options.json) {
      const changes = made.changes.map(({ path, before, after, isSecret }) => ({
        path,
        isNew: before === undefined,
        ...(isSecret ? {} : { content: after }),
      }))
      terminal.out(`${JSON.stringify({ framework, provider: id, ...made, changes }, null, 2)}\n`)
    } else {
      terminal.out(`${names[framework]}, ${language}, ${project.packageManager}. First provider: ${id}.\n\n`)
      for (const change of made.changes) terminal.out(`${shown(change, paint)}\n\n`)
    }
    const isWriting = !options.dryRun && (options.yes || (!options.json && (await isAgreed(world))))
    if (isWriting) {
      for (const { path, after, isSecret } of made.changes)
        files.write(join(cwd, path), after, isSecret ? 0o600 : undefined)
    }
    if (options.json) return exitCodes.fine
    terminal.out(
      isWriting
        ? closing(made, { project, id, service: serviceOf(framework), world }, paint)
        : "Nothing was written.\n",
    )
    return isWriting || options.dryRun ? exitCodes.fine : exitCodes.failed
  },
})
