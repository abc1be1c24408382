import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The frameworks of others on our engine: one after the other, because each of them wants all processors to build. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    // The first run installs.
    hookTimeout: 900_000,
  },
})
