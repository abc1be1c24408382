/** `init` for the App Router of Next.js 15 and 16. */
import { join } from "node:path"
import { Failure } from "../command.js"
import { majorOf } from "../project.js"
import { configurationOf, type Draft, type FrameworkPlan, importOf, leftFor, namesOf, newFile } from "./plan.js"

function configuration(draft: Draft): string {
  return `${[
    `import { ${namesOf(draft, "NextAuth", "NextAuthConfig")} } from "@latchkey/next"`,
    ...importOf(draft.provider, "@latchkey/next"),
    "",
    ...configurationOf(draft, "NextAuthConfig"),
    "",
    "export const { handlers, auth, signIn, signOut, proxy } = NextAuth(config)",
  ].join("\n")}\n`
}

const route = `import { handlers } from "../../../../auth"

export const { GET, POST } = handlers
`

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
  const isOld = (majorOf(project, "next") ?? 16) < 16
  const own = [
    { path: `${base}auth.${ending}`, content: configuration(draft) },
    { path: `${base}app/api/auth/[...auth]/route.${ending}`, content: route },
    isOld
      ? { path: `${base}middleware.${ending}`, content: 'export { proxy as middleware } from "./auth"\n' }
      : { path: `${base}proxy.${ending}`, content: 'export { proxy } from "./auth"\n' },
  ]
  return {
    changes: own.flatMap(({ path, content }) => newFile(path, content, draft)),
    packages: ["@latchkey/next"],
    left: leftFor(own, draft),
    envFile: ".env.local",
    start: `${project.packageManager} run dev`,
  }
}
