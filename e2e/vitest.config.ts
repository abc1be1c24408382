import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The browser journeys: one after the other, because each starts the demo on ports of its own. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["demo/**/*.test.ts", "testing/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
})
