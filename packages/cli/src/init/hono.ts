/** `init` for Hono on Node. */
import { posix } from "node:path"
import { envImports, envLoading, type Mounting, mounted } from "./node-server.js"
import { type Draft, type FrameworkPlan, importOf, leftFor, listOf, neighbour, newFile } from "./plan.js"

const made = /^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*new Hono(?:<.*>)?\(\s*\)\s*;?\s*$/

function configuration({ provider }: Draft): string {
  return `${[
    ...envImports,
    'import { createAuth } from "@latchkey/core"',
    ...importOf(provider, "@latchkey/core"),
    "",
    envLoading,
    "",
    "export const auth = createAuth({",
    listOf(provider),
    '  session: { expose: ["id"] },',
    "})",
  ].join("\n")}\n`
}

function mountingOf({ project }: Draft, config: string): Mounting {
  return {
    made,
    lineOf: (name) => `${name}.all("/auth/*", (c) => auth.handle(c.req.raw))`,
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
    packages: ["@latchkey/core"],
    left: [
      ...leftFor([{ path, content }], draft),
      ...(mount
        ? []
        : [
            'Mount the service where the application is made, before its routes:\n\n  app.all("/auth/*", (c) => auth.handle(c.req.raw))',
          ]),
    ],
    envFile: ".env",
    start: `${project.packageManager} run ${"dev" in project.manifest.scripts ? "dev" : "start"}`,
    origin: "http://localhost:3000",
  }
}
