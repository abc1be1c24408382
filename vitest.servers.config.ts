import { defineConfig } from "vitest/config"
import main, { tags } from "./vitest.config.js"

/** Tests against real servers, which are started once and stopped at the end. */
export default defineConfig({
  ...(main.resolve ? { resolve: main.resolve } : {}),
  test: {
    include: ["packages/*/test/servers/**/*.test.ts"],
    globalSetup: "./tools/servers/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "threads",
    maxWorkers: "100%",
    tags,
  },
})
