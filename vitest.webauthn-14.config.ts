import { defineConfig, mergeConfig } from "vitest/config"
import { shared } from "./vitest.config.js"

/** The tests of passkeys once more, with version 14 of SimpleWebAuthn in place of 13: applications may have either. */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    resolve: {
      alias: [{ find: /^@simplewebauthn\/(browser|server)(?=\/|$)/, replacement: "simplewebauthn-$1-14" }],
    },
    test: {
      include: [
        "packages/core/src/methods/webauthn/**/*.test.ts",
        "packages/core/src/client/**/*.test.ts",
        "packages/core/test/flow/passkeys*.test.ts",
        "packages/core/test/spec/{authentication,actions,adapter}.test.ts",
        "packages/core/test/attack/unproven-address.test.ts",
      ],
    },
  }),
)
