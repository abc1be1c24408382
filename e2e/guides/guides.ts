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
  /** Compiler options beside `strict`; the code is checked with them, and emitted when they say so. */
  readonly compiler: Readonly<Record<string, unknown>>
  /** Builds it, where it has to be built. */
  readonly build?: readonly [string, ...string[]]
  /** Runtime of the server, and of the build. */
  readonly runtime: Runtime
  /** What is run, given the port. */
  readonly start: (port: number) => readonly string[]
  /** Folder of the fixture that its dependencies stand in. @default the fixture itself */
  readonly home?: string
  /** Environment on the developer's own machine, beside what `.env` holds. */
  readonly local?: (origin: string) => Readonly<Record<string, string>>
}

const ofPackage = {
  scaffold: { "package.json": '{ "type": "module" }\n' },
  compiler: {
    module: "NodeNext",
    target: "ES2022",
    types: ["node"],
    rewriteRelativeImportExtensions: true,
    rootDir: ".",
    outDir: "dist",
  },
  runtime: "node",
  start: () => ["dist/server.js"],
} as const

const onNode = { ...ofPackage, auth: "auth.ts" } as const

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

/** The pages that are run. */
export const guides: readonly Guide[] = [
  { ...ofPackage, page: "hono", package: "@latchkey/hono" },
  { ...onNode, page: "fastify" },
  { ...onNode, page: "h3" },
  {
    page: "node",
    auth: "auth.ts",
    scaffold: { "package.json": '{ "type": "module" }\n' },
    compiler: { ...untouched, types: ["node"], erasableSyntaxOnly: true, verbatimModuleSyntax: true },
    // As the page says: the sources themselves.
    runtime: "node24",
    start: () => ["server.ts"],
  },
  {
    page: "bun",
    auth: "auth.ts",
    scaffold: { "package.json": '{ "type": "module" }\n' },
    compiler: { ...untouched, types: ["bun"] },
    runtime: "bun",
    start: () => ["server.ts"],
  },
  {
    page: "deno",
    auth: "auth.ts",
    scaffold: { "package.json": '{ "type": "module" }\n' },
    compiler: { ...untouched, types: ["deno"] },
    runtime: "deno",
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
    scaffold: { "package.json": '{ "type": "module" }\n' },
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
