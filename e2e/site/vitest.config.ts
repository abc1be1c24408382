import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The site of the documentation, built once and looked at in Chromium. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./build.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
