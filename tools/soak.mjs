/**
 * Runs the application of the soak test under load for ten minutes: `npm run soak [-- --seconds 60]`. Needs PostgreSQL,
 * Redis and nginx. `LATCHKEY_SOAK_LOG=1` shows what the processes log.
 */
import { spawnSync } from "node:child_process"

const [name, seconds = "600"] = process.argv.slice(2)
if (name !== undefined && (name !== "--seconds" || !/^[1-9]\d*$/.test(seconds))) {
  console.error("Expected no option, or --seconds and a number.")
  process.exit(2)
}
const { status } = spawnSync("npx", ["vitest", "run", "--config", "tools/soak/vitest.config.ts"], {
  stdio: "inherit",
  env: { ...process.env, LATCHKEY_SOAK: seconds },
})
process.exitCode = status ?? 1
