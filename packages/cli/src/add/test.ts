/** `add test`: who may see the page, tested from end to end. */
import { join } from "node:path"
import { type Change, neighbour } from "../init/plan.js"
import type { Framework, Project } from "../project.js"
import type { World } from "../world.js"

function contentOf(framework: Framework, { project, config }: { project: Project; config: string }): string {
  const base = framework === "sveltekit" ? "http://localhost:5173" : "http://localhost:3000"
  const env = framework === "next" ? ".env.local" : ".env"
  const user = project.isTypeScript ? "(user?: { id: string; name: string })" : "(user)"
  const person = project.isTypeScript ? "({ id, name }: { id: string; name: string })" : "({ id, name })"
  // Where the framework's own starter does not name the types of Node.
  const types = framework === "sveltekit" && project.isTypeScript ? '/// <reference types="node" />\n' : ""
  return `${types}import { existsSync } from "node:fs"
import { loadEnvFile } from "node:process"
import { signInAs } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { config } from "${config}"

// A development server compiles a page when it is first asked for.
vi.setConfig({ testTimeout: 30_000 })

// The secret of the application that is running.
if (existsSync("${env}")) loadEnvFile("${env}")
const origin = process.env.APP_URL ?? "${base}"

async function read${user} {
  const headers = user ? await headersOf(user) : {}
  return (await fetch(\`\${origin}/admin\`, { headers })).text()
}

async function headersOf${person} {
  const account = { providerAccountId: id }
  return (await signInAs(config, { name, email: \`\${id}@op.example\` }, { url: origin, provider: "dev", account })).headers
}

test("an administrator sees the page", async () => {
  expect(await read({ id: "ada", name: "Ada" })).toContain("For administrators: hello, Ada")
})

test("other people do not", async () => {
  expect(await read({ id: "grace", name: "Grace" })).not.toContain("For administrators")
})

test("nobody does without signing in", async () => {
  expect(await read()).not.toContain("For administrators")
})
`
}

/** A file beside the configuration; nothing where there is one. */
export function planTest(
  config: string,
  { project, framework }: { project: Project; framework: Framework },
  { files }: Pick<World, "files">,
): readonly Change[] {
  const name = config.replace(/^.*\//, "").replace(/\.([cm]?)[jt]s$/, "")
  const ending = project.isTypeScript ? "ts" : "js"
  const path = config.replace(/[^/]*$/, `admin.test.${ending}`)
  // Node requires the file extension; bundlers do not.
  const isBundled = project.isTypeScript && (framework === "next" || framework === "sveltekit")
  const imported = isBundled ? `./${name}` : neighbour(project, name)
  return files.exists(join(project.folder, path))
    ? []
    : [{ path, before: undefined, after: contentOf(framework, { project, config: imported }) }]
}
