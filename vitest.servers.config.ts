import { defineConfig } from "vitest/config"
import { shared, tags } from "./vitest.config.js"

/** Tests against real servers, which are started once and stopped at the end. */
export default defineConfig({
  ...(shared.resolve ? { resolve: shared.resolve } : {}),
  test: {
    include: ["packages/*/test/servers/**/*.test.ts"],
    globalSetup: "./tools/servers/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // SQLite is a native addon: see vitest.config.ts.
    pool: "forks",
    maxWorkers: "100%",
    tags,
  },
})
