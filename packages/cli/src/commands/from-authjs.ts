/** `latchkey from-authjs`: moves an application of Auth.js 5, and says what is different for it. */
import { join } from "node:path"
import { type Command, defineCommand, exitCodes } from "../command.js"
import { readApplication } from "../from-authjs/application.js"
import { differencesOf } from "../from-authjs/concerns.js"
import { guideRows } from "../from-authjs/guide-rows.js"
import { type Move, packagesOfAuthJs, planMove } from "../from-authjs/move.js"
import { providerNotes } from "../from-authjs/providers.js"
import { report } from "../from-authjs/report.js"
import { type Project, readProject } from "../project.js"
import { type Paint, painter } from "../style.js"

function closing(
  { way, left }: Move,
  { packageManager, isWritten }: { packageManager: Project["packageManager"]; isWritten: boolean },
  paint: Paint,
): string {
  const steps = [
    ...(isWritten ? [] : ["npx @latchkey/cli from-authjs --write          (writes the changes above)"]),
    `${packageManager} install`,
    ...(left.length > 0 ? ["Do what is left to you"] : []),
    ...(way === "packages"
      ? ["npx @latchkey/cli doctor"]
      : ["npm ls @auth/core          (has to name @latchkey/core everywhere)"]),
    "Build, run your tests, and sign in. Who was signed in before still is: cookies, rows and addresses stay as they are",
  ]
  const list = steps.map((step, index) => `  ${index + 1}. ${step}`).join("\n")
  const verdict = isWritten ? paint("good", "Written.") : "Nothing was written."
  return `${verdict}\n\nNext:\n${list}\n\nThe guide: docs/guides/moving-from-authjs.md\n`
}

export const fromAuthJs: Command = defineCommand({
  name: "from-authjs",
  summary: "move an application from Auth.js 5",
  details: `Reads the sources of an application that stands on next-auth 5, @auth/express, @auth/sveltekit or @auth/core, shows
what changes in imports and in package.json, and lists what behaves differently in this application, with the lines
that show it. Nothing is run, and nothing is written without --write. Adapters of Auth.js, the secret, variables,
tables and callback addresses stay as they are.`,
  options: {
    write: { text: "change the imports and package.json" },
    engineOnly: {
      text: "keep the packages of Auth.js and replace only @auth/core below them; packages without a counterpart need this",
    },
    json: { text: "print changes, differences and what is left as JSON" },
  },
  notes: `Examples:
  npx @latchkey/cli from-authjs            look only
  npx @latchkey/cli from-authjs --write    move`,
  exits: {
    fine: "the move is complete with --write",
    failed: "no Auth.js 5 was found, or something is left to be done by hand",
  },
  async run({ options }, world) {
    const { terminal, cwd, files } = world
    const project = readProject(cwd, world)
    const application = readApplication(project, world)
    const move = planMove(application, { isEngineOnly: options.engineOnly, version: world.version }, world)
    const differences = await differencesOf(application)
    const providers = providerNotes(application.providers)
    if (options.write) for (const { path, after } of move.changes) files.write(join(cwd, path), after)
    const packages = Object.fromEntries(packagesOfAuthJs(application))
    if (options.json) {
      const changes = move.changes.map(({ path, before, after }) => ({
        path,
        isNew: before === undefined,
        content: after,
      }))
      terminal.out(
        `${JSON.stringify({ packages, ...move, changes, differences, providers, isWritten: options.write }, null, 2)}\n`,
      )
    } else {
      const paint = painter(terminal.colours.out)
      const named = Object.entries(packages).map(([name, range]) => `${name} ${range}`)
      const language = project.isTypeScript ? "TypeScript" : "JavaScript"
      terminal.out(`${named.join(", ")}; ${language}, ${project.packageManager}.\n\n`)
      terminal.out(report({ ...move, differences, providers, total: Object.keys(guideRows).length }, paint))
      terminal.out(closing(move, { packageManager: project.packageManager, isWritten: options.write }, paint))
    }
    return move.left.length === 0 ? exitCodes.fine : exitCodes.failed
  },
})
