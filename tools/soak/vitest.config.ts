import { defineConfig } from "vitest/config"
import { tags } from "../../vitest.config.js"

/** One test that runs for as long as the command says, by itself. */
export default defineConfig({
  test: { include: ["tools/soak/*.test.ts"], hookTimeout: 120_000, tags },
})
