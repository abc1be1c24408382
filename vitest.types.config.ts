import { defineConfig } from "vitest/config"

/** Tests of types: nothing runs, the compiler checks them. Names resolve to the sources, as in all tests. */
export default defineConfig({
  test: {
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      include: ["packages/*/test/types/**/*.test-d.ts"],
      tsconfig: "./tsconfig.types.json",
      // The build checks the sources; here only what a test says may fail.
      ignoreSourceErrors: true,
    },
  },
})
