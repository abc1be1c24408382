/** `init` for the App Router of Next.js 15 and 16. */
import { join } from "node:path"
import { Failure } from "../command.js"
import { type Draft, type FrameworkPlan, importOf, leftFor, listOf, newFile } from "./plan.js"

function configuration({ provider }: Draft): string {
  return `${[
    'import { createAuth } from "@latchkey/core"',
    ...importOf(provider, "@latchkey/core"),
    "",
    "export const auth = createAuth({",
    listOf(provider),
    '  session: { expose: ["id"] },',
    "})",
  ].join("\n")}\n`
}

function route(isTypeScript: boolean): string {
  const type = isTypeScript ? ": Request" : ""
  return `import { auth } from "../../../auth"

export const GET = (request${type}) => auth.handle(request)
export const POST = (request${type}) => auth.handle(request)
`
}

/** What `init` does in a Next.js application. */
export function planNext(draft: Draft): FrameworkPlan {
  const { project, files } = draft
  const base = files.exists(join(project.folder, "src/app")) ? "src/" : ""
  if (!files.exists(join(project.folder, `${base}app`))) {
    throw new Failure(
      'There is no folder "app" or "src/app". "init" knows the App Router; for the Pages Router follow docs/guides/frameworks/next.md.',
    )
  }
  const ending = project.isTypeScript ? "ts" : "js"
  const own = [
    { path: `${base}auth.${ending}`, content: configuration(draft) },
    { path: `${base}app/auth/[...auth]/route.${ending}`, content: route(project.isTypeScript) },
  ]
  return {
    changes: own.flatMap(({ path, content }) => newFile(path, content, draft)),
    packages: ["@latchkey/core"],
    left: leftFor(own, draft),
    envFile: ".env.local",
    // A server component does not know the address it is asked at.
    variables: { AUTH_URL: "http://localhost:3000" },
    start: `${project.packageManager} run dev`,
    origin: "http://localhost:3000",
  }
}
