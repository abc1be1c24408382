/** What each page of `docs/guides/frameworks` is built and run with, as data. */
import { join } from "node:path"
import { fixture, programOf, type Runtime, scriptOf } from "./fixture.js"

/** One page. */
export interface Guide {
  /** File name of the page, without its ending. */
  readonly page: string
  /** Where the shared `auth.ts` stands in this project; absent when the page brings its own. */
  readonly auth?: string
  /** The package that the page is about; absent where it uses the core alone. */
  readonly package?: string
  /** Where its service is mounted. @default "/auth" */
  readonly basePath?: string
  /** What the framework's own starter lays down, and the page does not show. */
  readonly scaffold: Readonly<Record<string, string>>
  /** Where the scaffold answers with `Response.redirect()`, whose headers cannot be changed. */
  readonly onward?: string
  /** Where the scaffold signs out by itself, behind the middleware of the page. */
  readonly leave?: string
  /**
   * Compiler options beside `strict`; the code is checked with them, and emitted when they say so. @default those of the
   * page that all frameworks share
   */
  readonly compiler?: Readonly<Record<string, unknown>>
  /** Builds it, where it has to be built. */
  readonly build?: readonly [string, ...string[]]
  /** Runtime of the server, and of the build. */
  readonly runtime: Runtime
  /** How the page says that it is run, where that is one line for every starter. */
  readonly typed?: string
  /** What is run, given the port. */
  readonly start: (port: number) => readonly string[]
  /** Folder of the fixture that its dependencies stand in. @default the fixture itself */
  readonly home?: string
  /** Environment on the developer's own machine, beside what `.env` holds. */
  readonly local?: (origin: string) => Readonly<Record<string, string>>
}

/** As these pages say: the command that makes the project is theirs, and the sources run as they are. */
const onNode = {
  auth: "auth.ts",
  scaffold: {},
  runtime: "node24",
  typed: "node --env-file=.env server.ts",
  start: () => ["server.ts"],
} as const

const bundled = { module: "ESNext", moduleResolution: "bundler", target: "ES2022", noEmit: true } as const
const untouched = { ...bundled, allowImportingTsExtensions: true } as const

const reactRouterRoot = `import { Links, Meta, Outlet, Scripts } from "react-router"

export default function App() {
  return (
    <html lang="en">
      <head><Meta /><Links /></head>
      <body><Outlet /><Scripts /></body>
    </html>
  )
}
`

const nextLayout = `import type { ReactNode } from "react"

export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`

// The types of the framework itself count as well: it checks what a route may export.
// The workspace has a lockfile further up that is not meant.
const nextConfig = `export default {
  cacheComponents: true,
  partialPrefetching: true,
  turbopack: { root: new URL("../..", import.meta.url).pathname },
}
`

const leavePage = `import { toSetCookie } from "@latchkey/core"
import type { APIRoute } from "astro"
import { auth } from "../auth"

export const prerender = false

export const GET: APIRoute = async ({ request }) => {
  const { redirect, cookies } = await auth.signOut(request)
  const response = new Response(null, { status: 303, headers: { Location: redirect } })
  for (const cookie of cookies) response.headers.append("Set-Cookie", toSetCookie(cookie))
  return response
}
`

