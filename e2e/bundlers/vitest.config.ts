import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The packed packages through every bundler, in a folder where no optional peer can be found. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./fixture.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 240_000,
  },
})
