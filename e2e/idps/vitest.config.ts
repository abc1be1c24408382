import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { shared, tags } from "../../vitest.config.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Sign-in through identity providers that others make, each started by its test file. */
export default defineConfig({
  root,
  ...(shared.resolve ? { resolve: shared.resolve } : {}),
  test: {
    include: ["e2e/idps/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 300_000,
    tags,
  },
})
