import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { shared } from "../../vitest.config.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Drivers of databases that are reached over HTTP. */
export default defineConfig({
  root,
  ...(shared.resolve ? { resolve: shared.resolve } : {}),
  test: {
    include: ["e2e/drivers/*.test.ts"],
    globalSetup: "e2e/drivers/setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
