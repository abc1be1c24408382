import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/**
 * Fresh applications, set up by the command line, and signed in to: one after the other, because each installs and builds.
 */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: { include: ["**/*.test.ts"], fileParallelism: false, testTimeout: 300_000, hookTimeout: 300_000 },
})
