/** `init` for Hono on Node. */
import { posix } from "node:path"
import { envImports, envLoading, type Mounting, mounted } from "./node-server.js"
import {
  configurationOf,
  type Draft,
  type FrameworkPlan,
  importOf,
  leftFor,
  namesOf,
  neighbour,
  newFile,
} from "./plan.js"

const made = /^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*new Hono(?:<.*>)?\(\s*\)\s*;?\s*$/

function configuration(draft: Draft): string {
  return `${[
    ...envImports,
    `import { ${namesOf(draft, "HonoAuth", "HonoAuthConfig")} } from "@latchkey/hono"`,
    ...importOf(draft.provider, "@latchkey/hono"),
    "",
    envLoading,
    "",
    ...configurationOf(draft, "HonoAuthConfig"),
    "",
    "export const auth = HonoAuth(config)",
  ].join("\n")}\n`
}

function mountingOf({ project }: Draft, config: string): Mounting {
  return {
    made,
    lineOf: (name) => `${name}.use("/auth/*", auth)`,
    importLine(path) {
      const name = posix.relative(posix.dirname(path), config.replace(/\.[jt]s$/, ""))
      return `import { auth } from "${neighbour(project, name).replace("./../", "../")}"`
    },
  }
}

/** What `init` does in a Hono application. */
export function planHono(draft: Draft): FrameworkPlan {
  const { project } = draft
  const path = `${project.sources}auth.${project.isTypeScript ? "ts" : "js"}`
  const content = configuration(draft)
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
