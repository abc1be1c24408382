/** `init` for Express 4 and 5. */
import { configurationModule, hasSources, importOfService, type Mounting, mounted } from "./node-server.js"
import { type Draft, type FrameworkPlan, leftFor, neighbour, newFile } from "./plan.js"

const made = /^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*express\(\s*\)\s*;?\s*$/

/** A whole application, where there is none. */
function application({ project }: Draft): string {
  const [express, auth] = project.isCommonJs
    ? ['const express = require("express")', 'const { auth } = require("./auth.js")']
    : ['import express from "express"', `import { auth } from "${neighbour(project, "auth")}"`]
  return `${express}
${auth}

const app = express()
app.use("/auth", auth)
app.get("/", auth.require({ redirectTo: "/auth/signin" }), (_req, res) => {
  res.json(res.locals.session)
})

const port = Number(process.env.PORT || 3000)
app.listen(port, (error) => {
  if (error) throw error
  console.log(\`http://localhost:\${port}\`)
})
`
}

function mountingOf(draft: Draft, config: string): Mounting {
  return {
    made,
    lineOf: (name) => `${name}.use("/auth", auth)`,
    importLine: (path) => importOfService(draft, { path, config }),
  }
}

/** How the application is started, where no script of its own says it. */
function startOf({ project }: Draft, path: string): string {
  const { scripts } = project.manifest
  const script = ["dev", "start"].find((name) => name in scripts)
  if (script !== undefined) return `${project.packageManager} run ${script}`
  return project.isTypeScript ? `npx tsx ${path}` : `node ${path}`
}

/** What `init` does in an Express application. */
export function planExpress(draft: Draft): FrameworkPlan {
  const { project } = draft
  const ending = project.isTypeScript ? "ts" : "js"
  const path = `${project.sources}auth.${ending}`
  const content = configurationModule(draft, { scope: "@latchkey/express", factory: "ExpressAuth" })
  const own = newFile(path, content, draft)
  const mount = own.length === 0 ? undefined : mounted(draft, mountingOf(draft, path))
  const isFresh = own.length > 0 && !mount && !hasSources(draft)
  const app = `${project.sources}app.${ending}`
  return {
    changes: [...own, ...(mount ? [mount] : []), ...(isFresh ? newFile(app, application(draft), draft) : [])],
    packages: ["@latchkey/express"],
    devPackages: project.isTypeScript && !("@types/express" in project.manifest.dependencies) ? ["@types/express"] : [],
    left: [
      ...leftFor([{ path, content }], draft),
      ...(mount || isFresh
        ? []
        : [`Mount the service where the application is made, before its routes:\n\n  app.use("/auth", auth)`]),
    ],
    envFile: ".env",
    start: startOf(draft, mount?.path ?? app),
  }
}
