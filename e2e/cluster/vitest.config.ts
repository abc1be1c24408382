import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { shared, tags } from "../../vitest.config.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A cluster of database servers that all take writes. */
export default defineConfig({
  root,
  ...(shared.resolve ? { resolve: shared.resolve } : {}),
  test: { include: ["e2e/cluster/*.test.ts"], testTimeout: 120_000, hookTimeout: 240_000, tags },
})
