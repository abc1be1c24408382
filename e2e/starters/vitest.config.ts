import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Fresh applications, set up by the command line as it is built, and signed in to: one after the other. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: { include: ["**/*.test.ts"], fileParallelism: false, testTimeout: 120_000, hookTimeout: 60_000 },
})
