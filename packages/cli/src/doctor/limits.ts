/** What the doctor says about limits, and about records that `reseal` has to seal again. */
import { type AuthInspection, type AuthService, resealRecords } from "@latchkey/core"
import type { Patient } from "./finding.js"

/** Where limits cannot know an address, or count for one process alone. Of interest in production. */
export function limitNotes({ env, inspection, isProduction, project }: Patient): readonly string[] {
  const { limits } = inspection
  if (!isProduction || limits === undefined) return []
  const isNext = project?.frameworks[0] === "next" && env.VERCEL !== "1"
  const notes = [
    isNext && !limits.hasAddress
      ? "Limits by network count nothing: Next does not say where a request comes from. Set limits.address to what your proxy overwrites (docs/guides/limits.md)."
      : "",
    limits.isShared
      ? ""
      : "Limits are counted in the memory of each process: with several processes each has budgets of its own. An adapter that keeps records, or the option records, shares them.",
  ]
  return notes.filter((note) => note !== "")
}

/** Counts what only an earlier secret opens. Tables that are missing are found elsewhere. */
export async function sealNotes(
  auth: AuthService<unknown>,
  { hasRecords }: AuthInspection,
  now: Date,
): Promise<readonly string[]> {
  if (!hasRecords) return []
  const count = await resealRecords(auth, { now, dryRun: true }).catch(() => undefined)
  if (!count) return []
  const { earlier, unopened } = count
  const notes = [
    earlier > 0
      ? `${earlier} records are opened by an earlier secret alone: run npx @latchkey/cli reseal before you remove it.`
      : "",
    unopened > 0
      ? `${unopened} records open with none of the secrets: add the secret that made them to AUTH_RECORD_SECRET or AUTH_SECRET, behind the present one.`
      : "",
  ]
  return notes.filter((note) => note !== "")
}
