import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The built-in pages in Chromium and Firefox, in all their states. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 180_000,
  },
})