/** The pages that are run. */
export const guides: readonly Guide[] = [
  {
    page: "hono",
    package: "@latchkey/hono",
    scaffold: { "package.json": '{ "type": "module" }\n' },
    // What its starter has.
    compiler: {
      target: "ESNext",
      module: "NodeNext",
      verbatimModuleSyntax: true,
      types: ["node"],
      jsx: "react-jsx",
      jsxImportSource: "hono/jsx",
      rootDir: "./src",
      outDir: "./dist",
    },
    runtime: "node",
    typed: "npx tsx watch --env-file=.env src/index.ts",
    start: () => ["dist/index.js"],
  },
  { ...onNode, page: "fastify" },
  { ...onNode, page: "h3" },
  { ...onNode, page: "node" },
  {
    page: "bun",
    auth: "auth.ts",
    scaffold: { "package.json": '{ "type": "module" }\n' },
    compiler: { ...untouched, types: ["bun"] },
    runtime: "bun",
    typed: "bun server.ts",
    start: () => ["server.ts"],
  },
  {
    page: "deno",
    auth: "auth.ts",
    scaffold: { "package.json": '{ "type": "module" }\n' },
    compiler: { ...untouched, types: ["deno"] },
    runtime: "deno",
    typed: "deno run --env-file --allow-env --allow-net server.ts",
    start: () => ["run", "--no-prompt", "--allow-env", "--allow-net", "server.ts"],
  },
  {
    page: "workers",
    scaffold: {
      "package.json": '{ "type": "module" }\n',
      "worker-configuration.d.ts": `declare namespace Cloudflare {
  interface Env { AUTH_SECRET: string; AUTH_URL: string; AUTH_KEYCLOAK_ID: string; AUTH_KEYCLOAK_SECRET: string; AUTH_KEYCLOAK_ISSUER: string }
}
`,
    },
    compiler: { ...bundled, types: ["@cloudflare/workers-types"], lib: ["ES2023"] },
    build: [
      scriptOf("esbuild/bin/esbuild"),
      "src/worker.ts",
      "--bundle",
      "--format=esm",
      "--outfile=worker.mjs",
      "--external:cloudflare:workers",
      "--log-level=warning",
    ],
    runtime: "workerd",
    start: (port) => ["serve", "config.capnp", `--socket-addr=http=127.0.0.1:${port}`],
  },
  {
    page: "next",
    package: "@latchkey/next",
    basePath: "/api/auth",
    scaffold: {
      "package.json": '{ "type": "module" }\n',
      "app/layout.tsx": nextLayout,
      "next.config.mjs": nextConfig,
    },
    compiler: {
      ...bundled,
      jsx: "react-jsx",
      paths: { "@/*": ["./*"] },
      types: ["node", "react"],
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      isolatedModules: true,
      allowJs: true,
      incremental: true,
      resolveJsonModule: true,
      esModuleInterop: true,
    },
    build: [scriptOf("next/dist/bin/next"), "build"],
    runtime: "node",
    start: (port) => [scriptOf("next/dist/bin/next"), "start", "-H", "127.0.0.1", "-p", String(port)],
    local: (origin) => ({ AUTH_URL: origin }),
  },
  {
    page: "react-router",
    auth: "app/auth.server.ts",
    scaffold: {
      "package.json": '{ "type": "module" }\n',
      "app/root.tsx": reactRouterRoot,
      "app/routes/home.tsx": "export default function Home() {\n  return <h1>Home</h1>\n}\n",
      "vite.config.ts":
        'import { reactRouter } from "@react-router/dev/vite"\n\nexport default { plugins: [reactRouter()] }\n',
    },
    compiler: {
      ...bundled,
      jsx: "react-jsx",
      types: ["node", "react"],
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      skipLibCheck: true,
    },
    build: [scriptOf("@react-router/dev/bin.cjs"), "build"],
    runtime: "node24",
    start: () => [scriptOf("@react-router/serve/bin.cjs"), "build/server/index.js"],
    local: () => ({ AUTH_TRUST_HOST: "true" }),
  },
  {
    page: "astro",
    auth: "src/auth.ts",
    scaffold: {
      "package.json": '{ "type": "module" }\n',
      "src/pages/onward.ts":
        'export const prerender = false\n\nexport const GET = () => Response.redirect("https://elsewhere.example/", 302)\n',
      "src/pages/leave.ts": leavePage,
    },
    onward: "/onward",
    leave: "/leave",
    compiler: { ...bundled, types: ["node", "astro/client"], lib: ["ES2023", "DOM", "DOM.Iterable"] },
    build: [scriptOf("astro/bin/astro.mjs"), "build"],
    runtime: "node24",
    start: () => ["dist/server/entry.mjs"],
    local: () => ({ HOST: "127.0.0.1" }),
  },
  {
    page: "nuxt",
    home: "nuxt",
    auth: "server/auth.ts",
    scaffold: {
      "package.json": '{ "type": "module" }\n',
      "nuxt.config.ts":
        'import { defineNuxtConfig } from "nuxt/config"\n\nexport default defineNuxtConfig({ compatibilityDate: "2026-01-01", telemetry: false })\n',
    },
    compiler: { ...bundled, types: ["node"], lib: ["ES2023", "DOM", "DOM.Iterable"] },
    build: [scriptOf("nuxt/bin/nuxt.mjs", "nuxt"), "build"],
    runtime: "node24",
    start: () => [".output/server/index.mjs"],
    local: () => ({ HOST: "127.0.0.1" }),
  },
]

/** Pages that cannot be run here; the page itself says the same. */
export const notRun: Readonly<Record<string, string>> = {}

/** Folder that its projects are made in. */
export function workshopOf({ home = "" }: Guide): string {
  return join(fixture, home, ".data")
}

/** The command of a guide's server. */
export function serverOf({ runtime, start }: Guide, port: number): readonly [string, ...string[]] {
  return [programOf(runtime), ...start(port)]
}
