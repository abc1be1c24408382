import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The browser journeys, two files at a time: each starts the demo on a port of its own. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["demo/**/*.test.ts", "testing/**/*.test.ts"],
    globalSetup: "./support/global-setup.ts",
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
})
