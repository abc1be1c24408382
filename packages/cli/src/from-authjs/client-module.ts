/** The browser's part of an application that took it from `next-auth/react`, which looks for the service at another path. */
import { join, posix } from "node:path"
import type { Application } from "./application.js"

/** A module of the application. */
export interface ClientModule {
  readonly path: string
  readonly content: string
  /** How another file of the application names it. */
  from(path: string): string
}

/** The path of the service: from the configuration, from AUTH_URL, else where next-auth has it. */
function basePathOf({ own, env }: Application): string {
  for (const { code } of own) {
    const [, path] = /\bbasePath\s*[:=]\s*(?:\{\s*)?["'](\/[^"']*)["']/.exec(code) ?? []
    if (path !== undefined) return path
  }
  const address = env.env.AUTH_URL ?? env.env.NEXTAUTH_URL ?? ""
  const { pathname } = URL.canParse(address) ? new URL(address) : { pathname: "/" }
  return pathname === "/" ? "/api/auth" : pathname
}

const typesOfClient = `export type {
  SessionProviderProps,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
} from "@latchkey/react"
`

function contentOf(basePath: string, isTypeScript: boolean): string {
  const [types, props, answer, named] = isTypeScript
    ? [", type SessionProviderProps", ": SessionProviderProps", ": ReactElement", typesOfClient]
    : ["", "", "", ""]
  return `"use client"
/** Signing in and out, and the session in components, of the service at ${basePath}. */
import { createSessionClient, SessionProvider as Provider${types} } from "@latchkey/react"
import { createElement${isTypeScript ? ", type ReactElement" : ""} } from "react"

export { ClientError, useSession } from "@latchkey/react"
${named}
export const { getCsrfToken, getProviders, getSession, signIn, signOut } = createSessionClient({ basePath: "${basePath}" })

export function SessionProvider(props${props})${answer} {
  return createElement(Provider, { basePath: "${basePath}", ...props })
}
`
}

/** The module, where any file needs it. */
export function clientModuleOf(application: Application): ClientModule | undefined {
  const { files, project } = application
  const isUsed = files.some(({ references }) =>
    references.some(({ specifier, isAugmentation }) => specifier === "next-auth/react" && !isAugmentation),
  )
  if (!isUsed) return undefined
  const inSources = files.some(({ path }) => /^src\/(?:app|pages)\//.test(path))
  const ending = project.isTypeScript ? "ts" : "js"
  const names = ["auth-client", "latchkey-client"].map((name) => posix.join(inSources ? "src" : "", name))
  const plain =
    names.find((name) => !files.some(({ path }) => path.startsWith(`${name}.`))) ?? join(names[0] ?? "", "own")
  return {
    path: `${plain}.${ending}`,
    content: contentOf(basePathOf(application), project.isTypeScript),
    from(path) {
      const relative = posix.relative(posix.dirname(path), plain)
      return relative.startsWith(".") ? relative : `./${relative}`
    },
  }
}
