import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { readThreats } from "./tools/threats.mjs"

const source = (path: string): string => fileURLToPath(new URL(`./packages/${path}`, import.meta.url))

/** Tests run on the sources: no build is needed and a mutation shows at once. */
const alias = [
  { find: /^@latchkey\/core$/, replacement: source("core/src/index.ts") },
  { find: /^@latchkey\/core\/providers$/, replacement: source("core/src/providers/index.ts") },
  { find: /^@latchkey\/core\/(.+)$/, replacement: `${source("core/src/")}$1.ts` },
  { find: /^@latchkey\/express$/, replacement: source("express/src/index.ts") },
  { find: /^@latchkey\/hono$/, replacement: source("hono/src/index.ts") },
  { find: /^@latchkey\/next$/, replacement: source("next/src/index.ts") },
  // Modules of Next, which the workspace does without: e2e/next has the real ones.
  { find: /^next\/(headers|navigation|server)$/, replacement: `${source("next/test/support/next/")}$1.ts` },
  { find: /^@latchkey\/redis-adapter$/, replacement: source("redis-adapter/src/index.ts") },
  { find: /^@latchkey\/adapter-contract$/, replacement: source("adapter-contract/src/index.ts") },
  { find: /^@latchkey\/testing$/, replacement: source("testing/src/index.ts") },
  { find: /^@latchkey\/testing\/(.+)$/, replacement: `${source("testing/src/")}$1.ts` },
  { find: /^@latchkey\/sveltekit$/, replacement: source("sveltekit/src/index.ts") },
  // Virtual modules of SvelteKit: what a build of an application would put there.
  { find: /^\$app\/(env|navigation|paths)$/, replacement: `${source("sveltekit/test/support/kit/")}$1.ts` },
  {
    find: /^\$(app\/env|env\/dynamic)\/private$/,
    replacement: `${source("sveltekit/test/support/kit/private/")}$1.ts`,
  },
  { find: /^@latchkey\/sql-adapter$/, replacement: source("sql-adapter/src/index.ts") },
]

/** A test names what it keeps away by `tags: ["threat:RC-11"]`; a name that is no row of the catalogue is refused. */
export const tags = readThreats().map(({ id, threat }) => ({ name: `threat:${id}`, description: threat }))

export default defineConfig({
  resolve: { alias },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "tools/**/*.test.ts"],
    exclude: ["**/node_modules/**", "packages/*/test/servers/**", "tools/soak/**"],
    testTimeout: 20_000,
    pool: "threads",
    // By itself Vitest leaves one processor free, which on two of them is half of the machine.
    maxWorkers: "100%",
    tags,
  },
})
