/** `add page`: a page for administrators. */
import { join } from "node:path"
import { type Change, withLineAfter } from "../init/plan.js"
import type { Framework, Project } from "../project.js"
import type { World } from "../world.js"

/** Files of their own, or a line in the file that makes the application. */
export interface PagePlan {
  readonly changes: readonly Change[]
  readonly left: readonly string[]
}

const express = (
  app: string,
): string => `${app}.get("/admin", auth.require({ redirectTo: "/auth/signin" }), (_req, res) => {
  const { user } = res.locals.session
  if (user?.role === "admin") res.type("text").send(\`For administrators: hello, \${user.name}\`)
  else res.status(403).type("text").send("This page is for others.")
})`

const hono = (app: string): string => `${app}.get("/admin", auth.require({ redirectTo: "/auth/signin" }), (c) => {
  const { user } = c.var.session
  return user.role === "admin" ? c.text(\`For administrators: hello, \${user.name}\`) : c.text("This page is for others.", 403)
})`

const kitLoad = `export const load = async (event) => {
  const { user } = await auth.require(event, { redirectTo: "/auth/signin" })
  if (user.role !== "admin") error(403, "This page is for others.")
  return { name: user.name }
}
`

function kitFiles(isTypeScript: boolean): readonly (readonly [path: string, content: string])[] {
  const ending = isTypeScript ? "ts" : "js"
  const type = isTypeScript ? 'import type { PageServerLoad } from "./$types"\n' : ""
  const load = isTypeScript
    ? kitLoad.replace("load =", "load: PageServerLoad =")
    : `/** @type {import("./$types").PageServerLoad} */\n${kitLoad}`
  const props = isTypeScript
    ? '<script lang="ts">\n  import type { PageProps } from "./$types"\n\n  const { data }: PageProps = $props()\n</script>'
    : "<script>\n  const { data } = $props()\n</script>"
  return [
    [
      `src/routes/admin/+page.server.${ending}`,
      `import { error } from "@sveltejs/kit"\nimport { auth } from "../../auth"\n${type}\n${load}`,
    ],
    ["src/routes/admin/+page.svelte", `${props}\n\n<p>For administrators: hello, {data.name}</p>\n`],
  ]
}

/** The session is read while the page is sent: what is around it can be kept. */
const nextPage = `import { redirect } from "next/navigation"
import { Suspense } from "react"
import { auth } from "../../auth"

async function Admin() {
  const session = await auth()
  if (!session) redirect("/api/auth/signin?callbackUrl=/admin")
  if (session.user?.role !== "admin") return <p>This page is for others.</p>
  return <p>{\`For administrators: hello, \${session.user.name}\`}</p>
}

export default function Page() {
  return (
    <Suspense>
      <Admin />
    </Suspense>
  )
}
`

/** The line that mounts the service, and what comes behind it. */
function behindMount(project: Project, framework: "express" | "hono", { files }: Pick<World, "files">): PagePlan {
  const code = framework === "express" ? express : hono
  const mount =
    framework === "express" ? /^(\w+)\.use\(["']\/auth["'], auth\)/ : /^(\w+)\.use\(["']\/auth\/\*["'], auth\)/
  const names = ["", "src/"].flatMap((folder) =>
    files.list(join(project.folder, folder)).map((name) => `${folder}${name}`),
  )
  for (const path of names.filter((name) => /\.[cm]?[jt]s$/.test(name))) {
    const before = files.read(join(project.folder, path)) ?? ""
    const after = withLineAfter(before, mount, ([, app = "app"]) => code(app))
    if (after === undefined) continue
    if (before.includes('"/admin"')) return { changes: [], left: [] }
    return { changes: [{ path, before, after }], left: [] }
  }
  return { changes: [], left: [`Put this behind the line that mounts the service:\n\n${code("app")}`] }
}

/** What is written, and what is left. */
export function planPage(project: Project, framework: Framework, world: Pick<World, "files">): PagePlan {
  if (framework === "express" || framework === "hono") return behindMount(project, framework, world)
  const base = world.files.exists(join(project.folder, "src/app")) ? "src/" : ""
  const files =
    framework === "sveltekit"
      ? kitFiles(project.isTypeScript)
      : [[`${base}app/admin/page.${project.isTypeScript ? "tsx" : "jsx"}`, nextPage] as const]
  const fresh = files.filter(([path]) => !world.files.exists(join(project.folder, path)))
  return { changes: fresh.map(([path, after]) => ({ path, before: undefined, after })), left: [] }
}
