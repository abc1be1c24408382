import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The pages about frameworks, and the runtimes: one after the other, because each builds and starts a server. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./fixture.ts"],
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 240_000,
  },
})
