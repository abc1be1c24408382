/** `latchkey add`: what comes after the first sign-in. It shows what it is going to write, and overwrites nothing. */
import { join } from "node:path"
import { planPage } from "../add/page.js"
import { planRole } from "../add/role.js"
import { planTest } from "../add/test.js"
import { type Command, defineCommand, exitCodes, Failure, UsageError } from "../command.js"
import type { Change } from "../init/plan.js"
import { shown } from "../init/show.js"
import { type Framework, installCommand, type Project, readProject, usualPlaces } from "../project.js"
import { painter } from "../style.js"
import type { World } from "../world.js"

/** What can be added. */
const parts = ["role", "page", "test"] as const

interface Added {
  readonly changes: readonly Change[]
  readonly left: readonly string[]
  /** What the person does afterwards. */
  readonly next: readonly string[]
}

interface Asked {
  readonly project: Project
  readonly framework: Framework
  /** Path of the configuration. */
  readonly config: string
}

function plan(part: (typeof parts)[number], { project, framework, config }: Asked, world: World): Added {
  if (part === "role") {
    return {
      ...planRole(config, project, world),
      next: ["npx @latchkey/cli add page          (a page for administrators)"],
    }
  }
  if (part === "page") {
    return {
      ...planPage(project, framework, world),
      next: ["Start the application again, and open /admin", "npx @latchkey/cli add test          (who may see it)"],
    }
  }
  const needed = ["@latchkey/testing", "vitest", ...(project.isTypeScript ? ["@types/node"] : [])]
  const lacking = needed.filter((name) => !(name in project.manifest.dependencies))
  const port = framework === "sveltekit" ? 5173 : 3000
  return {
    changes: planTest(config, { project, framework }, world),
    left: [],
    next: [
      ...(lacking.length > 0 ? [installCommand(project, lacking, true)] : []),
      "npx vitest run          (while the application is running)",
      `APP_URL names an application that is not at http://localhost:${port}`,
    ],
  }
}

function askedOf(world: World): Asked {
  const project = readProject(world.cwd, world)
  const [framework] = project.frameworks
  const config = usualPlaces(project.frameworks).find((path) => world.files.exists(join(project.folder, path)))
  if (framework === undefined || config === undefined) {
    throw new Failure("There is no configuration here yet. Run: npx @latchkey/cli init")
  }
  return { project, framework, config }
}

export const add: Command = defineCommand({
  name: "add",
  summary: "add a role, a protected page or a test to an application",
  details: `For an application that init has set up: "role" lets the session say what a person may do, "page" adds a page
for administrators, and "test" a test from end to end that signs people in with signInAs. Every change is shown
before it is written, and nothing is overwritten.`,
  args: [{ name: "part", text: "role, page or test" }],
  options: {
    yes: { text: "write without asking" },
    dryRun: { text: "show what would be written, and write nothing" },
    json: { text: "print the changes as JSON; writes only together with --yes" },
  },
  exits: { fine: "written, or nothing to do", failed: "nothing was written" },
  async run({ options, words: [named] }, world) {
    const part = parts.find((name) => name === named)
    if (part === undefined)
      throw new UsageError(`Expected role, page or test, received ${named === undefined ? "nothing" : `"${named}"`}.`)
    const { terminal, cwd, files } = world
    const { changes, left, next } = plan(part, askedOf(world), world)
    const paint = painter(terminal.colours.out)
    if (options.json) terminal.out(`${JSON.stringify({ changes, left, next }, null, 2)}\n`)
    else for (const change of changes) terminal.out(`${shown(change, paint)}\n\n`)
    const isWriting =
      !options.dryRun && changes.length > 0 && (options.yes || (!options.json && (await isAgreed(world))))
    if (isWriting) for (const { path, after } of changes) files.write(join(cwd, path), after)
    if (options.json) return exitCodes.fine
    for (const text of left) terminal.out(`${paint("caution", "Left to you:")} ${text}\n\n`)
    if (changes.length === 0 && left.length === 0) terminal.out("Nothing to do: it is there already.\n")
    else if (!isWriting && changes.length > 0) terminal.out("Nothing was written.\n")
    else terminal.out(`Next:\n${next.map((step, index) => `  ${index + 1}. ${step}`).join("\n")}\n`)
    return isWriting || options.dryRun || changes.length === 0 ? exitCodes.fine : exitCodes.failed
  },
})

async function isAgreed({ terminal }: World): Promise<boolean> {
  if (!terminal.ask) {
    throw new Failure("Nothing was written: nobody can be asked here. Add --yes to write, or --dry-run to look only.")
  }
  return !/^n/i.test((await terminal.ask("\nWrite this? (Y/n) ")).trim())
}
