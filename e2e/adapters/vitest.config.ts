import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { shared } from "../../vitest.config.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Adapters of others on our engine and in front of our contract, with a PostgreSQL that is started for them. */
export default defineConfig({
  root,
  ...(shared.resolve ? { resolve: shared.resolve } : {}),
  test: {
    include: ["e2e/adapters/*.test.ts"],
    globalSetup: "e2e/adapters/setup.ts",
    // As in an application that is served: some of these adapters compare the tables at every call otherwise.
    env: { NODE_ENV: "production" },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
