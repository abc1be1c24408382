/**
 * Runs the properties of the tests for long: `npm run fuzz [-- <runs>]`. What `npm test` checks with some hundred requests
 * and values is checked with 20,000 of each. A counterexample is printed with the seed that makes it again; a request
 * that was found goes into `packages/core/test/attack/support/kept-requests.json`, which every run begins with.
 */
import { spawnSync } from "node:child_process"

const [runs = "20000"] = process.argv.slice(2)
const files = [
  ...["any-answer", "any-order", "any-request", "any-text"].map((name) => `packages/core/test/attack/${name}.test.ts`),
  ...["hono", "next", "sveltekit"].map((name) => `packages/${name}/test/any-request.test.ts`),
  "packages/express/test/any-bytes.test.ts",
]
const { status } = spawnSync("npx", ["vitest", "run", ...files], {
  stdio: "inherit",
  env: { ...process.env, LATCHKEY_FUZZ: runs },
})
process.exitCode = status ?? 1
