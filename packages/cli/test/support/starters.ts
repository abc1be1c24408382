/** Fresh applications as the tools of their frameworks make them, as far as `init` looks at them. */

/** Files by path. */
export type Starter = Readonly<Record<string, string>>

const manifest = (content: object): string => `${JSON.stringify(content, null, 2)}\n`

/** `npm init`, `npm install express`, `npx tsc --init`. */
export const express: Starter = {
  "package.json": manifest({
    name: "exp",
    type: "module",
    dependencies: { express: "^5.3.0" },
    devDependencies: { "@types/express": "^5.0.6", tsx: "^4.7.1", typescript: "^6.0.3" },
  }),
  "tsconfig.json": `{
  // What TypeScript 6 suggests.
  "compilerOptions": {
    "module": "nodenext",
    "target": "esnext",
    "types": [],
    "declaration": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "strict": true,
    "verbatimModuleSyntax": true,
    "isolatedModules": true,
    "skipLibCheck": true,
  }
}
`,
}

/** An Express application in CommonJS that exists already. */
export const expressCommonJs: Starter = {
  "package.json": manifest({
    name: "old",
    main: "server.js",
    scripts: { start: "node server.js" },
    dependencies: { express: "^4.22.3" },
  }),
  "package-lock.json": "{}",
  ".gitignore": "node_modules\n.env*\n",
  "server.js": `const express = require("express")
const path = require("node:path")

const app = express()
app.get("/", (req, res) => res.sendFile(path.resolve("index.html")))
module.exports = { app }
`,
}

/** `npx sv create --template minimal --types ts`. */
export const sveltekit: Starter = {
  "package.json": manifest({
    name: "kit",
    private: true,
    type: "module",
    scripts: { dev: "vite dev", build: "vite build", check: "svelte-kit sync && svelte-check" },
    devDependencies: { "@sveltejs/kit": "^2.63.0", svelte: "^5.56.1", typescript: "^6.0.3", vite: "^8.0.16" },
  }),
  "tsconfig.json": `{
	"extends": "./.svelte-kit/tsconfig.json",
	"compilerOptions": {
		"rewriteRelativeImportExtensions": true,
		"allowJs": true,
		"checkJs": true,
		"skipLibCheck": true,
		"strict": true,
		"moduleResolution": "bundler"
	}
}
`,
  ".gitignore": "node_modules\n/.svelte-kit\n/build\n\n# Env\n.env\n.env.*\n!.env.example\n!.env.test\n",
  "vite.config.ts": `import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

export default defineConfig({ plugins: [sveltekit()] })
`,
  "src/app.html": `<!doctype html>
<html lang="en">
	<head>%sveltekit.head%</head>
	<body>%sveltekit.body%</body>
</html>
`,
  "src/app.d.ts": "declare global {\n\tnamespace App {}\n}\n\nexport {};\n",
  "src/routes/+page.svelte": "<h1>Welcome to SvelteKit</h1>\n",
}

/** `npx create-next-app --empty --ts`. */
export const next: Starter = {
  "package.json": manifest({
    name: "nxt",
    private: true,
    packageManager: "pnpm@10.1.0",
    scripts: { dev: "next dev", build: "next build", start: "next start" },
    dependencies: { next: "16.4.3", react: "19.3.0", "react-dom": "19.3.0" },
    devDependencies: { "@types/node": "^20", typescript: "^5" },
  }),
  "tsconfig.json": `{
  "compilerOptions": {
    "target": "ES2017",
    "lib": ["dom", "dom.iterable", "esnext"],
    "skipLibCheck": true,
    "strict": true,
    "noEmit": true,
    "module": "esnext",
    "moduleResolution": "bundler",
    "isolatedModules": true,
    "jsx": "react-jsx",
    "paths": { "@/*": ["./*"] }
  },
  "include": ["**/*.ts", "**/*.tsx"]
}
`,
  ".gitignore": "/node_modules\n/.next/\n\n# env files (can opt-in for committing if needed)\n.env*\n",
  "app/page.tsx": "export default function Page() {\n  return <h1>Hello world!</h1>\n}\n",
}

/** `npm create hono@latest`, template nodejs, with a port that can be chosen. */
export const hono: Starter = {
  "package.json": manifest({
    name: "hon",
    type: "module",
    scripts: { dev: "tsx watch src/index.ts", build: "tsc", start: "node dist/index.js" },
    dependencies: { "@hono/node-server": "^2.0.0", hono: "^4.12.0" },
    devDependencies: { "@types/node": "^20.11.17", tsx: "^4.7.1", typescript: "^5.8.3" },
  }),
  "tsconfig.json": `{
  "compilerOptions": {
    "target": "ESNext",
    "module": "NodeNext",
    "strict": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true,
    "types": ["node"],
    "outDir": "./dist"
  }
}
`,
  ".gitignore": "node_modules\n.env\n.env.production\n",
  "src/index.ts": `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})

serve({ fetch: app.fetch, port: Number(process.env.PORT || 3000) }, (info) => console.log(\`listening on \${info.port}\`))
`,
}
