import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The SvelteKit journeys: one file after the other, because each builds an application first, on every core. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})
