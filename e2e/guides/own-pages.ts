/** What the sign-in pages of `docs/guides/pages.md` are built and run with, as data. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Block } from "./extract.js"
import { scriptOf } from "./fixture.js"
import { type Guide, guides } from "./guides.js"

/** The page of one framework. */
export interface OwnPage {
  /** As the paragraph begins that its code follows: `In Express, …`. */
  readonly framework: string
  /** Where the service is mounted. @default "/auth" */
  readonly basePath?: string
  /** What the reader has already. */
  readonly scaffold: Readonly<Record<string, string>>
  /** Compiles and builds it, one command after the other. */
  readonly steps: readonly (readonly string[])[]
  readonly start: (port: number) => readonly string[]
}

/** The blocks of a page that follow the paragraph about a framework. */
export function sectionOf(page: string, framework: string): string {
  const begin = page.indexOf(`\nIn ${framework}, `)
  if (begin === -1) throw new Error(`Expected a paragraph that begins with "In ${framework}, ".`)
  const end = page.indexOf("\nIn ", begin + 1)
  return page.slice(begin, end === -1 ? undefined : end)
}

function guideOf(name: string): Guide {
  const found = guides.find(({ page }) => page === name)
  if (!found) throw new Error(`Expected a guide about ${name}.`)
  return found
}

const hono = guideOf("hono")
const next = guideOf("next")
const compile = [scriptOf("typescript/bin/tsc")]
const compilerOf = ({ compiler }: Guide): string =>
  JSON.stringify({
    compilerOptions: { strict: true, skipLibCheck: true, ...compiler },
    exclude: ["dist", ".next", "node_modules"],
  })
const vite = join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin/vite.js")

/** `route`: what the guide about Next shows of the service itself. */
export const ownPages = (route: Block): readonly OwnPage[] => [
  {
    framework: "Express",
    scaffold: {
      "package.json": '{ "type": "module" }\n',
      "server.js": 'import { app } from "./app.js"\n\napp.listen(Number(process.env.PORT), "127.0.0.1")\n',
    },
    steps: [],
    start: () => ["server.js"],
  },
  {
    framework: "SvelteKit",
    scaffold: {
      // What it depends on is how the build knows what to compile.
      "package.json": '{ "type": "module", "devDependencies": { "@latchkey/sveltekit": "0.0.0" } }\n',
      "vite.config.js": `import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"

export default { plugins: [sveltekit({ adapter: adapter() })] }
`,
      "src/app.html": `<!doctype html>
<html lang="en">
  <head>%sveltekit.head%</head>
  <body>%sveltekit.body%</body>
</html>
`,
    },
    steps: [[vite, "build"]],
    start: () => ["build/index.js"],
  },
  {
    framework: "Hono",
    scaffold: { ...hono.scaffold, "tsconfig.json": compilerOf(hono) },
    steps: [compile],
    start: hono.start,
  },
  {
    framework: "Next.js",
    basePath: "/api/auth",
    scaffold: { ...next.scaffold, [route.file]: route.code, "tsconfig.json": compilerOf(next) },
    steps: [compile, next.build ?? []],
    start: next.start,
  },
]
