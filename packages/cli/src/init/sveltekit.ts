/** `init` for SvelteKit 2 and 3. */
import { majorOf } from "../project.js"
import { configurationOf, type Draft, type FrameworkPlan, importOf, leftFor, namesOf, newFile } from "./plan.js"

function configuration(draft: Draft): string {
  return `${[
    `import { ${namesOf(draft, "SvelteKitAuth", "SvelteKitAuthConfig")} } from "@latchkey/sveltekit"`,
    ...importOf(draft.provider, "@latchkey/sveltekit"),
    "",
    ...configurationOf(draft, "SvelteKitAuthConfig"),
    "",
    "export const auth = SvelteKitAuth(config)",
    "export const { handle, signIn, signOut } = auth",
  ].join("\n")}\n`
}

function layout(isTypeScript: boolean): string {
  const load = "({ locals }) => ({ session: await locals.auth() })"
  return isTypeScript
    ? `import type { LayoutServerLoad } from "./$types"\n\nexport const load: LayoutServerLoad = async ${load}\n`
    : `/** @type {import("./$types").LayoutServerLoad} */\nexport const load = async ${load}\n`
}

/** SvelteKit 3 hands variables of `.env` to an application that declares them. */
function declared(names: readonly string[], isTypeScript: boolean): string {
  const optional = isTypeScript
    ? "const optional = (value: string | undefined) => value"
    : "/** @param {string | undefined} value */\nconst optional = (value) => value"
  return `import { defineEnvVars } from "@sveltejs/kit/env"

// Building the application needs none of them.
${optional}

export const variables = defineEnvVars({
${names.map((name) => `  ${name}: { schema: optional },`).join("\n")}
})
`
}

/** What `init` does in a SvelteKit application. */
export function planSvelteKit(draft: Draft): FrameworkPlan {
  const { project, provider } = draft
  const ending = project.isTypeScript ? "ts" : "js"
  const names = ["AUTH_SECRET", ...Object.keys(provider.variables)]
  const files = [
    { path: `src/auth.${ending}`, content: configuration(draft) },
    { path: `src/hooks.server.${ending}`, content: `export { handle } from "./auth"\n` },
    { path: `src/routes/+layout.server.${ending}`, content: layout(project.isTypeScript) },
    ...((majorOf(project, "@sveltejs/kit") ?? 2) >= 3
      ? [{ path: `src/env.${ending}`, content: declared(names, project.isTypeScript) }]
      : []),
  ]
  return {
    changes: files.flatMap(({ path, content }) => newFile(path, content, draft)),
    packages: ["@latchkey/sveltekit"],
    left: leftFor(files, draft),
    envFile: ".env",
    start: `${project.packageManager} run dev`,
  }
}
