/** `init` for Hono on Node. */
import { configurationModule, importOfService, type Mounting, mounted } from "./node-server.js"
import { type Draft, type FrameworkPlan, leftFor, newFile } from "./plan.js"

const made = /^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*new Hono(?:<.*>)?\(\s*\)\s*;?\s*$/

function mountingOf(draft: Draft, config: string): Mounting {
  return {
    made,
    lineOf: (name) => `${name}.use("/auth/*", auth)`,
    importLine: (path) => importOfService(draft, { path, config }),
  }
}

/** What `init` does in a Hono application. */
export function planHono(draft: Draft): FrameworkPlan {
  const { project } = draft
  const path = `${project.sources}auth.${project.isTypeScript ? "ts" : "js"}`
  const content = configurationModule(draft, { scope: "@latchkey/hono", factory: "HonoAuth" })
  const own = newFile(path, content, draft)
  const mount = own.length === 0 ? undefined : mounted(draft, mountingOf(draft, path))
  return {
    changes: [...own, ...(mount ? [mount] : [])],
    packages: ["@latchkey/hono"],
    left: [
      ...leftFor([{ path, content }], draft),
      ...(mount
        ? []
        : ['Mount the service where the application is made, before its routes:\n\n  app.use("/auth/*", auth)']),
    ],
    envFile: ".env",
    start: `${project.packageManager} run ${"dev" in project.manifest.scripts ? "dev" : "start"}`,
  }
}
