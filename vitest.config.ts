import { fileURLToPath } from "node:url"
import { defineConfig, mergeConfig } from "vitest/config"
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

/**
 * Tests that load native addons (libsql, bundlers) run in processes: an addon that is still at work when its thread is ended takes
 * the whole run with it. All others run in threads, which start in half of the time; {@link withoutAddons} keeps them so.
 */
const loadingAddons = [
  "packages/{cli,sql-adapter}/{src,test}/**/*.test.ts",
  "packages/core/test/attack/unproven-address.test.ts",
  "packages/core/test/contract/specification.test.ts",
  "packages/core/test/interop/{published-adapters,replayed-sessions}.test.ts",
  "packages/express/test/example.test.ts",
  "packages/sveltekit/test/components.test.ts",
  "tools/security-mutants.test.ts",
]

const withoutAddons = fileURLToPath(new URL("tools/without-addons.ts", import.meta.url))

const include = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "tools/**/*.test.ts"]
/** Patterns that `npm run test:quick` leaves out, as JSON. */
const leftOut: readonly string[] = JSON.parse(process.env["LATCHKEY_TESTS_LEFT_OUT"] ?? "[]")
const exclude = ["**/node_modules/**", "packages/*/test/servers/**", "tools/soak/**", ...leftOut]

const common = defineConfig({
  resolve: { alias },
  test: {
    testTimeout: 20_000,
    pool: "threads",
    // By itself Vitest leaves one processor free, which on two of them is half of the machine.
    maxWorkers: "100%",
    tags,
  },
})

/** All tests on the sources, for runs that choose among them. */
export const shared = mergeConfig(common, defineConfig({ test: { include, exclude } }))

export default mergeConfig(
  common,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: { name: "threads", include, exclude: [...exclude, ...loadingAddons], setupFiles: [withoutAddons] },
        },
        { extends: true, test: { name: "processes", include: loadingAddons, exclude, pool: "forks" } },
      ],
    },
  }),
)
